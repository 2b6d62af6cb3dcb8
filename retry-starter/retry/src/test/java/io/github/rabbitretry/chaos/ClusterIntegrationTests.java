/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.broker.BrokerCluster;
import io.github.rabbitretry.broker.BrokerNode;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Faults of a cluster of three nodes under a worker and a producer that connect to any of
 * them. The leader is that of the work queue; the other queues' leaders begin on the node
 * that declared them all.
 */
class ClusterIntegrationTests {

	private static final int MESSAGES = 9_000;

	/** Published before the fault, so that every consumer holds its prefetch count. */
	private static final int BEFORE = 3_000;

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 3 * 250;

	private static BrokerCluster cluster;

	@TempDir
	private Path folder;

	@BeforeAll
	static void start() {
		cluster = BrokerCluster.start(3);
	}

	@AfterAll
	static void close() {
		cluster.close();
	}

	@BeforeEach
	void allNodesRun() {
		cluster.startAllAgain();
	}

	@Test
	void nothingIsLostWhenTheLeaderIsKilledFourTimes() throws Exception {
		int kills = 4;
		run("leader.killed", 150, kills, (run) -> {
			for (int kill = 0; kill < kills; kill++) {
				awaitWork(run);
				BrokerNode leader = cluster.leaderOf(run.topology().queue());
				leader.kill();
				awaitWork(run);
				leader.startAgain();
			}
		});
	}

	@Test
	void nothingIsLostWhenTheLeaderIsFrozenForHalfAMinute() throws Exception {
		run("leader.frozen", 150, 1, (run) -> {
			BrokerNode leader = cluster.leaderOf(run.topology().queue());
			leader.freeze();
			ChaosRun.pause(Duration.ofSeconds(30));
			leader.unfreeze();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aWorkerOnANodeWithoutAMajorityGoesOnWithTheNextAddress(String container) throws Exception {
		try (ChaosRun run = new ChaosRun(ChaosServers.of(cluster), this.folder, "chaos.cluster.cut." + container)) {
			run.declare();
			run.publish(ChaosRun.numbers(0, 200));
			List<BrokerNode> nodes = new ArrayList<>(cluster.nodes());
			Collections.reverse(nodes);
			BrokerNode minority = nodes.get(0);
			try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=5000",
					"--spring.rabbitmq.listener.type=" + container, "--rabbit-retry.handover.confirm-timeout=2s",
					"--spring.rabbitmq.addresses=" + nodes.stream()
						.map((node) -> node.host() + ":" + node.port())
						.collect(Collectors.joining(",")))) {
				run.awaitCalm();
				run.publish(ChaosRun.numbers(200, 1_000));
				awaitWork(run);
				cluster.cutOff(minority);
				long before = run.evidence().size();
				run.publish(ChaosRun.numbers(1_000, 1_500));
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> run.evidence().since(before).stream().anyMatch((number) -> number >= 1_400));
				minority.kill();
				minority.startAgain();
				run.awaitCalm();
			}
			run.account().assertNothingIsLost();
		}
	}

	@Test
	void nothingIsLostWhenTheNodesAreRestartedOneAfterTheOther() throws Exception {
		run("rolling", 150, 3, (run) -> {
			for (BrokerNode node : cluster.nodes()) {
				awaitWork(run);
				node.stop();
				awaitWork(run);
				node.startAgain();
			}
		});
	}

	@Test
	void nothingIsLostWhenAllNodesAreDown() throws Exception {
		run("all.down", 200, 1, (run) -> {
			cluster.killAll();
			ChaosRun.pause(Duration.ofSeconds(3));
			cluster.startAllAgain();
		});
	}

	private static ConfigurableApplicationContext startWorker(ChaosRun run) {
		return run.start("--chaos.work-micros=5000", "--spring.rabbitmq.address-shuffle-mode=random");
	}

	private void run(String name, int perSecond, int faults, Fault fault) throws Exception {
		try (ChaosRun run = new ChaosRun(ChaosServers.of(cluster), this.folder, "chaos.cluster." + name)) {
			run.declare();
			run.publish(ChaosRun.numbers(0, BEFORE));
			boolean empty;
			try (ConfigurableApplicationContext worker = startWorker(run);
					ChaosProducer producer = run.producer(MESSAGES - BEFORE, perSecond)) {
				awaitWork(run);
				long begin = System.nanoTime();
				fault.happens(run);
				run.say("faults over after %d s, %d messages ready, %d of the producer's confirmed".formatted(
						Duration.ofNanos(System.nanoTime() - begin).toSeconds(), run.ready(run.topology().queue()),
						producer.confirmed().size()));
				producer.faultsOver();
				Awaitility.await().atMost(Duration.ofMinutes(2)).until(producer::done);
				run.add(producer);
				cluster.nodes().forEach((node) -> ChaosRun.deadLetterAgainAfter(node, Duration.ofSeconds(5)));
				run.awaitCalm();
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.until(() -> worker.getBean(ConfirmedPublishers.class).pending(ChaosRun.TYPE) == 0
							&& worker.getBean(ConfirmedPublishers.class).inFlight(ChaosRun.TYPE) == 0);
				// longer than what the broker could not dead-letter waits
				empty = run.awaitEmpty(Duration.ofSeconds(8));
			}
			if (!empty) {
				try (ConfigurableApplicationContext another = startWorker(run)) {
					assertThat(run.awaitEmpty(Duration.ofSeconds(8))).isTrue();
				}
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			assertThat(account.sent()).hasSizeGreaterThanOrEqualTo(MESSAGES);
			assertThat(account.duplicates()).isBetween(0, faults * UNACKNOWLEDGED);
		}
	}

	/** Work goes on with what is left of the cluster. */
	private static void awaitWork(ChaosRun run) {
		long before = run.evidence().size();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> run.evidence().size() > before);
	}

	private interface Fault {

		void happens(ChaosRun run) throws Exception;

	}

}
