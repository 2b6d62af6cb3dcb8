/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;

import com.rabbitmq.client.DefaultConsumer;
import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.it.TestBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Migrations on a real broker, with messages in every kind of queue, and a producer that
 * goes on.
 */
class TopologyMigrationIntegrationTests {

	/** Published, but not routed yet, or back from waiting, when a binding changes. */
	private static final int ON_ITS_WAY = 100;

	/** Most of the time each waits for the broker's statistics. */
	private static final SideBySide<TopologyChange> RUNS = new SideBySide<>(4, List.of(TopologyChange.values()),
			(change) -> migrate(change, 10_000));

	@Tag("smoke")
	@ParameterizedTest
	@EnumSource(names = { "OTHER_DELAYS", "CLASSIC_TO_QUORUM" })
	void loseNoneOfAFewMessages(TopologyChange change) throws Exception {
		migrate(change, 200);
	}

	@Tag("smoke")
	@Test
	void waitForAnotherOneOfTheSameVirtualHost() throws Exception {
		TopologyChange change = TopologyChange.OTHER_DELAYS;
		try (MigratedOrders orders = new MigratedOrders(change);
				MigratedOrders.CloseableMigration migration = orders.migration(change.type());
				TestBroker another = TestBroker.connect(orders.virtualHost())) {
			another.channel().queueDeclare(MigrationLock.QUEUE, false, true, true, Map.of());
			Migration.Applied applied = migration.migration().apply(true, Duration.ofSeconds(5), (number, step) -> {
			});
			assertThat(applied.done()).isZero();
			assertThat(applied.stopped()).contains("Another migration of this virtual host runs");
		}
	}

	@Test
	void doNothingInAPauseWhileAConsumerIsThere() throws Exception {
		TopologyChange change = TopologyChange.CLASSIC_TO_QUORUM;
		try (MigratedOrders orders = new MigratedOrders(change);
				MigratedOrders.CloseableMigration migration = orders.migration(change.type());
				TestBroker consuming = TestBroker.connect(orders.virtualHost())) {
			consuming.channel().basicConsume(TopologyChange.QUEUE, new DefaultConsumer(consuming.channel()));
			List<MigrationPlan.PlannedStep> planned = migration.migration().plan().steps();
			Migration.Applied refused = migration.migration().apply(true, Duration.ofSeconds(5), (number, step) -> {
			});
			assertThat(refused.stopped()).contains("Nothing is done: queue '" + TopologyChange.QUEUE, "has 1 consumer");
			assertThat(refused.done()).isZero();
			assertThat(refused.left().steps()).hasSameSizeAs(planned);
			consuming.channel().close();
			assertThat(migration.migration().apply(true, Duration.ofSeconds(30), (number, step) -> {
			}).left().steps()).isEmpty();
		}
	}

	@Test
	void doNothingWhereTheManagementApiIsThatOfAnotherCluster() throws Exception {
		HttpServer another = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		another.createContext("/api/cluster-name", (exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write("{\"name\":\"rabbit@another\"}".getBytes(StandardCharsets.UTF_8));
			exchange.close();
		});
		another.start();
		CachingConnectionFactory factory = new CachingConnectionFactory(Broker.shared().amqpUri());
		try (ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(1000, Duration.ofSeconds(30), Duration.ofSeconds(5)))) {
			Migration migration = new Migration(factory,
					new ManagementAccess("http://127.0.0.1:" + another.getAddress().getPort(), "guest", "guest"),
					publishers, List.of(TopologyChange.OTHER_DELAYS.type()), Set.of(), BrokerPolicyMode.FAIL);
			assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(migration::plan)
				.withMessageContaining("belongs to cluster 'rabbit@another', and the connection leads to cluster '");
			assertThatExceptionOfType(ManagementUnavailableException.class)
				.isThrownBy(() -> migration.apply(true, Duration.ofSeconds(5), (number, step) -> {
				}));
		}
		finally {
			factory.destroy();
			another.stop(0);
		}
	}

	/** As somebody may bind it who sends the bytes of another character set. */
	@Test
	void leaveAQueueAloneOfWhichABindingCannotBeRead() throws Exception {
		TopologyChange change = TopologyChange.OTHER_DELAYS;
		try (MigratedOrders orders = new MigratedOrders(change);
				MigratedOrders.CloseableMigration migration = orders.migration(change.type())) {
			List<String> deleted = deleted(migration.migration().plan());
			String kept = deleted.get(0);
			Broker.shared()
				.ctl("eval",
						"rabbit_binding:add({binding, rabbit_misc:r(<<\"%1$s\">>, exchange, <<\"amq.topic\">>), <<255>>, rabbit_misc:r(<<\"%1$s\">>, queue, <<\"%2$s\">>), []}, <<\"test\">>)."
							.formatted(orders.virtualHost(), kept));
			MigrationPlan plan = migration.migration().plan();
			assertThat(plan.steps()).isNotEmpty();
			assertThat(deleted(plan)).doesNotContain(kept).hasSize(deleted.size() - 1);
			assertThat(plan.leftAlone()).anySatisfy((one) -> {
				assertThat(one.what()).isEqualTo("queue '%s'".formatted(kept));
				assertThat(one.why()).contains("to exchange 'amq.topic'", "HTTP status 500");
			});
			Migration.Applied applied = migration.migration().apply(true, Duration.ofSeconds(60), (number, step) -> {
			});
			assertThat(applied.stopped()).isNull();
			assertThat(applied.left().steps()).isEmpty();
			assertThat(orders.queues()).contains(kept);
		}
	}

	private static List<String> deleted(MigrationPlan plan) {
		return plan.steps()
			.stream()
			.map(MigrationPlan.PlannedStep::step)
			.filter(MigrationStep.DeleteQueue.class::isInstance)
			.map(MigrationStep::subject)
			.toList();
	}

	/** As into a queue that is published to as fast. */
	@Test
	void endWhereAQueueDoesNotGetEmpty() throws Exception {
		CachingConnectionFactory factory = new CachingConnectionFactory(Broker.shared().amqpUri());
		try (TestBroker broker = TestBroker.connect();
				ConfirmedPublishers publishers = new ConfirmedPublishers(
						new HandoverSettings(1000, Duration.ofSeconds(30), Duration.ofSeconds(5)))) {
			String queue = broker.channel().queueDeclare("", false, true, false, Map.of()).getQueue();
			for (int number = 0; number < 500; number++) {
				broker.channel().basicPublish("", queue, TestBroker.json("m-" + number).build(), new byte[0]);
			}
			broker.channel().waitForConfirmsOrDie(10_000);
			MessageMover mover = new MessageMover(broker.channel().getConnection(),
					publishers.open(factory, "migration", Duration.ofSeconds(30)), Duration.ofSeconds(35));
			assertThatExceptionOfType(MigrationException.class)
				.isThrownBy(() -> mover.move(queue, queue, Long.MAX_VALUE, Duration.ofSeconds(1)))
				.withMessageContaining("does not get empty")
				.withMessageContaining("by its name");
			assertThat(broker.ready(queue)).isEqualTo(500);
		}
		finally {
			factory.destroy();
		}
	}

	@ParameterizedTest
	@EnumSource
	void loseNoneOf10000MessagesAndLeaveNothingBehind(TopologyChange change) throws Exception {
		RUNS.await(change);
	}

	private static void migrate(TopologyChange change, int messages) throws Exception {
		try (MigratedOrders orders = new MigratedOrders(change)) {
			ConfigurableApplicationContext service = null;
			try (MigratedOrders.CloseableMigration migration = orders.migration(change.type())) {
				if (change.running()) {
					service = orders.start();
				}
				orders.fill(messages);
				assertThat(migration.migration().plan().pauses()).isEqualTo(!change.running());
				PublishedBetweenBindings mayComeTwice = new PublishedBetweenBindings(orders::sentMeanwhile);
				CompletableFuture<Migration.Applied> applied = CompletableFuture.supplyAsync(
						() -> migration.migration().apply(!change.running(), Duration.ofSeconds(60), mayComeTwice));
				orders.sendWhile(() -> !applied.isDone(), 200);
				assertThat(applied.get().stopped()).isNull();
				assertThat(applied.get().left().steps()).isEmpty();
				assertThat(applied.get().left().leftAlone()).isEmpty();
				if (service == null) {
					service = orders.start();
				}
				orders.awaitAll();
				assertThat(orders.duplicates()).isLessThanOrEqualTo(mayComeTwice.number() + ON_ITS_WAY);
				assertThat(migration.migration().plan().steps()).isEmpty();
				isAsConfigured(orders, change);
			}
			finally {
				if (service != null) {
					MigratedOrders.stop(service);
				}
			}
		}
	}

	static void isAsConfigured(MigratedOrders orders, TopologyChange change) {
		assertThat(orders.queues())
			.containsExactlyInAnyOrderElementsOf(change.wanted().ownQueues().stream().map(QueueModel::name).toList());
		assertThat(orders.exchanges()).containsExactlyInAnyOrderElementsOf(change.wanted()
			.exchanges()
			.stream()
			.map(ExchangeModel::name)
			.filter((name) -> name.startsWith(TopologyChange.PREFIX))
			.toList());
	}

	/** What a producer publishes from one change of a binding to what follows it. */
	private static final class PublishedBetweenBindings implements BiConsumer<Integer, MigrationStep> {

		private final IntSupplier published;

		private volatile int number;

		private int since;

		private boolean changing;

		PublishedBetweenBindings(IntSupplier published) {
			this.published = published;
		}

		@Override
		public void accept(Integer step, MigrationStep next) {
			int now = this.published.getAsInt();
			if (this.changing) {
				this.number += now - this.since;
			}
			this.since = now;
			this.changing = next instanceof MigrationStep.Bind || next instanceof MigrationStep.Unbind;
		}

		int number() {
			return this.number;
		}

	}

}
