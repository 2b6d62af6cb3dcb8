/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Messages that move to another queue, whatever the database.
 */
abstract class MoveContract extends OperatedService {

	private static final OperatorAction ACT = new OperatorAction("ops-user-123", "V2_TAKES_THESE");

	private final String target = "moved." + UUID.randomUUID();

	@AfterEach
	void deleteTarget() throws Exception {
		try (TestBroker other = TestBroker.connect()) {
			other.channel().queueDelete(this.target);
		}
	}

	private void declareTarget() throws Exception {
		this.broker.channel().queueDeclare(this.target, true, false, false, Map.of("x-queue-type", "quorum"));
	}

	private ReplayRequest move() {
		return new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(1_000).withMove(this.target),
				ACT);
	}

	private ReplayJob await(ReplayJob job, ReplayJob.State state) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.replays.job(job.id()), (now) -> now.state() == state);
	}

	private List<String> movedIds() {
		return this.broker.drain(this.target).stream().map((message) -> message.getProps().getMessageId()).toList();
	}

	@Test
	void whatTheBrokerHasAtTheTargetIsNoLongerParked() throws Exception {
		park(0, 50, 50);
		declareTarget();
		assertThat(this.replays.dryRun(move()).cautions())
			.anySatisfy((caution) -> assertThat(caution).startsWith("Messages move to '%s'".formatted(this.target)))
			.noneSatisfy((caution) -> assertThat(caution).contains("no queue"));
		ReplayJob job = this.replays.start(move());
		assertThat(await(job, ReplayJob.State.FINISHED).counts())
			.isEqualTo(new ReplayJob.Counts(50, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0));
		assertThat(count(ParkedState.PARKED)).isZero();
		assertThat(count(ParkedState.REPLAYED)).isEqualTo(50);
		List<ReplayItem> items = this.replays.items(job.id(), ReplayItem.State.SUCCEEDED, 0, 100);
		assertThat(items).hasSize(50).allSatisfy((item) -> {
			assertThat(item.detail()).isEqualTo("moved to '%s'".formatted(this.target));
			assertThat(item.publishedAt()).isNotNull();
		});
		assertThat(this.messages.removal(items.get(0).parkedId()))
			.isEqualTo(new ParkedMessageService.Removal(job.id(), null));
		assertThat(movedIds()).hasSize(50).doesNotHaveDuplicates();
		assertThat(this.application.handled()).isEmpty();
		assertThat(this.context.getBean(AuditLog.class).entries(AuditFilter.of(job.id()), null, 10).get(1).outcome())
			.isEqualTo("moves to '%s'".formatted(this.target));
	}

	@Test
	void whatFindsNoTargetStaysParkedAndMovesOnceThereIsOne() throws Exception {
		park(0, 50, 50);
		assertThat(this.replays.dryRun(move()).cautions())
			.anySatisfy((caution) -> assertThat(caution).startsWith("There is no queue '%s'".formatted(this.target)));
		ReplayJob job = this.replays.start(move());
		ReplayJob paused = await(job, ReplayJob.State.PAUSED);
		assertThat(paused.why()).isEqualTo(ReplayJob.StopReason.UNROUTABLE);
		assertThat(paused.detail()).contains("queue '%s'".formatted(this.target));
		assertThat(count(ParkedState.PARKED)).isEqualTo(50);
		declareTarget();
		this.replays.resume(job.id(), ACT);
		await(job, ReplayJob.State.FINISHED);
		assertThat(movedIds()).hasSize(50).doesNotHaveDuplicates();
		assertThat(count(ParkedState.PARKED)).isZero();
	}

	@Test
	void aMessageIsMovedOrReplayedButNeverBoth() throws Exception {
		park(0, 300, 300);
		declareTarget();
		ReplayWorker other = new ReplayWorker(this.context.getBean(ReplayStores.class),
				this.context.getBean(ConnectionFactory.class), this.context.getBean(ConfirmedPublishers.class),
				this.context.getBean(MessagePolicies.class), this.context.getBean(ReplaySettings.class),
				ReplayListener.NONE);
		other.start();
		try {
			List<ReplayJob> jobs = new ArrayList<>();
			for (int number = 0; number < 3; number++) {
				jobs.add(this.replays.start(move().withTakeReserved(true)));
				jobs.add(this.replays
					.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(1_000), ACT)
						.withTakeReserved(true)));
			}
			jobs.forEach((job) -> Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> !this.replays.job(job.id()).state().active()));
			List<String> seen = new ArrayList<>(movedIds());
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(300 - seen.size()));
			seen.addAll(this.application.handledIds());
			assertThat(seen).hasSize(300).doesNotHaveDuplicates();
		}
		finally {
			other.stop();
		}
	}

	@Test
	void whatADeadInstanceWasMovingIsMovedByAnother() throws Exception {
		park(0, 5, 5);
		declareTarget();
		ReplayJob job = twoClaimed();
		this.context.getBean(ReplayWorker.class).start();
		assertThat(await(job, ReplayJob.State.FINISHED).counts().succeeded()).isEqualTo(5);
		assertThat(new HashSet<>(movedIds())).hasSize(5);
	}

	@Test
	void whatPerhapsMovedIsUncertainAndCanBeParkedAgain() throws Exception {
		park(0, 5, 5);
		declareTarget();
		ReplayJob job = twoClaimed();
		this.replays.abort(job.id(), ACT);
		assertThat(this.replays.job(job.id()).counts().uncertain()).isEqualTo(2);
		awaitParked(3);
		// perhaps they are in the target: a replay to the work queue would be another
		// delivery
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(10), ACT, job.id())))
			.withMessageContaining("moved messages");
		assertThat(this.replays.restore(job.id(), ACT).counts().restored()).isEqualTo(2);
		awaitParked(5);
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(10), ACT)
					.withRestOf(job.id())))
			.withMessageContaining("moved messages")
			.withMessageContaining("Set its target, '%s' and move=true".formatted(this.target));
		this.context.getBean(ReplayWorker.class).start();
		ReplayJob rest = this.replays.start(move().withRestOf(job.id()));
		assertThat(await(rest, ReplayJob.State.FINISHED).counts().succeeded()).isEqualTo(3);
		assertThat(movedIds()).hasSize(3);
		awaitParked(2);
	}

	/** By an instance that died, and whose lease has ended. */
	private ReplayJob twoClaimed() {
		this.context.getBean(ReplayWorker.class).stop();
		ReplayJob job = this.replays.start(move());
		ReplayStores stores = this.context.getBean(ReplayStores.class);
		Lease lease = stores.jobs()
			.acquire(StoredJob.number(job.id()).getAsLong(), "died", Duration.ofMillis(1))
			.orElseThrow();
		stores.tables().inTransaction(() -> stores.items().claim(stores.jobs().get(lease.jobId()), 0, 2));
		Awaitility.await().until(lease::ended);
		return job;
	}

	@Test
	void nothingMovesToItsOwnWorkQueue() {
		park(0, 3, 3);
		ReplayJob job = this.replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
				ReplayOptions.unthrottled(10).withMove(this.queue), ACT));
		assertThat(await(job, ReplayJob.State.FINISHED).counts().failed()).isEqualTo(3);
		assertThat(this.replays.items(job.id(), null, 0, 10)).extracting(ReplayItem::detail)
			.containsOnly("the target is its own work queue; replay it without a target");
		awaitParked(3);
		assertThat(this.application.handled()).isEmpty();
	}

	@Test
	void whatWasMovedIsParkedAgainAsItWasOnceItIsPutBackIntoTheParkingLot() throws Exception {
		park(0, 1, 1);
		declareTarget();
		ReplayJob job = this.replays.start(move());
		await(job, ReplayJob.State.FINISHED);
		GetResponse moved = this.broker.take(this.target);
		this.broker.send(this.queue + ".parking-lot", moved.getProps(), moved.getBody());
		awaitParked(1);
		ParkedSummary again = this.ledger.search(ParkedFilter.ALL.withState(ParkedState.PARKED), null, 1)
			.messages()
			.get(0);
		assertThat(again.reason()).isEqualTo("DOWNSTREAM_TIMEOUT");
		assertThat(again.attempts()).isEqualTo(5);
		assertThat(again.replayId()).isEqualTo(job.id());
		assertThat(this.replays.job(job.id()).counts().parkedAgain()).isOne();
	}

}
