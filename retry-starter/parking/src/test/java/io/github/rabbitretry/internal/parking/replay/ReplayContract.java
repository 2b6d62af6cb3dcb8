/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What replays do on a real broker, whatever the database.
 */
abstract class ReplayContract extends OperatedService {

	private static final OperatorAction ACT = new OperatorAction("ops-user-123", "SCHEMA_HANDLER_FIXED");

	@Override
	String[] more() {
		return new String[] { "logging.level.io.github.rabbitretry.decisions=warn" };
	}

	private void park(int from, int to) {
		park(from, to, to - from);
	}

	private static ReplayRequest all(ReplayOptions options) {
		return new ReplayRequest(Selection.of(ParkedFilter.ALL), options, ACT);
	}

	private ReplayJob await(ReplayJob job, ReplayJob.State state) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.replays.job(job.id()), (now) -> now.state() == state);
	}

	private void awaitEnd(ReplayJob job) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.replays.job(job.id()).state(),
					(state) -> state == ReplayJob.State.FINISHED || state == ReplayJob.State.INCOMPLETE);
	}

	private ReplayJob.Counts awaitDecided(ReplayJob job, long count) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.replays.job(job.id()).counts(), (counts) -> counts.decided() == count);
	}

	@Test
	@Tag("smoke")
	void everySelectedMessageIsReplayedOnceAndItsSuccessIsKnown() {
		park(0, 250);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(1_000)));
		assertThat(job.counts().selected()).isEqualTo(250);
		await(job, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(job, 250).succeeded()).isEqualTo(250);
		assertThat(this.application.handledIds()).hasSize(250).doesNotHaveDuplicates();
		assertThat(this.ledger.count(ParkedFilter.ALL.withState(ParkedState.REPLAYED))).isEqualTo(250);
		assertThat(audited(job)).containsExactly(AuditEntry.Action.FINISH, AuditEntry.Action.REPLAY);
	}

	private List<AuditEntry.Action> audited(ReplayJob job) {
		return this.context.getBean(AuditLog.class)
			.entries(AuditFilter.of(job.id()), null, 100)
			.stream()
			.map(AuditEntry::what)
			.toList();
	}

	@Test
	void theCanaryStopsABadReplay() {
		this.application.breakFor((message) -> true);
		park(0, 1_000);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(1_000).withCanary(5, Duration.ofSeconds(30))));
		ReplayJob stopped = await(job, ReplayJob.State.STOPPED);
		assertThat(stopped.why()).isEqualTo(ReplayJob.StopReason.CANARY_FAILED);
		assertThat(stopped.detail()).matches("[1-5] of the canary's 5 messages did not succeed");
		assertThat(awaitDecided(job, 5)).isEqualTo(new ReplayJob.Counts(1_000, 995, 0, 0, 0, 0, 5, 0, 0, 0, 0));
		assertThat(this.application.handledIds()).containsExactlyInAnyOrder("m-0", "m-1", "m-2", "m-3", "m-4");
		awaitParked(1_000);
		assertThat(this.ledger.count(ParkedFilter.ALL.withReplayId(job.id()))).isEqualTo(5);
		assertThat(audited(job)).containsExactly(AuditEntry.Action.STOP, AuditEntry.Action.REPLAY);
	}

	@Test
	void theFirstFailureOfACanaryDecidesIt() {
		this.application.breakFor((message) -> true);
		park(0, 30);
		ReplayJob job = this.replays
			.start(all(ReplayOptions.careful(30).withRate(0.5, Duration.ZERO).withCanary(10, Duration.ofMinutes(5))));
		ReplayJob stopped = await(job, ReplayJob.State.STOPPED);
		assertThat(stopped.why()).isEqualTo(ReplayJob.StopReason.CANARY_FAILED);
		assertThat(stopped.counts().waiting()).as("not all of the canary is tried").isGreaterThan(25);
	}

	@Test
	void theReplayGoesOnAfterAGoodCanary() {
		park(0, 100);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(100).withCanary(5, Duration.ofSeconds(30))));
		await(job, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(job, 100).succeeded()).isEqualTo(100);
		assertThat(this.application.handledIds()).hasSize(100).doesNotHaveDuplicates();
	}

	@Test
	void anUndecidedCanaryPausesAndCanBeOverruled() {
		park(0, 30);
		stopListening();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(30).withCanary(3, Duration.ofSeconds(1))));
		ReplayJob paused = await(job, ReplayJob.State.PAUSED);
		assertThat(paused.why()).isEqualTo(ReplayJob.StopReason.CANARY_UNDECIDED);
		assertThat(paused.detail()).startsWith("of 0 of the canary's 3 messages it is known that they succeeded. ")
			.contains("without the ledger", "stop it", "resume without the canary");
		assertThat(paused.counts().waiting()).isEqualTo(27);
		assertThat(this.replays.resume(job.id(), ACT).state()).isEqualTo(ReplayJob.State.CANARY);
		await(job, ReplayJob.State.PAUSED);
		this.replays.resumeWithoutCanary(job.id(), ACT);
		await(job, ReplayJob.State.FINISHED);
		assertThat(this.broker.ready(this.queue)).isEqualTo(30);
	}

	private void stopListening() {
		this.context.getBean(RabbitListenerEndpointRegistry.class).stop();
	}

	@Test
	void whatIsParkedAfterTheStartIsNotReplayed() {
		park(0, 100);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10_000).withRate(100.0, Duration.ZERO)));
		this.lot.park(100, 300);
		await(job, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(job, 100).selected()).isEqualTo(100);
		awaitParked(200);
		assertThat(this.application.handledIds()).hasSize(100)
			.allSatisfy((id) -> assertThat(Integer.parseInt(id.substring(2))).isLessThan(100));
	}

	@Test
	void tooManyParkedAgainStopTheReplay() {
		this.application.breakFor((message) -> Integer.parseInt(new String(message.getBody())) % 2 == 0);
		park(0, 400);
		ReplayJob job = this.replays
			.start(all(ReplayOptions.unthrottled(400).withRate(100.0, Duration.ZERO).withAbort(30, 20)));
		ReplayJob stopped = await(job, ReplayJob.State.STOPPED);
		assertThat(stopped.why()).isEqualTo(ReplayJob.StopReason.TOO_MANY_PARKED_AGAIN);
		assertThat(stopped.counts().waiting()).isPositive();
		assertThat(stopped.counts().decided()).isGreaterThanOrEqualTo(20);
	}

	@Test
	void aPausedReplayWaitsAndGoesOnWhereItWas() {
		park(0, 200);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(200).withRate(100.0, Duration.ZERO)));
		Awaitility.await().until(() -> this.application.handled().size() > 10);
		this.replays.pause(job.id(), ACT);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.replays.job(job.id()).worker() == null);
		long published = 200 - this.replays.job(job.id()).counts().waiting();
		assertThat(awaitDecided(job, published).inFlight()).isZero();
		assertThat(this.application.handled()).hasSize((int) published);
		this.replays.resume(job.id(), ACT);
		await(job, ReplayJob.State.FINISHED);
		awaitDecided(job, 200);
		assertThat(this.application.handledIds()).hasSize(200).doesNotHaveDuplicates();
		assertThat(audited(job)).containsExactly(AuditEntry.Action.FINISH, AuditEntry.Action.RESUME,
				AuditEntry.Action.PAUSE, AuditEntry.Action.REPLAY);
	}

	@Test
	void anAbortedReplayLeavesTheRestParked() {
		park(0, 200);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(200).withRate(50.0, Duration.ZERO)));
		Awaitility.await().until(() -> this.application.handled().size() > 3);
		this.replays.abort(job.id(), ACT);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.replays.job(job.id()).worker() == null);
		ReplayJob.Counts counts = this.replays.job(job.id()).counts();
		assertThat(counts.inFlight()).isZero();
		assertThat(this.ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED))).isEqualTo(counts.waiting());
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.replays.resume(job.id(), ACT))
			.withMessageContaining("is ABORTED");
	}

	@Test
	void bodyPropertiesAndHeaderTypesAreAsTheProducerSentThem() {
		byte[] body = { 0, -1, '{', (byte) 0xC3, 0x28 };
		Map<String, Object> headers = ParkedLot.envelope();
		headers.putAll(Map.of("byte", (byte) 1, "short", (short) 2, "int", 3, "long", 4L, "float", 1.5f, "double", 2.5,
				"decimal", new BigDecimal("12.34"), "bytes", new byte[] { 0, 1 }, "date", new Date(1_000), "tenant",
				"t"));
		stopListening();
		this.broker.send(this.queue + ".parking-lot",
				new BasicProperties.Builder().contentType("application/x-odd")
					.contentEncoding("gzip")
					.deliveryMode(2)
					.priority(4)
					.messageId("m-1")
					.correlationId("c-1")
					.replyTo("answers")
					.timestamp(new Date(1_700_000_000_000L))
					.type("OrderCreated")
					.appId("shop")
					.headers(headers)
					.build(),
				body);
		awaitParked(1);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(1)));
		GetResponse replayed = this.broker.take(this.queue);
		assertThat(replayed.getBody()).isEqualTo(body);
		BasicProperties properties = replayed.getProps();
		assertThat(properties.getContentType()).isEqualTo("application/x-odd");
		assertThat(properties.getContentEncoding()).isEqualTo("gzip");
		assertThat(properties.getDeliveryMode()).isEqualTo(2);
		assertThat(properties.getPriority()).isEqualTo(4);
		assertThat(properties.getMessageId()).isEqualTo("m-1");
		assertThat(properties.getCorrelationId()).isEqualTo("c-1");
		assertThat(properties.getReplyTo()).isEqualTo("answers");
		assertThat(properties.getTimestamp()).isEqualTo(new Date(1_700_000_000_000L));
		assertThat(properties.getType()).isEqualTo("OrderCreated");
		assertThat(properties.getAppId()).isEqualTo("shop");
		assertThat(properties.getHeaders()).containsEntry("byte", (byte) 1)
			.containsEntry("short", (short) 2)
			.containsEntry("int", 3)
			.containsEntry("long", 4L)
			.containsEntry("float", 1.5f)
			.containsEntry("double", 2.5)
			.containsEntry("decimal", new BigDecimal("12.34"))
			.containsEntry("date", new Date(1_000))
			.containsEntry("x-replayed", true)
			.containsEntry("x-original-death-count", 5)
			.containsEntry("x-app-replayed-count", 1)
			.containsEntry("x-replay-item", this.replays.items(job.id(), null, 0, 1).get(0).parkedId())
			.hasEntrySatisfying("bytes", (value) -> assertThat(value).isEqualTo(new byte[] { 0, 1 }))
			.hasEntrySatisfying("tenant", (value) -> assertThat(value).hasToString("t"))
			.hasEntrySatisfying("x-replay-id", (value) -> assertThat(value).hasToString(job.id()))
			.hasEntrySatisfying("x-replayed-by", (value) -> assertThat(value).hasToString("ops-user-123"))
			.hasEntrySatisfying("x-replay-reason", (value) -> assertThat(value).hasToString("SCHEMA_HANDLER_FIXED"))
			.hasEntrySatisfying("x-app-origin-exchange", (value) -> assertThat(value).hasToString("orders"))
			.hasEntrySatisfying("x-app-replayed-first-failure-at",
					(value) -> assertThat(value).hasToString("2026-07-01T09:10:00Z"))
			.hasEntrySatisfying("x-app-replayed-reason", (value) -> assertThat(value).hasToString("DOWNSTREAM_TIMEOUT"))
			.hasEntrySatisfying("x-app-retry-history",
					(value) -> assertThat(value)
						.hasToString("2026-07-01T09:43:00Z #6 DOWNSTREAM_TIMEOUT parked worker"))
			.doesNotContainKeys("x-app-retry-attempt", "x-app-retry-max", "x-app-first-failure-at",
					"x-app-last-failure-at", "x-app-cumulative-delay", "x-app-retry-level", "x-app-downstream-calls",
					"x-app-cost", "x-app-escalated-at", "x-app-parked-at", "x-app-handover-id");
	}

	@Test
	void twoInstancesDoNotReplayAnythingTwice() throws Exception {
		park(0, 300);
		ReplayWorker other = new ReplayWorker(this.context.getBean(ReplayStores.class),
				this.context.getBean(ConnectionFactory.class), this.context.getBean(ConfirmedPublishers.class),
				this.context.getBean(MessagePolicies.class), this.context.getBean(ReplaySettings.class),
				ReplayListener.NONE);
		other.start();
		try {
			List<ReplayJob> jobs = new ArrayList<>();
			for (int number = 0; number < 6; number++) {
				jobs.add(this.replays.start(all(ReplayOptions.unthrottled(1_000)).withTakeReserved(true)));
			}
			jobs.forEach(this::awaitEnd);
			Awaitility.await().until(() -> this.application.handled().size() >= 300);
			long published = jobs.stream()
				.map((job) -> this.replays.job(job.id()).counts())
				.mapToLong((counts) -> counts.selected() - counts.skipped())
				.sum();
			assertThat(published).isEqualTo(300);
			assertThat(this.application.handledIds()).hasSize(300).doesNotHaveDuplicates();
		}
		finally {
			other.stop();
		}
	}

	@Test
	void aReplayWithoutAWayToTheQueueIsPausedAndGoesOnOnceThereIsOne() throws Exception {
		// over the publishing connection, which declares everything when it opens
		park(0, 1);
		awaitDecided(this.replays.start(all(ReplayOptions.unthrottled(1))), 1);
		park(1, 51);
		this.broker.channel().queueUnbind(this.queue, this.queue + ".retry", this.queue);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(50)));
		ReplayJob paused = await(job, ReplayJob.State.PAUSED);
		assertThat(paused.why()).isEqualTo(ReplayJob.StopReason.UNROUTABLE);
		awaitParked(50);
		this.broker.channel().queueBind(this.queue, this.queue + ".retry", this.queue);
		this.replays.resume(job.id(), ACT);
		await(job, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(job, 50).succeeded()).isEqualTo(50);
		assertThat(this.application.handledIds()).hasSize(51).doesNotHaveDuplicates();
	}

	@Test
	void aTargetThatIsNotThereIsNamed() throws Exception {
		park(0, 3);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(3).withTarget("inspect.absent")));
		ReplayJob paused = await(job, ReplayJob.State.PAUSED);
		assertThat(paused.why()).isEqualTo(ReplayJob.StopReason.UNROUTABLE);
		assertThat(paused.detail()).contains("queue 'inspect.absent'", "target");
		awaitParked(3);
	}

	@Test
	void copiesForInspectionLeaveTheMessagesParked() throws Exception {
		park(0, 10);
		String target = this.broker.channel().queueDeclare().getQueue();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10).withTarget(target)));
		await(job, ReplayJob.State.FINISHED);
		assertThat(this.broker.ready(target)).isEqualTo(10);
		assertThat(this.broker.take(target).getProps().getHeaders()).containsEntry("x-app-retry-attempt", 5)
			.containsEntry("x-replayed", true);
		awaitParked(10);
		assertThat(this.application.handled()).isEmpty();
	}

	@Test
	void whatIsDiscardedIsNotReplayed() {
		park(0, 20);
		ParkedSummary one = this.ledger.search(ParkedFilter.ALL.withMessageId("m-7"), null, 1).messages().get(0);
		assertThat(this.messages.discard(discard(Selection.of(List.of(one.id())), true)).count()).isEqualTo(1);
		awaitParked(20);
		Discarded discarded = this.messages.discard(discard(Selection.of(List.of(one.id())), false));
		assertThat(discarded.count()).isEqualTo(1);
		assertThat(this.messages.discard(discard(Selection.of(List.of(one.id())), false)).count()).isZero();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(100)));
		await(job, ReplayJob.State.FINISHED);
		awaitDecided(job, 19);
		assertThat(this.application.handledIds()).hasSize(19).doesNotContain("m-7");
		assertThat(this.context.getBean(AuditLog.class).entries(AuditFilter.ALL, null, 10)).extracting(AuditEntry::what)
			.containsExactly(AuditEntry.Action.FINISH, AuditEntry.Action.REPLAY, AuditEntry.Action.DISCARD,
					AuditEntry.Action.DISCARD);
	}

	private static DiscardRequest discard(Selection selection, boolean dryRun) {
		return new DiscardRequest(selection, 1_000, dryRun, ACT);
	}

	@Test
	void anEditedMessageIsReplayedUnderANewIdAndTheDifferenceIsKept() {
		park(0, 1);
		ParkedSummary one = this.ledger.search(ParkedFilter.ALL, null, 1).messages().get(0);
		ReplayJob job = this.messages
			.editAndReplay(new EditRequest(one.id(), "42".getBytes(), Map.of("tenant", "blue"), Set.of("absent"), ACT));
		await(job, ReplayJob.State.FINISHED);
		awaitDecided(job, 1);
		Message handled = this.application.handled().get(0);
		assertThat(new String(handled.getBody())).isEqualTo("42");
		assertThat(handled.getMessageProperties().getMessageId()).isNotEqualTo("m-0");
		assertThat(handled.getMessageProperties().getHeaders()).containsEntry("tenant", "blue")
			.containsEntry("x-app-edited-message-id", "m-0")
			.containsEntry("x-replay-id", job.id());
		AuditEntry entry = this.context.getBean(AuditLog.class).entries(AuditFilter.of(job.id()), null, 10).get(1);
		assertThat(entry.what()).isEqualTo(AuditEntry.Action.EDIT);
		assertThat(entry.details()).contains("message id: m-0 -> ", "body: 1 bytes", "-> 2 bytes",
				"header tenant: none -> blue");
	}

	@Test
	void aDryRunTellsWhatWouldBeAndChangesNothing() {
		park(0, 30);
		DryRun dryRun = this.replays.dryRun(all(ReplayOptions.careful(20)));
		assertThat(dryRun.matching()).isEqualTo(30);
		assertThat(dryRun.replayable()).isEqualTo(30);
		assertThat(dryRun.wouldReplay()).isEqualTo(20);
		DryRun.Group group = dryRun.groups().get(0);
		assertThat(group.count()).isEqualTo(30);
		assertThat(group.onSameFailure()).isEqualTo(DryRun.Group.Verdict.RETRY);
		assertThat(group.findings()).isEmpty();
		assertThat(dryRun.ages().get(0)).isEqualTo(new DryRun.AgeBucket(Duration.ofHours(1), 30));
		assertThat(dryRun.cautions()).first().isEqualTo("The maximum leaves out the newest 10 messages.");
		awaitParked(30);
		assertThat(this.messages.discard(discard(Selection.of(ParkedFilter.ALL), true)).count()).isEqualTo(30);
		awaitParked(30);
		assertThat(this.context.getBean(AuditLog.class).entries(AuditFilter.ALL, null, 10)).isEmpty();
	}

	@Test
	void whatCanNotBeDoneIsRefusedAndChangesNothing() {
		park(0, 5);
		Stream<ThrowingCallable> calls = Stream.of(
				() -> this.replays.job("replay-20260701-1'; drop table rabbit_retry_parked; --"),
				() -> this.replays.pause("replay-20260701-999999", ACT),
				() -> this.replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL.withQueue("other")),
						ReplayOptions.unthrottled(1), ACT)),
				() -> this.replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL.withReason("' or '1' = '1")),
						ReplayOptions.unthrottled(1), ACT)),
				() -> this.messages.editAndReplay(new EditRequest(-1, new byte[0], Map.of(), Set.of(), ACT)),
				() -> this.replays.jobs(null, 0));
		calls.forEach((call) -> assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(call));
		assertThat(this.replays.jobs(null, 10)).isEmpty();
		awaitParked(5);
	}

	@Test
	void whatAnInstanceWithAClockAheadParkedIsSelectedToo() {
		Map<String, Object> ahead = ParkedLot.envelope();
		ahead.put("x-app-parked-at", Instant.now().plusSeconds(240).toString());
		park(0, 3);
		this.broker.send(this.queue + ".parking-lot", TestBroker.json("m-3").headers(ahead).build(), "3");
		this.broker.send(this.queue + ".parking-lot", TestBroker.json("m-4").headers(ahead).build(), "4");
		awaitParked(5);
		DryRun dryRun = this.replays.dryRun(all(ReplayOptions.careful(20)));
		assertThat(dryRun.matching()).isEqualTo(5);
		assertThat(dryRun.ages().stream().mapToLong(DryRun.AgeBucket::count).sum()).isEqualTo(5);
		assertThat(this.messages.discard(discard(Selection.of(ParkedFilter.ALL), true)).count()).isEqualTo(5);
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10)));
		assertThat(job.counts().selected()).isEqualTo(5);
		awaitDecided(job, 5);
	}

	@Test
	void waitingCanariesTakeNoPlaceOfAReplayThatPublishes() {
		park(0, 60);
		stopListening();
		List<ReplayJob> canaries = new ArrayList<>();
		for (int number = 0; number < 5; number++) {
			List<Long> ids = ids(number * 10, 10);
			canaries.add(this.replays.start(new ReplayRequest(Selection.of(ids),
					ReplayOptions.unthrottled(10).withCanary(2, Duration.ofMinutes(10)), ACT)));
		}
		canaries.forEach((canary) -> Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.replays.job(canary.id()).counts().undecided() == 2));
		ReplayJob urgent = this.replays
			.start(new ReplayRequest(Selection.of(ids(50, 10)), ReplayOptions.unthrottled(10), ACT));
		await(urgent, ReplayJob.State.FINISHED);
		canaries.forEach((canary) -> assertThat(this.replays.job(canary.id()).state()).as("waits")
			.isEqualTo(ReplayJob.State.CANARY));
		this.context.getBean(RabbitListenerEndpointRegistry.class).start();
		canaries.forEach((canary) -> await(canary, ReplayJob.State.FINISHED));
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(60));
		assertThat(this.application.handledIds()).doesNotHaveDuplicates();
	}

	/** In the order in which they were parked. */
	private List<Long> ids(int from, int count) {
		List<Long> ids = this.ledger.search(ParkedFilter.ALL.withState(ParkedState.PARKED), null, 1_000)
			.messages()
			.stream()
			.sorted(Comparator.comparing(ParkedSummary::messageId,
					Comparator.comparingInt((id) -> Integer.parseInt(id.substring(2)))))
			.filter((message) -> Integer.parseInt(message.messageId().substring(2)) >= from)
			.limit(count)
			.map(ParkedSummary::id)
			.toList();
		assertThat(ids).hasSize(count);
		return ids;
	}

	@Test
	void theNextMessagesAreTheCanaryIfItsOwnAreNoLongerParked() {
		park(0, 10);
		ReplayWorker worker = this.context.getBean(ReplayWorker.class);
		worker.stop();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10).withCanary(3, Duration.ofSeconds(30))));
		ReplayJob nothing = this.replays.start(
				new ReplayRequest(Selection.of(places(job, 3)), ReplayOptions.careful(3), ACT).withTakeReserved(true));
		this.messages.discard(new DiscardRequest(Selection.of(places(job, 3)), 1_000, false, ACT, null, true));
		worker.start();
		await(job, ReplayJob.State.INCOMPLETE);
		assertThat(awaitDecided(job, 7).succeeded()).isEqualTo(7);
		assertThat(this.replays.job(job.id()).counts().skipped()).isEqualTo(3);
		assertThat(await(nothing, ReplayJob.State.INCOMPLETE).counts().skipped()).isEqualTo(3);
	}

	private List<Long> places(ReplayJob job, int count) {
		return this.replays.items(job.id(), null, 0, count).stream().map(ReplayItem::parkedId).toList();
	}

	@Test
	void whatADeadInstanceLeftOfAnAbortedReplayCanBeReplayedOnce() {
		park(0, 5);
		ReplayJob job = abortedWithTwoClaimed();
		assertThat(job.counts().uncertain()).isEqualTo(2);
		awaitParked(3);
		ReplayRequest again = new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(10), ACT,
				job.id());
		assertThat(this.replays.dryRun(again).wouldReplay()).isEqualTo(2);
		ReplayJob second = this.replays.start(again);
		assertThat(second.counts().selected()).isEqualTo(2);
		assertThat(second.selection()).isEqualTo("uncertain of %s: all".formatted(job.id()));
		await(second, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(second, 2).succeeded()).isEqualTo(2);
		assertThat(this.replays.job(job.id()).counts())
			.isEqualTo(new ReplayJob.Counts(5, 3, 0, 0, 0, 0, 0, 0, 0, 0, 2));
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.replays.start(again))
			.withMessageContaining("Nothing that is uncertain of " + job.id());
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.replays.restore(job.id(), ACT))
			.withMessageContaining("has no messages whose outcome is uncertain");
	}

	@Test
	void whatADeadInstanceHasClaimedIsRestoredOnceItsLeaseHasEnded() {
		park(0, 5);
		this.context.getBean(ReplayWorker.class).stop();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10)));
		Lease lease = twoClaimed(job, Duration.ofSeconds(5));
		this.replays.abort(job.id(), ACT);
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.replays.restore(job.id(), ACT))
			.withMessageContaining("2 messages of replay " + job.id() + " are claimed")
			.withMessageContaining("when its lease ends, within 30 s");
		Awaitility.await().until(lease::ended);
		assertThat(this.replays.restore(job.id(), ACT).counts().restored()).isEqualTo(2);
		this.context.getBean(ReplayWorker.class).start();
	}

	@Test
	void replaysOfAnotherApplicationAreSeenAndControlledAndNeverWorkedOn() {
		park(0, 5);
		String billing = ofAnotherApplication();
		assertThat(this.replays.jobs(null, 10)).extracting(ReplayJob::id, ReplayJob::application)
			.containsExactly(tuple(billing, "billing"));
		ReplayStores stores = this.context.getBean(ReplayStores.class);
		long number = StoredJob.number(billing).getAsLong();
		assertThat(stores.jobs().acquire(number, "one of orders", Duration.ofSeconds(30))).isEmpty();
		ReplayJob own = this.replays.start(all(ReplayOptions.unthrottled(3)).withTakeReserved(true));
		await(own, ReplayJob.State.FINISHED);
		assertThat(this.replays.jobs(null, 10)).extracting(ReplayJob::application).containsExactly("orders", "billing");
		assertThat(this.replays.pause(billing, ACT).state()).isEqualTo(ReplayJob.State.PAUSED);
		assertThat(this.replays.jobs(ReplayJob.State.PAUSED, 10)).extracting(ReplayJob::id).containsExactly(billing);
		assertThat(this.replays.changeRate(billing, 7.0, Duration.ZERO, ACT).options().rate()).isEqualTo(7.0);
		ReplayJob resumed = this.replays.resume(billing, ACT);
		assertThat(resumed.state()).isEqualTo(ReplayJob.State.RUNNING);
		assertThat(resumed.worker()).isNull();
		stores.tables().inTransaction(() -> stores.items().claim(stores.jobs().get(number), 0, 5));
		ReplayJob aborted = this.replays.abort(billing, ACT);
		assertThat(aborted.state()).isEqualTo(ReplayJob.State.ABORTED);
		assertThat(this.replays.job(billing).counts().uncertain()).isEqualTo(2);
		assertThat(this.context.getBean(AuditLog.class).entries(AuditFilter.of(billing), null, 10))
			.extracting(AuditEntry::what, AuditEntry::application)
			.containsExactly(tuple(AuditEntry.Action.ABORT, "orders"), tuple(AuditEntry.Action.RESUME, "orders"),
					tuple(AuditEntry.Action.CHANGE_RATE, "orders"), tuple(AuditEntry.Action.PAUSE, "orders"));
	}

	@Test
	void aReplayWhosePolicyIsGonePausesAndContinuesOnceItIsBack() {
		park(0, 5);
		MessagePolicies policies = this.context.getBean(MessagePolicies.class);
		List<MessagePolicy> all = List.copyOf(policies.all());
		ReplayWorker worker = this.context.getBean(ReplayWorker.class);
		worker.stop();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10)));
		try {
			policies.replace(List.of());
			worker.start();
			await(job, ReplayJob.State.PAUSED);
		}
		finally {
			policies.replace(all);
		}
		ReplayJob paused = this.replays.job(job.id());
		assertThat(paused.why()).isEqualTo(ReplayJob.StopReason.UNROUTABLE);
		assertThat(paused.counts().failed()).isZero();
		this.replays.resume(job.id(), ACT);
		await(job, ReplayJob.State.FINISHED);
		assertThat(this.replays.job(job.id()).counts().failed()).isZero();
	}

	/** A replay of the same messages that no instance works on. */
	private String ofAnotherApplication() {
		LedgerSchema schema = this.context.getBean(LedgerSchema.class);
		ReplayStores billing = new ReplayStores(schema, this.ledger, "billing", schema.clock());
		return billing.tables().inTransaction(() -> {
			StoredJob job = billing.jobs()
				.create("all", ReplayOptions.unthrottled(10), ACT, false, billing.clock().instant());
			billing.items().select(job.id(), new ParkedSelection(ParkedFilter.ALL), 10);
			return job.replayId();
		});
	}

	private Lease twoClaimed(ReplayJob job, Duration leased) {
		ReplayStores stores = this.context.getBean(ReplayStores.class);
		Lease lease = stores.jobs().acquire(StoredJob.number(job.id()).getAsLong(), "died", leased).orElseThrow();
		stores.tables().inTransaction(() -> stores.items().claim(stores.jobs().get(lease.jobId()), 0, 2));
		return lease;
	}

	private ReplayJob abortedWithTwoClaimed() {
		this.context.getBean(ReplayWorker.class).stop();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(10)));
		Awaitility.await().until(twoClaimed(job, Duration.ofMillis(1))::ended);
		this.replays.abort(job.id(), ACT);
		this.context.getBean(ReplayWorker.class).start();
		return this.replays.job(job.id());
	}

	@Test
	void whatIsUncertainCanBeParkedAgainAndDiscarded() {
		park(0, 5);
		ReplayJob running = this.replays
			.start(new ReplayRequest(Selection.of(ids(0, 1)), ReplayOptions.unthrottled(1), ACT));
		awaitDecided(running, 1);
		awaitParked(4);
		ReplayJob job = abortedWithTwoClaimed();
		ReplayJob restored = this.replays.restore(job.id(), ACT);
		assertThat(restored.counts()).isEqualTo(new ReplayJob.Counts(4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2));
		awaitParked(4);
		assertThat(audited(job)).containsExactly(AuditEntry.Action.RESTORE, AuditEntry.Action.ABORT,
				AuditEntry.Action.REPLAY);
		assertThat(this.messages.discard(discard(Selection.of(ParkedFilter.ALL), false)).count()).isEqualTo(4);
	}

	@Test
	void onlyWhatHasEndedIsUncertain() {
		park(0, 5);
		stopListening();
		ReplayJob job = this.replays.start(all(ReplayOptions.unthrottled(5).withCanary(1, Duration.ofMinutes(5))));
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.careful(1), ACT, job.id())))
			.withMessageContaining("is CANARY");
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays.restore("replay-20260701-999999", ACT));
	}

	@Test
	void whatIsParkedAgainCanBeReplayedAgain() {
		this.application.breakFor((message) -> true);
		park(0, 3);
		ReplayJob first = this.replays.start(all(ReplayOptions.unthrottled(10)));
		await(first, ReplayJob.State.FINISHED);
		assertThat(awaitDecided(first, 3).parkedAgain()).isEqualTo(3);
		awaitParked(3);
		this.application.breakFor((message) -> false);
		Instant before = Instant.now();
		ReplayJob second = this.replays.start(all(ReplayOptions.unthrottled(10)));
		assertThat(awaitDecided(second, 3).succeeded()).isEqualTo(3);
		// by the database's clock, whose distance is measured over a connection
		assertThat(second.cutOff()).isAfterOrEqualTo(before.minusSeconds(1));
		assertThat(this.application.handled().get(5).getMessageProperties().getHeaders())
			.containsEntry("x-app-replayed-count", 2)
			.containsEntry("x-original-death-count", 5)
			.containsEntry("x-app-replayed-first-failure-at", "2026-07-01T09:10:00Z")
			.containsEntry("x-replay-id", second.id());
		assertThat(new HashSet<>(this.application.handledIds())).hasSize(3);
	}

}
