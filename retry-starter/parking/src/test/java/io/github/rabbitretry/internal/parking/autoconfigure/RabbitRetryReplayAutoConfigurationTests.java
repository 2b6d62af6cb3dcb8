/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;

import javax.sql.DataSource;

import com.rabbitmq.client.AddressResolver;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryMetricsAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.parking.metrics.MicrometerReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.parking.replay.OutcomeRecorder;
import io.github.rabbitretry.internal.parking.replay.ReplayWorker;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryReplayAutoConfigurationTests {

	private final ApplicationContextRunner withoutDatabase = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
				RabbitRetryLedgerAutoConfiguration.class, RabbitRetryMetricsAutoConfiguration.class,
				RabbitRetryReplayAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	private final ApplicationContextRunner application = this.withoutDatabase
		.withBean("database", DataSource.class, () -> database())
		.withPropertyValues("rabbit-retry.ledger.enabled=true");

	private static DataSource database() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

	@Test
	void whereThereIsALedgerThereAreReplays() {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).hasSingleBean(ReplayService.class)
				.hasSingleBean(ParkedMessageService.class)
				.hasSingleBean(AuditLog.class)
				.hasSingleBean(OutcomeRecorder.class)
				.doesNotHaveBean(MicrometerReplayListener.class);
			assertThat(context.getBean(ReplayWorker.class).isRunning()).isTrue();
			assertThat(context.getBean(ReplayService.class).jobs(null, 10)).isEmpty();
			assertThat(context.getBean(ReplaySettings.class).editEnabled()).isFalse();
		});
	}

	@Test
	void aDryRunLooksForItsTargetWhereNoAlarmBlocksIt() {
		Thread asking = Thread.currentThread();
		List<String> connections = new ArrayList<>();
		ConnectionFactory none = new ConnectionFactory() {
			@Override
			public Connection newConnection(ExecutorService executor, AddressResolver addresses, String name)
					throws ConnectException {
				if (Thread.currentThread() == asking) {
					connections.add(name);
				}
				throw new ConnectException("no broker");
			}
		};
		this.application.withBean(CachingConnectionFactory.class, () -> new CachingConnectionFactory(none))
			.run((context) -> {
				connections.clear();
				assertThat(context.getBean(ReplayService.class)
					.dryRun(new ReplayRequest(Selection.of(ParkedFilter.ALL),
							ReplayOptions.unthrottled(1).withTarget("others"), new OperatorAction("ops", "TEST")))
					.cautions())
					.contains("It is not known whether there is a queue 'others': the broker can't be asked now.");
				assertThat(connections).singleElement().asString().endsWith(".dead-letters");
			});
	}

	@Test
	void nobodyWorksOnReplaysInADatabaseInMemoryThatIsNotUsed() {
		this.withoutDatabase.withBean("database", DataSource.class, () -> database())
			.run((context) -> assertThat(context.getBean(ReplayWorker.class).isRunning()).isFalse());
	}

	@Test
	void withoutALedgerThereAreNone() {
		this.application.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReplayService.class));
	}

	@Test
	void withoutSpringJdbcNoClassOfTheirsIsLoaded() {
		this.withoutDatabase.withBean("database", DataSource.class, () -> database())
			.withClassLoader(new FilteredClassLoader("org.springframework.jdbc",
					"io.github.rabbitretry.internal.parking.ledger", "io.github.rabbitretry.internal.parking.replay"))
			.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theyCanBeSwitchedOff() {
		this.application.withPropertyValues("rabbit-retry.replay.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ReplayService.class)
				.doesNotHaveBean(ReplayWorker.class));
	}

	@Test
	void anInstanceCanLeaveTheWorkToOthers() {
		this.application.withPropertyValues("rabbit-retry.replay.work=false").run((context) -> {
			assertThat(context.getBean(ReplayWorker.class).isRunning()).isFalse();
			assertThat(context).hasSingleBean(ReplayService.class);
		});
	}

	@Test
	void boundsOfTheUsersOwnReplaceOurs() {
		ReplaySettings own = new ReplaySettings(Duration.ofSeconds(5), 7, Duration.ofSeconds(1), 1,
				Duration.ofSeconds(1), Duration.ofDays(7), true);
		this.application.withBean(ReplaySettings.class, () -> own)
			.run((context) -> assertThat(context.getBean(ReplaySettings.class)).isSameAs(own));
	}

	@Test
	void whereThereIsARegistryReplaysAreCountedFromZero() {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		this.application.withBean(PrometheusMeterRegistry.class, () -> registry).run((context) -> {
			MicrometerReplayListener listener = context.getBean(MicrometerReplayListener.class);
			assertThat(registry.scrape().lines()).contains("replay_total{message_type=\"Order\"} 0.0",
					"replay_failure_total{failure=\"parked_again\",message_type=\"Order\"} 0.0",
					"replay_failure_total{failure=\"discarded\",message_type=\"Order\"} 0.0",
					"replay_failure_total{failure=\"unpublishable\",message_type=\"Order\"} 0.0");
			// the database is asked by the first scrape, which does not wait for it
			Awaitility.await()
				.untilAsserted(() -> assertThat(registry.scrape().lines()).contains(
						"parking_lot_depth{message_type=\"Order\",owner=\"team-orders\"} 0.0",
						"parking_lot_oldest_age_seconds{message_type=\"Order\",owner=\"team-orders\"} 0.0"));
			listener.published("Order", 3);
			listener.failed("Order");
			assertThat(registry.scrape().lines()).contains("replay_total{message_type=\"Order\"} 3.0",
					"replay_failure_total{failure=\"unpublishable\",message_type=\"Order\"} 1.0");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rabbit-retry.ledger.adopt=orders.old-failures",
			"rabbit-retry.ledger.adopt.orders.old-failures=Order" })
	void anAdoptedQueueIsNamedAmongTheApplicationsQueues(String adopt) {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		this.application.withBean(PrometheusMeterRegistry.class, () -> registry)
			.withPropertyValues(adopt)
			.run((context) -> assertThat(registry.scrape().lines())
				.contains("rabbit_retry_queue{queue=\"orders.old-failures\",role=\"dead-letter\",vhost=\"/\"} 1.0"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			confirm-timeout | 0s    | must be from PT0.1S to PT10M
			retention       | 167h  | must be from PT168H to PT876000H
			""")
	void aWrongValueStopsTheStart(String key, String value, String relation) {
		this.application.withPropertyValues("rabbit-retry.replay." + key + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(InvalidConfigurationException.class);
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription() + analysis.getAction())
				.contains("Property: rabbit-retry.replay." + key)
				.contains(relation);
		});
	}

}
