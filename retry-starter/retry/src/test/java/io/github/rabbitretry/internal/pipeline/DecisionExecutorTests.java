/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.deadletter.ParkingHeaders;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.delivery.TestDelivery;
import io.github.rabbitretry.internal.logging.FailingLog;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.support.converter.SimpleMessageConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a decision begins, and what is reported at which moment of it.
 */
class DecisionExecutorTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final ConsumerIdentity IDENTITY = new ConsumerIdentity("worker", "worker:1.0");

	private static final Decision.Retry RETRY = new Decision.Retry(2, 2, Duration.ofSeconds(5), "LOCK_CONFLICT",
			FailureClass.CONTENTION);

	private final MessagePolicy policy = TestPolicy.order().build();

	private final FailureLog log = new FailureLog();

	private final List<String> events = new ArrayList<>();

	private final WaitingPlace place = new WaitingPlace();

	private final DecisionExecutor executor = new DecisionExecutor(new RetryHeaders(IDENTITY),
			new ParkingLotPublisher(new ParkingHeaders(IDENTITY), this.log),
			new RejectionEvents(new SimpleMessageConverter(), IDENTITY), this.log, new Recorder(), AttemptObserver.NONE,
			this.place);

	private final LongAdder inFlight = new LongAdder();

	private Delivery delivery = delivery(Map.of("x-app-retry-attempt", 1, "x-app-cumulative-delay", 1000L,
			"x-app-first-failure-at", "2026-07-01T11:59:00Z"));

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void aRetryIsReportedOnceItsCopyIsConfirmedAndNotBefore() {
		this.executor.settle(this.delivery, RETRY);
		assertThat(this.place.delay).isEqualTo(Duration.ofSeconds(5));
		assertThat(this.place.headers).containsEntry("x-app-retry-attempt", 2)
			.containsEntry("x-app-retry-delay", 5000L)
			.containsEntry("x-app-cumulative-delay", 6000L)
			.containsEntry("x-app-first-failure-at", "2026-07-01T11:59:00Z")
			.containsEntry("x-app-retry-history", "2026-07-01T12:00:00Z #2 LOCK_CONFLICT 5s worker");
		assertThat(this.events).isEmpty();
		this.place.callback.confirmed(Duration.ofMillis(3));
		assertThat(this.events).containsExactly("retried LOCK_CONFLICT", "handed over PT0.003S", "hand-over ended");
	}

	@Test
	void aHandOverThatIsAbandonedIsReportedAsReturnedAndIsNotInFlight() {
		this.executor.settle(this.delivery, RETRY);
		this.place.callback.abandoned();
		assertThat(this.events).containsExactly("returned", "hand-over ended");
		assertThat(this.inFlight.sum()).isZero();
	}

	@Test
	void aListenerThatFailsDoesNotKeepTheEndOfAHandOverFromBeingKnown() {
		this.executor.settle(this.delivery, RETRY);
		this.events.add("fail");
		assertThatIllegalStateException().isThrownBy(() -> this.place.callback.confirmed(Duration.ZERO));
		assertThat(this.events).containsExactly("fail", "hand-over ended");
	}

	@Test
	void whatHasNoRoomForTheHeadersOfARetryIsParked() {
		this.place.hasRoom = false;
		this.place.blocks = true;
		this.executor.settle(this.delivery, RETRY);
		this.executor.settle(this.delivery, new Decision.Postpone(NOW.plusSeconds(7)));
		assertThat(this.place.done).containsExactly("block HEADERS_TOO_LARGE", "block HEADERS_TOO_LARGE");
	}

	@Test
	void whatCanNotBePublishedAsItIsIsParkedForThat() {
		this.place.hasRoom = false;
		this.place.blocks = true;
		this.executor.settle(delivery(Map.of("unpublishable", new Object())), RETRY);
		assertThat(this.place.done).containsExactly("block UNPUBLISHABLE");
	}

	@Test
	void aPostponedMessageWaitsAsItIs() {
		this.executor.settle(this.delivery, new Decision.Postpone(NOW.plusSeconds(7)));
		assertThat(this.place.delay).isEqualTo(Duration.ofSeconds(7));
		assertThat(this.place.headers).containsEntry("x-app-retry-attempt", 1).doesNotContainKey("x-app-origin-queue");
		this.place.callback.confirmed(Duration.ZERO);
		assertThat(this.events).containsExactly("postponed", "handed over PT0S", "hand-over ended");
	}

	@Test
	void theAgeOfAPostponedMessageBeginsNowIfNoHeaderSaysWhen() {
		this.executor.settle(delivery(Map.of("x-app-retry-attempt", 1)), new Decision.Postpone(NOW.plusSeconds(7)));
		assertThat(this.place.headers).containsEntry("x-app-first-failure-at", NOW.toString());
		this.executor.settle(this.delivery, new Decision.Throttle(NOW.plusSeconds(9), "LOCK_CONFLICT"));
		assertThat(this.place.headers).containsEntry("x-app-first-failure-at", "2026-07-01T11:59:00Z");
		this.executor.settle(delivery(Map.of()), new Decision.Postpone(NOW.plusSeconds(7)));
		assertThat(this.place.headers).as("it has not failed").doesNotContainKey("x-app-first-failure-at");
	}

	@Test
	void aMessageThatIsPostponedBeforeItsFirstFailureTellsWhereItCameFrom() {
		this.executor.settle(delivery(Map.of()), new Decision.Postpone(NOW.plusSeconds(7)));
		assertThat(this.place.headers).containsEntry("x-app-origin-queue", "order")
			.containsEntry("x-app-origin-exchange", "orders");
	}

	@Test
	void aThrottledMessageCountsItsNextWaitFromThisOne() {
		this.executor.settle(this.delivery, new Decision.Throttle(NOW.plusSeconds(9), "LOCK_CONFLICT"));
		assertThat(this.place.delay).isEqualTo(Duration.ofSeconds(9));
		assertThat(this.place.headers).containsEntry("x-app-retry-delay", 9000L);
		this.place.callback.confirmed(Duration.ZERO);
		assertThat(this.events).startsWith("postponed", "throttled");
	}

	@Test
	void aDiscardedMessageIsAcknowledged() {
		this.executor.settle(this.delivery, new Decision.Discard("STALE_COMMAND", FailureClass.PERMANENT_BUSINESS));
		assertThat(this.delivery.acknowledgement().settled()).isTrue();
		assertThat(this.events).containsExactly("discarded STALE_COMMAND");
	}

	@Test
	void aDiscardedMessageIsReportedEvenIfTheAuditLogFails() {
		this.delivery = delivery(Map.of("x-replay-id", "r-1", "x-replay-item", 7L));
		try (FailingLog audit = new FailingLog("io.github.rabbitretry.audit")) {
			assertThatIllegalStateException().isThrownBy(() -> this.executor.settle(this.delivery,
					new Decision.Discard("STALE_COMMAND", FailureClass.PERMANENT_BUSINESS)));
		}
		assertThat(this.events).containsExactly("discarded STALE_COMMAND", "replayed DISCARDED");
	}

	@Test
	void aMessageThatTheBrokerHasAgainIsNotReportedAsDiscarded() {
		this.delivery.acknowledgement().giveBack();
		this.executor.settle(this.delivery, new Decision.Discard("STALE_COMMAND", FailureClass.PERMANENT_BUSINESS));
		assertThat(this.events).containsExactly("returned");
	}

	@Test
	void aReturnedMessageIsGivenBackAndNotInFlight() {
		this.executor.settle(this.delivery, new Decision.Return("SHUTDOWN"));
		assertThat(this.place.done).containsExactly("give back");
		assertThat(this.events).containsExactly("returned");
		assertThat(this.inFlight.sum()).isZero();
	}

	@Test
	void aMessageThatKeepsItsPlaceBlocksItsQueueInsteadOfBeingParked() {
		this.place.blocks = true;
		this.executor.settle(this.delivery,
				new Decision.Park("VALIDATION_FAILED", FailureClass.PERMANENT_TECHNICAL, "VALIDATION_FAILED"));
		assertThat(this.place.done).containsExactly("block VALIDATION_FAILED");
		assertThat(this.events).containsExactly("returned");
		assertThat(this.inFlight.sum()).isZero();
	}

	@Test
	void aRejectedMessageWithoutATargetForItsEventIsParked() {
		this.place.blocks = true;
		this.executor.settle(this.delivery, new Decision.Reject("NO_CREDIT", FailureClass.PERMANENT_BUSINESS, null));
		assertThat(this.place.done).containsExactly("block NO_CREDIT");
	}

	private Delivery delivery(Map<String, Object> headers) {
		ReceivedMessage received = new ReceivedMessage(
				new BasicProperties.Builder().messageId("m-1").headers(headers).build(), new byte[0], "orders",
				"order.create", "order");
		Delivery made = TestDelivery.of(this.policy, received, DeliveryHistory.read(headers, NOW),
				new IllegalStateException("locked"), NOW);
		made.acknowledgement().received(this.inFlight);
		return made;
	}

	/** Notes what is to wait, and whether there is a place for it. */
	private final class WaitingPlace implements Redelivery {

		private final List<String> done = new ArrayList<>();

		private boolean hasRoom = true;

		private boolean blocks;

		private @Nullable Duration delay;

		private @Nullable ConfirmCallback callback;

		private Map<String, Object> headers = Map.of();

		@Override
		public boolean begin(Delivery delivery, Duration delay, Map<String, Object> headers, ConfirmCallback callback) {
			this.delay = delay;
			this.headers = new HashMap<>(headers);
			this.callback = callback;
			return this.hasRoom;
		}

		@Override
		public boolean blocks() {
			return this.blocks;
		}

		@Override
		public void block(Delivery delivery, String reason) {
			this.done.add("block " + reason);
		}

		@Override
		public void giveBack(Delivery delivery) {
			this.done.add("give back");
		}

		@Override
		public Fallback whenNotSettled(Delivery delivery, boolean redelivered) {
			return Fallback.GIVE_BACK;
		}

		@Override
		public void handoverEnded() {
			DecisionExecutorTests.this.events.add("hand-over ended");
		}

	}

	private final class Recorder implements DeliveryListener {

		@Override
		public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
			if (DecisionExecutorTests.this.events.contains("fail")) {
				throw new IllegalStateException("a listener that fails");
			}
			DecisionExecutorTests.this.events.add("retried " + reason);
		}

		@Override
		public void postponed(String messageType) {
			DecisionExecutorTests.this.events.add("postponed");
		}

		@Override
		public void throttled(String messageType) {
			DecisionExecutorTests.this.events.add("throttled");
		}

		@Override
		public void discarded(String messageType, String reason) {
			DecisionExecutorTests.this.events.add("discarded " + reason);
		}

		@Override
		public void replayEnded(String messageType, ReplayReference replay, ReplayReference.Outcome outcome) {
			DecisionExecutorTests.this.events.add("replayed " + outcome);
		}

		@Override
		public void returned(String messageType) {
			DecisionExecutorTests.this.events.add("returned");
		}

		@Override
		public void handedOver(String messageType, Duration elapsed) {
			DecisionExecutorTests.this.events.add("handed over " + elapsed);
		}

	}

}
