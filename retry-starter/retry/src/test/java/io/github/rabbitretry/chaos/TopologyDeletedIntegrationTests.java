/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.chaos.ChaosApplication.ParkedCount;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Deleting a queue destroys what is in it, which nobody can hinder. So queues are deleted
 * while they are empty, but for the test that shows that no more is destroyed.
 */
class TopologyDeletedIntegrationTests {

	private static final List<Integer> FIRST = ChaosRun.numbers(0, 500);

	/** So many fail that both listeners' prefetch counts are reached. */
	private static final List<Integer> HELD = ChaosRun.numbers(500, 3_000);

	private static final List<Integer> SECOND = ChaosRun.numbers(500, 4_500);

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 3 * 250;

	@Test
	void messagesAreHeldUntilADeletedParkingLotIsBack(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.lot")) {
			heldUntilItIsBack(run, () -> {
				run.account();
				run.on((channel) -> channel.queueDelete(run.topology().parkingLot()));
			});
		}
	}

	@Test
	void messagesAreHeldUntilADeletedRetryQueueIsBack(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.retry")) {
			MessageTopology topology = run.topology();
			heldUntilItIsBack(run,
					() -> run.on((channel) -> channel.queueDelete(topology.retryQueue(topology.levels().get(0)))));
		}
	}

	@Test
	void messagesAreHeldUntilADeletedRingExchangeIsBack(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.ring")) {
			heldUntilItIsBack(run, () -> run.on((channel) -> channel.exchangeDelete(run.topology().ringExchange())));
		}
	}

	@Test
	void nothingInTheRingIsLostWhenItsExchangeIsDeleted(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.busy")) {
			Broker broker = Broker.shared();
			assumeTrue(broker.canControl(), "a broker that is only named does not say what its queues hold");
			ChaosRun.deadLetterAgainAfter(broker, Duration.ofMillis(2_000));
			run.declare();
			run.publish(SECOND);
			try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=500")) {
				ParkedCount parked = worker.getBean(ParkedCount.class);
				// not while the connection is opened, which declares what is missing
				Awaitility.await().until(() -> parked.get() > 100);
				run.on((channel) -> channel.exchangeDelete(run.topology().ringExchange()));
				comesBack(run, worker.getBean(ConfirmedPublishers.class));
				String retryQueue = run.topology().retryQueue(run.topology().levels().get(0));
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.pollInterval(Duration.ofSeconds(1))
					.until(() -> broker.ctl("list_queues", "-s", "name", "messages").contains(retryQueue + "\t0"));
				run.awaitCalm();
			}
			finally {
				ChaosRun.deadLetterAgainAfter(broker, Duration.ofMillis(180_000));
			}
			// the confirms of copies on their way at the deletion are lost
			assertThat(account(run).duplicates()).isBetween(0, UNACKNOWLEDGED);
		}
	}

	@Test
	void messagesAreHeldUntilADeletedDeadLetterExchangeIsBack(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.dlx")) {
			heldUntilItIsBack(run,
					() -> run.on((channel) -> channel.exchangeDelete(run.topology().deadLetterExchange())));
		}
	}

	@Test
	void deletingTheParkingLotDestroysWhatIsInItAndNothingElse(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.deleted.full")) {
			run.declare();
			run.publish(SECOND);
			int taken;
			try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=500")) {
				ParkedCount parked = worker.getBean(ParkedCount.class);
				// not while the connection is opened, which declares what is missing
				Awaitility.await().until(() -> parked.get() > 100);
				run.on((channel) -> channel.queueDelete(run.topology().parkingLot()));
				ChaosRun.pause(Duration.ofSeconds(2));
				ConfirmedPublishers publishers = worker.getBean(ConfirmedPublishers.class);
				// none, if the broker ended the connection that published to it: seen
				// with
				// 4.0.5, and the next connection declares the queue again
				run.say("%d held after 2 s".formatted(publishers.pending(ChaosRun.TYPE)));
				isBack(run, publishers);
				taken = parked.get();
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertThatEachEndedAsItMay();
			int destroyed = taken - account.foundParked();
			run.say("%d copies were taken and destroyed, %d messages are missing".formatted(destroyed,
					account.missing().size()));
			assertThat(account.missing()).hasSizeLessThanOrEqualTo(destroyed)
				.allMatch((number) -> !MessageFate.of(number).handled());
		}
	}

	private static void heldUntilItIsBack(ChaosRun run, Runnable deletion) {
		run.declare();
		run.publish(FIRST);
		try (ConfigurableApplicationContext worker = run.start()) {
			run.awaitCalm();
			ConfirmedPublishers publishers = worker.getBean(ConfirmedPublishers.class);
			deletion.run();
			run.publish(HELD);
			comesBack(run, publishers);
		}
		assertThat(account(run).duplicates()).isZero();
	}

	private static void comesBack(ChaosRun run, ConfirmedPublishers publishers) {
		// those that are under way as usual are counted too, and soon end
		Awaitility.await()
			.during(Duration.ofSeconds(2))
			.atMost(Duration.ofMinutes(1))
			.until(() -> publishers.pending(ChaosRun.TYPE) >= 400);
		int held = publishers.pending(ChaosRun.TYPE);
		assertThat(held).isBetween(400, UNACKNOWLEDGED);
		long took = isBack(run, publishers);
		run.say("%d were held while it was gone, none %d ms after it was back".formatted(held, took));
	}

	private static long isBack(ChaosRun run, ConfirmedPublishers publishers) {
		long back = System.nanoTime();
		run.declare();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> publishers.pending(ChaosRun.TYPE) == 0 && run.underWay() == 0);
		long took = (System.nanoTime() - back) / 1_000_000;
		run.awaitCalm();
		return took;
	}

	private static ChaosAccount account(ChaosRun run) {
		assertThat(run.underWay()).isZero();
		ChaosAccount account = run.account();
		account.assertNothingIsLost();
		return account;
	}

}
