/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.policy.MessagePolicies;
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
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What keeps operators from harming each other, and themselves, whatever the database.
 */
abstract class OperatorActsContract extends OperatedService {

	private static final OperatorAction ACT = new OperatorAction("ops-user-123", "GATEWAY_IS_BACK");

	private void park(int from, int to) {
		park(from, to, to);
	}

	private static ReplayRequest all() {
		return new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(1_000), ACT);
	}

	private static DiscardRequest discardAll(boolean dryRun) {
		return new DiscardRequest(Selection.of(ParkedFilter.ALL), 1_000, dryRun, ACT);
	}

	private static DiscardRequest discardAll(Expectation expected) {
		return new DiscardRequest(Selection.of(ParkedFilter.ALL), 1_000, false, ACT, expected, false);
	}

	/** One that has selected messages and publishes none of them. */
	private ReplayJob waiting(Selection selection) {
		this.context.getBean(ReplayWorker.class).stop();
		return this.replays.start(new ReplayRequest(selection, ReplayOptions.unthrottled(1_000), ACT));
	}

	private ReplayJob await(ReplayJob job, ReplayJob.State state) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.replays.job(job.id()), (now) -> now.state() == state);
	}

	private List<Long> ids(int count) {
		return this.ledger.search(ParkedFilter.ALL.withState(ParkedState.PARKED), null, count)
			.messages()
			.stream()
			.map(ParkedSummary::id)
			.toList();
	}

	@Test
	void aDiscardLeavesOutWhatAReplayHasSelectedAndSaysSo() {
		park(0, 20);
		ReplayJob job = waiting(Selection.of(ids(15)));
		assertThat(this.messages.discard(discardAll(true)).preview().reserved())
			.containsExactly(new Preview.Reservation(job.id(), ReplayJob.State.RUNNING, "ops-user-123", 15));
		Discarded discarded = this.messages.discard(discardAll(false));
		assertThat(discarded.count()).isEqualTo(5);
		assertThat(discarded.reserved()).isEqualTo(15);
		this.context.getBean(ReplayWorker.class).start();
		ReplayJob finished = await(job, ReplayJob.State.FINISHED);
		assertThat(finished.counts().skipped()).isZero();
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(15));
	}

	@Test
	void whatAReplayHasSelectedIsLeftAloneByEverybodyElse() {
		park(0, 3);
		ReplayJob job = waiting(Selection.of(ParkedFilter.ALL));
		long one = ids(1).get(0);
		Stream
			.<ThrowingCallable>of(() -> this.messages.discard(discardAll(false)), () -> this.replays.start(all()),
					() -> this.messages.discard(new DiscardRequest(Selection.of(List.of(one)), 1, false, ACT)),
					() -> this.messages.editAndReplay(new EditRequest(one, new byte[0], Map.of(), Set.of(), ACT)))
			.forEach((act) -> assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(act)
				.withMessageContaining(job.id() + ", which is RUNNING")
				.withMessageContaining("takeReserved"));
		DryRun dryRun = this.replays.dryRun(all());
		assertThat(dryRun.wouldReplay()).isZero();
		assertThat(dryRun.cautions()).first()
			.isEqualTo("Messages are left out, since other replays have selected them: 3 by %s, which is RUNNING."
				.formatted(job.id()));
		assertThat(count(ParkedState.PARKED)).isEqualTo(3);
	}

	@Test
	void aReplayWhoseMessagesWereTakenIsIncompleteAndSaysWhereTheyAre() {
		park(0, 10);
		ReplayJob job = waiting(Selection.of(ParkedFilter.ALL));
		List<Long> taken = ids(4);
		assertThat(this.messages.discard(new DiscardRequest(Selection.of(taken), 10, false, ACT, null, true)).count())
			.isEqualTo(4);
		this.context.getBean(ReplayWorker.class).start();
		ReplayJob incomplete = await(job, ReplayJob.State.INCOMPLETE);
		assertThat(incomplete.why()).isEqualTo(ReplayJob.StopReason.MESSAGES_SKIPPED);
		assertThat(incomplete.detail()).isEqualTo("4 of 10 messages were no longer parked when their turn came");
		assertThat(incomplete.endedAt()).isNotNull();
		assertThat(this.replays.items(job.id(), ReplayItem.State.SKIPPED, 0, 10)).hasSize(4)
			.allSatisfy((item) -> assertThat(item.detail()).isEqualTo("it was discarded"));
	}

	@Test
	void whatWasTakenTakesNothingOfTheRate() {
		park(0, 801);
		ReplayJob job = waiting(Selection.of(ParkedFilter.ALL));
		// all but the last of the job, which begins with the oldest
		List<Long> taken = ids(801).subList(1, 801);
		this.messages.discard(new DiscardRequest(Selection.of(taken), 800, false, ACT, null, true));
		this.replays.changeRate(job.id(), 1.0, Duration.ZERO, ACT);
		this.context.getBean(ReplayWorker.class).start();
		assertThat(await(job, ReplayJob.State.INCOMPLETE).counts().skipped()).isEqualTo(800);
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(1));
	}

	@Test
	void aJobStoppedHalfwayIsContinuedWithTheRestOfIt() {
		park(0, 20);
		ReplayJob first = waiting(Selection.of(ParkedFilter.ALL));
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays.start(all().withRestOf(first.id())))
			.withMessageContaining("is RUNNING");
		this.replays.changeRate(first.id(), 20.0, Duration.ZERO, ACT);
		this.context.getBean(ReplayWorker.class).start();
		Awaitility.await().until(() -> this.application.handled().size() > 2);
		this.replays.abort(first.id(), ACT);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.replays.job(first.id()).worker() == null);
		long left = this.replays.job(first.id()).counts().waiting();
		assertThat(left).isBetween(1L, 19L);
		park(100, 101, left + 1);
		ReplayRequest rest = all().withRestOf(first.id());
		assertThat(this.replays.dryRun(rest).wouldReplay()).isEqualTo(left);
		ReplayJob second = this.replays.start(rest);
		assertThat(second.selection()).isEqualTo("rest of %s: all".formatted(first.id()));
		assertThat(await(second, ReplayJob.State.FINISHED).counts().selected()).isEqualTo(left);
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(20));
		assertThat(this.application.handledIds()).doesNotHaveDuplicates().doesNotContain("m-100");
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.replays.start(rest))
			.withMessageContaining("Nothing that is left of " + first.id());
	}

	@Test
	void theRateOfARunningReplayCanBeChanged() {
		park(0, 200);
		ReplayJob job = this.replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
				ReplayOptions.unthrottled(1_000).withRate(0.2, Duration.ZERO), ACT));
		assertThat(this.replays.changeRate(job.id(), null, Duration.ZERO, ACT).options().rate()).isNull();
		await(job, ReplayJob.State.FINISHED);
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(200));
		AuditEntry change = this.context.getBean(AuditLog.class).entries(AuditFilter.of(job.id()), null, 10).get(1);
		assertThat(change.what()).isEqualTo(AuditEntry.Action.CHANGE_RATE);
		assertThat(change.outcome()).isEqualTo("from 0.2 per second to unlimited");
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays.changeRate(job.id(), 1.0, Duration.ZERO, ACT))
			.withMessageContaining("is FINISHED");
	}

	@Test
	void whatWasDiscardedCanBeRestoredAndReplayed() {
		park(0, 6);
		List<Long> some = ids(4);
		Discarded discarded = this.messages.discard(new DiscardRequest(Selection.of(some), 10, false, ACT));
		this.messages.discard(discardAll(false));
		assertThat(count(ParkedState.DISCARDED)).isEqualTo(6);
		RestoreRequest restore = new RestoreRequest(Selection.of(ParkedFilter.ALL), discarded.auditId(), 10, true, ACT,
				null);
		Discarded tried = this.messages.restore(restore);
		assertThat(tried.count()).isEqualTo(4);
		assertThat(tried.preview().samples()).extracting(ParkedSummary::id).isSubsetOf(some);
		assertThat(count(ParkedState.DISCARDED)).isEqualTo(6);
		assertThat(this.messages
			.restore(new RestoreRequest(Selection.of(ParkedFilter.ALL), discarded.auditId(), 10, false, ACT, null))
			.count()).isEqualTo(4);
		assertThat(ids(10)).containsExactlyInAnyOrderElementsOf(some);
		assertThat(count(ParkedState.DISCARDED)).isEqualTo(2);
		AuditEntry entry = this.context.getBean(AuditLog.class).entries(AuditFilter.ALL, null, 1).get(0);
		assertThat(entry.what()).isEqualTo(AuditEntry.Action.RESTORE);
		assertThat(entry.selection()).isEqualTo("discarded by audit entry %d: all".formatted(discarded.auditId()));
		await(this.replays.start(all()), ReplayJob.State.FINISHED);
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).hasSize(4));
	}

	@Test
	void whatDiscardedNothingIsRefusedToBeRestored() {
		park(0, 2);
		long discard = this.messages.discard(discardAll(false)).auditId();
		long restored = this.messages.restore(restore(discard)).auditId();
		discard = this.messages.discard(discardAll(false)).auditId();
		for (long entry : List.of(restored, discard + 1000)) {
			assertThatExceptionOfType(ReplayRefusedException.class)
				.isThrownBy(() -> this.messages.restore(restore(entry)))
				.withMessageContaining("Audit entry %d is not a discard".formatted(entry));
		}
		long last = discard;
		assertThat(this.messages.restore(restore(last)).count()).isEqualTo(2);
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> this.messages.restore(restore(last)))
			.withMessageContaining("Audit entry %d has no discarded messages left".formatted(last));
		assertThat(count(ParkedState.PARKED)).isEqualTo(2);
	}

	private static RestoreRequest restore(long discard) {
		return restore(discard, null);
	}

	private static RestoreRequest restore(long discard, @Nullable Expectation expected) {
		return new RestoreRequest(Selection.of(ParkedFilter.ALL), discard, 10, false, ACT, expected);
	}

	@Test
	void moreMessagesThanExpectedAreRefusedAndNothingIsDone() {
		park(0, 3);
		Preview discard = this.messages.discard(discardAll(true)).preview();
		Preview replay = this.replays.dryRun(all()).preview();
		assertThat(discard.count()).isEqualTo(3);
		assertThat(discard.samples()).hasSize(3);
		assertThat(discard.owners()).isEqualTo(Map.of("team-orders", 3L));
		park(3, 4);
		for (Expectation expected : List.of(Expectation.of(3), Expectation.parse(discard.token()))) {
			assertThatExceptionOfType(ReplayRefusedException.class)
				.isThrownBy(() -> this.messages.discard(discardAll(expected)))
				.withMessageContaining("4 messages match now, 3 were expected");
		}
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.replays.start(all().withExpected(Expectation.parse(replay.token()))))
			.withMessageContaining("4 messages match now, 3 were expected");
		assertThat(this.replays.jobs(null, 10)).isEmpty();
		assertThat(count(ParkedState.PARKED)).isEqualTo(4);
		assertThat(this.messages.discard(discardAll(Expectation.of(4))).count()).isEqualTo(4);
	}

	@Test
	void moreMessagesThanExpectedAreNotRestored() {
		park(0, 3);
		long discard = this.messages.discard(discardAll(false)).auditId();
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> this.messages.restore(restore(discard, Expectation.of(2))))
			.withMessageContaining("3 messages match now, 2 were expected");
		assertThat(count(ParkedState.DISCARDED)).isEqualTo(3);
		assertThat(this.messages.restore(restore(discard, Expectation.of(3))).count()).isEqualTo(3);
	}

	@Test
	void aTokenIsOfItsOwnSelectionOnly() {
		park(0, 2);
		String token = this.messages.discard(discardAll(true)).preview().token();
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(
					() -> this.messages.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL.withMessageId("m-0")),
							10, false, ACT, Expectation.parse(token), false)))
			.withMessageContaining("of other messages");
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> Expectation.parse("many"))
			.withMessageContaining("expect");
		assertThat(this.messages.discard(discardAll(Expectation.parse(token))).count()).isEqualTo(2);
	}

	@Test
	void whatIsDoneByTypeTimeOrPartOfATextIsDoneToNothingElse() {
		park(0, 3);
		Instant longAgo = Instant.now().minus(Duration.ofHours(3));
		Map<String, Object> other = ParkedLot.envelope();
		other.putAll(Map.of("x-app-parked-at", longAgo.toString(), "x-app-message-type", "Refund",
				"x-app-root-exception", "com.acme.CardException", "x-app-root-exception-message", "Card is expired"));
		this.broker.send(this.queue + ".parking-lot", TestBroker.json("m-3").headers(other).build(), "3");
		awaitParked(4);
		ParkedFilter old = ParkedFilter.ALL.withParkedFrom(longAgo.minusSeconds(1))
			.withParkedBefore(longAgo.plusSeconds(1));
		for (ParkedFilter filter : List.of(ParkedFilter.ALL.withText("card IS"), old,
				ParkedFilter.ALL.withMessageType("Refund"))) {
			Selection one = Selection.of(filter);
			String token = this.messages.discard(new DiscardRequest(one, 10, true, ACT)).preview().token();
			Expectation expected = Expectation.parse(token);
			assertThatExceptionOfType(ReplayRefusedException.class)
				.isThrownBy(() -> this.messages.discard(
						new DiscardRequest(Selection.of(filter.withText("order")), 10, false, ACT, expected, false)))
				.withMessageContaining("of other messages");
			Discarded discarded = this.messages.discard(new DiscardRequest(one, 10, false, ACT, expected, false));
			assertThat(discarded.count()).isOne();
			assertThat(count(ParkedState.PARKED)).isEqualTo(3);
			assertThat(this.messages.restore(new RestoreRequest(one, null, 10, false, ACT, null)).count()).isOne();
			DryRun dryRun = this.replays
				.dryRun(new ReplayRequest(one, ReplayOptions.unthrottled(10), ACT).withExpected(expected));
			assertThat(dryRun.wouldReplay()).isOne();
			assertThat(dryRun.ages().stream().mapToLong(DryRun.AgeBucket::count).sum()).isOne();
		}
		ReplayJob job = this.replays
			.start(new ReplayRequest(Selection.of(old.withText("card")), ReplayOptions.unthrottled(10), ACT));
		assertThat(job.selection()).endsWith(", text=card");
		await(job, ReplayJob.State.FINISHED);
		Awaitility.await().untilAsserted(() -> assertThat(this.application.handledIds()).containsExactly("m-3"));
		assertThat(count(ParkedState.PARKED)).isEqualTo(3);
	}

	/** What others do after it was looked at and before it is changed. */
	private ReplayService after(Runnable theOthers) {
		InstantSource clock = () -> {
			CompletableFuture.runAsync(theOthers).join();
			return Instant.now();
		};
		ReplayStores stores = new ReplayStores(this.context.getBean(LedgerSchema.class), this.ledger, "orders", clock);
		return new DefaultReplayService(stores, this.context.getBean(MessagePolicies.class),
				this.context.getBean(DryRunReader.class), this.context.getBean(ReplayWorker.class));
	}

	@Test
	void anAbortThatMeetsAPauseAbortsWhatIsPaused() {
		park(0, 3);
		ReplayJob job = waiting(Selection.of(ids(3)));
		AtomicBoolean paused = new AtomicBoolean();
		ReplayService replays = after(() -> {
			if (paused.compareAndSet(false, true)) {
				this.replays.pause(job.id(), ACT);
			}
		});
		assertThat(replays.abort(job.id(), ACT).state()).isEqualTo(ReplayJob.State.ABORTED);
		assertThat(paused).isTrue();
	}

	@Test
	void anAbortThatMeetsAnotherOneSaysThatTheReplayHasEnded() {
		park(0, 3);
		ReplayJob job = waiting(Selection.of(ids(3)));
		AtomicBoolean aborted = new AtomicBoolean();
		ReplayService replays = after(() -> {
			if (aborted.compareAndSet(false, true)) {
				this.replays.abort(job.id(), ACT);
			}
		});
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> replays.abort(job.id(), ACT))
			.withMessageContainingAll("Replay " + job.id() + " is ABORTED and can't be aborted", "It has ended",
					"replay --rest-of " + job.id());
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(() -> replays.resume(job.id(), ACT))
			.withMessageContainingAll("is ABORTED and can't be resumed", "replay --rest-of " + job.id());
	}

	@Test
	void whoTookAMessageIsKnown() {
		park(0, 2);
		List<Long> ids = ids(2);
		assertThat(this.messages.removal(ids.get(0))).isEqualTo(ParkedMessageService.Removal.NONE);
		long audit = this.messages.discard(new DiscardRequest(Selection.of(ids.subList(0, 1)), 1, false, ACT))
			.auditId();
		assertThat(this.messages.removal(ids.get(0))).isEqualTo(new ParkedMessageService.Removal(null, audit));
		ReplayJob job = this.replays
			.start(new ReplayRequest(Selection.of(ids.subList(1, 2)), ReplayOptions.unthrottled(1), ACT));
		await(job, ReplayJob.State.FINISHED);
		assertThat(this.messages.removal(ids.get(1))).isEqualTo(new ParkedMessageService.Removal(job.id(), null));
		assertThat(this.messages.removal(Long.MAX_VALUE)).isEqualTo(ParkedMessageService.Removal.NONE);
	}

}
