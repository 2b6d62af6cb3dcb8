/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.handler.RetryLaterException;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class AskingFromTheHandlerTests {

	private static final RejectionTarget EVENTS = new RejectionTarget("events", "order.rejected", true);

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void aRetryAfterAnyDelayIsMadeWithoutLocalAttempts() {
		throwing(TestPolicy.order().localAttempts(3),
				RetryLaterException.after(Duration.ofMinutes(10))
					.because("BUREAU_CLOSED")
					.causedBy(new SocketTimeoutException()));
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(copy().headers()).containsEntry("x-app-retry-delay", 600_000L)
			.containsEntry("x-app-retry-reason", "BUREAU_CLOSED")
			.containsEntry("x-app-retry-class", "transient")
			.containsEntry("x-app-retry-level", 0)
			.containsEntry("x-app-retry-attempt", 1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried BUREAU_CLOSED", 1));
	}

	@Test
	void aRetryMayBeShorterThanTheBackOff() {
		throwing(TestPolicy.order(), RetryLaterException.after(Duration.ofMillis(1500)));
		this.owned.deliver(Map.of("x-app-retry-attempt", 2, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(copy().headers()).containsEntry("x-app-retry-delay", 1500L)
			.containsEntry("x-app-retry-reason", "RETRY_LATER");
	}

	@Test
	void aRetryAtALevelAndAtTheNextOne() {
		AtomicInteger call = new AtomicInteger();
		this.owned.start(TestPolicy.order().build(), (message) -> {
			throw (call.getAndIncrement() == 0) ? RetryLaterException.atLevel(2) : RetryLaterException.nextLevel();
		});
		this.owned.deliver();
		assertThat(copy().headers()).containsEntry("x-app-retry-level", 2).containsEntry("x-app-retry-delay", 2000L);
		this.owned.deliver(Map.of("x-app-retry-attempt", 1, "x-app-retry-level", 2, "x-app-first-failure-at",
				"2026-07-01T11:59:00Z"));
		assertThat(this.owned.channel().published().get(1).headers()).containsEntry("x-app-retry-level", 3)
			.containsEntry("x-app-retry-attempt", 2)
			.containsEntry("x-app-retry-delay", 4000L);
	}

	@Test
	void whatIsAskedForIsHeardThroughWrappersToo() {
		throwing(TestPolicy.order().localAttempts(3), new IllegalStateException(
				new ListenerExecutionFailedException("no", ParkMessageException.because("NO_SUCH_CUSTOMER"))));
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(copy().routingKey()).isEqualTo("order.parking-lot");
		assertThat(copy().headers()).containsEntry("x-app-retry-reason", "NO_SUCH_CUSTOMER")
			.containsEntry("x-app-retry-class", "permanent-business");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked NO_SUCH_CUSTOMER", 1));
	}

	@Test
	void budgetsHoldForWhatIsAskedFor() {
		throwing(TestPolicy.order(), RetryLaterException.after(Duration.ofSeconds(1)));
		this.owned.deliver(Map.of("x-app-retry-attempt", 3, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_BUDGET_EXHAUSTED", 1));
	}

	@Test
	void aStaleCommandIsDiscardedAndTheAuditTellsOfIt(CapturedOutput output) {
		throwing(TestPolicy.order(), DiscardMessageException.asStale());
		this.owned.deliver();
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "discarded STALE_COMMAND", 1));
		assertThat(output.getOut().lines().filter((line) -> line.contains("io.github.rabbitretry.audit")))
			.singleElement()
			.asString()
			.endsWith(
					"discarded messageType='Order' messageId='m-1' reason=STALE_COMMAND attempt=0 owner='team-orders'");
	}

	@Test
	void aReasonThatIsDiscardedByThePolicyIsAuditedToo(CapturedOutput output) {
		throwing(TestPolicy.order().discardOn("DOWNSTREAM_TIMEOUT"), new SocketTimeoutException());
		this.owned.deliver();
		assertThat(output).contains("discarded messageType='Order' messageId='m-1' reason=DOWNSTREAM_TIMEOUT");
	}

	@Test
	void aRejectionPublishesItsEventAndThenAcknowledges(CapturedOutput output) {
		this.owned.converter(new JacksonJsonMessageConverter());
		throwing(TestPolicy.order().rejection(EVENTS).localAttempts(3),
				RejectMessageException.because("CREDIT_REFUSED").with(new Refused("secret-4711")));
		this.owned.deliver(Map.of("traceparent", "00-abc", "tenant", 7, "x-app-retry-attempt", 2,
				"x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-origin-exchange", "order.command",
				"x-app-origin-message-id", "m-0"));
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		RecordingChannel.Published event = copy();
		assertThat(event.exchange()).isEqualTo("events");
		assertThat(event.routingKey()).isEqualTo("order.rejected");
		assertThat(event.mandatory()).isTrue();
		assertThat(new String(event.body(), StandardCharsets.UTF_8)).isEqualTo("{\"why\":\"secret-4711\"}");
		assertThat(event.properties().getContentType()).isEqualTo("application/json");
		assertThat(event.properties().getDeliveryMode()).isEqualTo(2);
		assertThat(event.properties().getCorrelationId()).isEqualTo("m-0");
		assertThat(event.properties().getMessageId()).hasSize(36);
		assertThat(event.headers()).containsEntry("x-app-rejection-reason", "CREDIT_REFUSED")
			.containsEntry("x-app-rejection-class", "permanent-business")
			.containsEntry("x-app-rejected-at", "2026-07-01T12:00:00Z")
			.containsEntry("x-app-rejected-by", "worker")
			.containsEntry("x-app-rejected-type", "Order")
			.containsEntry("x-app-rejected-attempt", 2)
			.containsEntry("x-app-rejected-message-id", "m-0")
			.containsEntry("x-app-rejected-queue", "order")
			.containsEntry("x-app-rejected-exchange", "order.command")
			.doesNotContainKey("tenant")
			.hasEntrySatisfying("traceparent", (value) -> assertThat(value).hasToString("00-abc"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1, "rejected CREDIT_REFUSED", 1));
		assertThat(output).contains("rejected messageType='Order' messageId='m-1' reason=CREDIT_REFUSED attempt=2")
			.doesNotContain("secret-4711");
	}

	@Test
	void anEventIsNotTakenForARetryByWhoeverConsumesIt() {
		throwing(TestPolicy.order().rejection(EVENTS), RejectMessageException.because("CREDIT_REFUSED"));
		this.owned.deliver(Map.of("tenant", 7, "x-app-retry-attempt", 2, "x-app-retry-level", 2, "x-app-cost", 5L,
				"x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-origin-queue", "order", "x-app-tenant", 8));
		RecordingChannel.Published event = copy();
		assertThat(new String(event.body(), StandardCharsets.UTF_8)).isEqualTo("{}");
		assertThat(event.headers()).containsEntry("tenant", 7)
			.containsEntry("x-app-tenant", 8)
			.doesNotContainKeys("x-app-retry-attempt", "x-app-retry-level", "x-app-cost", "x-app-first-failure-at",
					"x-app-origin-queue", "x-app-origin-message-id");
	}

	@Test
	void theSameMessageRejectedTwiceGivesTheSameIdButNotItsOwn() {
		throwing(TestPolicy.order().rejection(EVENTS), RejectMessageException.because("CREDIT_REFUSED"));
		this.owned.deliver();
		this.owned.redeliver(Map.of());
		List<String> ids = this.owned.channel()
			.published()
			.stream()
			.map((event) -> event.properties().getMessageId())
			.toList();
		assertThat(ids).hasSize(2).doesNotContain("m-1");
		assertThat(ids.get(0)).isEqualTo(ids.get(1));
	}

	@Test
	void whereNobodyHasToListenTheEventIsNotMandatory() {
		throwing(TestPolicy.order().rejection(new RejectionTarget("events", "no", false)),
				RejectMessageException.because("CREDIT_REFUSED"));
		this.owned.deliver();
		assertThat(copy().mandatory()).isFalse();
	}

	@Test
	void anEventThatCannotBeConvertedParksTheMessage(CapturedOutput output) {
		throwing(TestPolicy.order().rejection(EVENTS),
				RejectMessageException.because("CREDIT_REFUSED").with(new Refused("secret-4711")));
		this.owned.deliver();
		assertThat(copy().routingKey()).isEqualTo("order.parking-lot");
		assertThat(copy().headers()).containsEntry("x-app-retry-reason", "EVENT_CONVERSION_FAILED")
			.containsEntry("x-app-failure-reason", "CREDIT_REFUSED");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked EVENT_CONVERSION_FAILED", 1));
		assertThat(output).contains("can't be converted").doesNotContain("secret-4711");
	}

	@Test
	void aRejectionWithoutATargetIsParkedWithAWordOnWhatToSet(CapturedOutput output) {
		throwing(TestPolicy.order().localAttempts(3), RejectMessageException.because("CREDIT_REFUSED"));
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked CREDIT_REFUSED", 1));
		assertThat(copy().headers()).containsEntry("x-app-retry-class", "permanent-business");
		assertThat(output).contains("set rabbit-retry.message-policies.Order.rejection.exchange");
	}

	@Test
	void aReturnedDeliveryGoesBackOnceAndThenThroughTheRing() {
		throwing(TestPolicy.order().localAttempts(3), ReturnMessageException.toQueue());
		this.owned.deliver();
		assertThat(this.owned.channel().settled()).containsExactly("nack requeue");
		assertThat(this.owned.channel().published()).isEmpty();
		this.owned.redeliver(Map.of());
		assertThat(this.owned.calls()).isEqualTo(2);
		assertThat(this.owned.channel().settled()).containsExactly("nack requeue", "ack");
		assertThat(copy().headers()).containsEntry("x-app-retry-reason", "RETURNED")
			.containsEntry("x-app-retry-attempt", 1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "returned", 1, "retried RETURNED", 1));
	}

	@Test
	void whatIsSpentAddsUpOverLocalAttemptsAndTravelsWithTheMessage() {
		this.owned.start(TestPolicy.order().localAttempts(2).maxDownstreamCalls(10L).maxCost(100L).build(),
				(message) -> {
					RetryContext context = RetryContext.current().orElseThrow();
					context.spendDownstreamCall();
					context.spendCost(20);
					throw new SocketTimeoutException();
				});
		this.owned.deliver(Map.of("x-app-downstream-calls", 3L, "x-app-cost", 7L, "x-app-retry-attempt", 1,
				"x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(this.owned.calls()).isEqualTo(2);
		assertThat(copy().routingKey()).isEqualTo("order.retry.2s");
		assertThat(copy().headers()).containsEntry("x-app-downstream-calls", 5L).containsEntry("x-app-cost", 47L);
	}

	@Test
	void aBudgetThatIsUsedUpEndsLocalAttemptsAndBrokerAttempts() {
		this.owned.start(TestPolicy.order().localAttempts(5).maxDownstreamCalls(2L).build(), (message) -> {
			RetryContext.current().orElseThrow().spendDownstreamCall();
			throw new SocketTimeoutException();
		});
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(2);
		assertThat(copy().headers()).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
			.containsEntry("x-app-downstream-calls", 2L);
	}

	@Test
	void whoWouldSpendTooMuchIsStoppedBeforeAndParked() {
		AtomicInteger made = new AtomicInteger();
		this.owned.start(TestPolicy.order().localAttempts(5).maxDownstreamCalls(3L).build(), (message) -> {
			for (;;) {
				RetryContext.current().orElseThrow().spendDownstreamCall();
				made.incrementAndGet();
			}
		});
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(made).hasValue(3);
		assertThat(copy().headers()).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-downstream-calls", 3L)
			.containsEntry("x-app-exception", "io.github.rabbitretry.handler.BudgetSpentException");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_BUDGET_EXHAUSTED", 1));
	}

	@Test
	void aMessageThatIsHandledMaySpendItAll() {
		this.owned.start(TestPolicy.order().maxCost(5L).build(),
				(message) -> RetryContext.current().orElseThrow().spendCost(5));
		this.owned.deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void localAttemptsAreCountedAndTheContextEndsWithTheHandler() {
		StringBuilder seen = new StringBuilder();
		this.owned.start(TestPolicy.order().localAttempts(3).build(), (message) -> {
			RetryContext context = RetryContext.current().orElseThrow();
			seen.append(context.attempt()).append('/').append(context.localAttempt()).append(' ');
			throw new SocketTimeoutException();
		});
		this.owned.deliver(Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(seen).hasToString("1/0 1/1 1/2 ");
		assertThat(RetryContext.current()).isEmpty();
	}

	private void throwing(TestPolicy policy, Exception failure) {
		this.owned.start(policy.build(), (message) -> {
			throw failure;
		});
	}

	private RecordingChannel.Published copy() {
		return this.owned.channel().published().get(0);
	}

	record Refused(String why) {
	}

}
