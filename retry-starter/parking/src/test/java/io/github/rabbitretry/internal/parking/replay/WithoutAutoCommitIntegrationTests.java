/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With {@code spring.datasource.hikari.auto-commit=false} a statement outside a
 * transaction is rolled back when the connection goes back to its pool.
 */
class WithoutAutoCommitIntegrationTests {

	private static final int MESSAGES = 20;

	private final String queue = "without-auto-commit." + UUID.randomUUID();

	@Test
	void parkedMessagesAreStoredReplayedAndDiscardedOnPostgresql() throws Exception {
		run(Database.shared().createDatabase(), Database.shared().username(), Database.shared().password());
	}

	@Test
	void parkedMessagesAreStoredReplayedAndDiscardedOnH2(@TempDir Path folder) throws Exception {
		run("jdbc:h2:file:" + folder.resolve("ledger") + ";AUTO_SERVER=TRUE", "sa", "");
	}

	private void run(String url, String user, String password) throws Exception {
		try (TestBroker broker = TestBroker.connect()) {
			try (ConfigurableApplicationContext application = start(url, user, password)) {
				for (int number = 0; number < MESSAGES; number++) {
					broker.sendJson(this.queue, "m-" + number, java.util.Map.of(), "{}");
				}
				Ledger ledger = application.getBean(Ledger.class);
				awaitParked(ledger, MESSAGES);
				ReplayService replays = application.getBean(ReplayService.class);
				ReplayRequest all = new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(5),
						new OperatorAction("ops", "TEST"));
				assertThat(replays.dryRun(all).wouldReplay()).isEqualTo(5);
				ReplayJob job = replays.start(all);
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> replays.job(job.id()).counts().parkedAgain() == 5);
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> replays.job(job.id()).state() == ReplayJob.State.FINISHED);
				awaitParked(ledger, MESSAGES);
				assertThat(application.getBean(ParkedMessageService.class)
					.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL), MESSAGES, false,
							new OperatorAction("ops", "TEST")))
					.count()).isEqualTo(MESSAGES);
				assertThat(application.getBean(AuditLog.class).entries(AuditFilter.ALL, null, 10))
					.extracting(AuditEntry::what)
					.contains(AuditEntry.Action.DISCARD, AuditEntry.Action.REPLAY, AuditEntry.Action.FINISH);
			}
			JdbcClient outside = JdbcClient.create(new DriverManagerDataSource(url, user, password));
			assertThat(outside
				.sql("select state, count(*) as messages from rabbit_retry_parked group by state order by state")
				.query((row, number) -> row.getString(1) + " " + row.getLong(2))
				.list()).containsExactly("DISCARDED 20", "REPLAYED 5");
			assertThat(outside.sql("select count(*) from rabbit_retry_audit where act = 'DISCARD'")
				.query(Long.class)
				.single()).isEqualTo(1);
			for (String end : List.of("", ".dlq", ".parking-lot", ".quarantine")) {
				broker.channel().queueDelete(this.queue + end);
			}
		}
	}

	private static void awaitParked(Ledger ledger, int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED)) == count);
	}

	private ConfigurableApplicationContext start(String url, String user, String password) {
		List<String> properties = new ArrayList<>(List.of("spring.datasource.url=" + url,
				"spring.datasource.username=" + user, "spring.datasource.password=" + password,
				"spring.datasource.hikari.auto-commit=false", "rabbit-retry.ledger.initialize-schema=always",
				"spring.application.name=worker", "test.queue=" + this.queue));
		for (String policy : List.of("queue=" + this.queue, "owner=team-orders", "broker-attempts=0",
				"local-attempts=1", "ledger.retention=90d")) {
			properties.add("rabbit-retry.message-policies.Order." + policy);
		}
		return TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = "${test.queue}")
		void handle(byte[] body) {
			throw new IllegalStateException("broken");
		}

	}

}
