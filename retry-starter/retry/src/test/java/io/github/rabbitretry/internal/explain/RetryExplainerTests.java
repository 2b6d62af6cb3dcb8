/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.classify.HypotheticalFailure;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.MessageProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RetryExplainerTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

	@Test
	void theTextTellsEverybodyAskedAndEveryStepWithItsValues() {
		Explanation explanation = explainer(
				TestPolicy.order()
					.localAttempts(2)
					.jitter(0.5)
					.parkOn("B", "A")
					.maxCumulativeDelay(Duration.ofHours(2)),
				List.of(rule("java.sql.SQLException", "NO_DATABASE", null, null, ClassificationRule.Mode.ACTIVE),
						rule("java.io.IOException", "PARTNER_DOWN", null, null, ClassificationRule.Mode.SHADOW)),
				(failure, delivery) -> Optional.empty())
			.explain("Order", new IllegalStateException(new SocketTimeoutException()), 1);
		assertThat(explanation.toString().lines().toList()).map((line) -> line.replaceAll("Tests\\$\\S*:", "Tests:"))
			.containsExactly("Order, 1 of 3 broker attempts made, fails with java.lang.IllegalStateException",
					"classified as transient, DOWNSTREAM_TIMEOUT by built-in knowledge",
					"  the failure itself: does not know it",
					"  io.github.rabbitretry.internal.explain.RetryExplainerTests: does not know it",
					"  rules[0]: needs exception java.sql.SQLException, has java.net.SocketTimeoutException",
					"  rules[1]: in shadow mode, would say transient, PARTNER_DOWN: exception java.io.IOException",
					"  built-in knowledge: knows java.net.SocketTimeoutException <- answers",
					"decided: retry as attempt 2 after 2s to 3s by order.retry/order.retry.2s or rabbit-retry.delay.v1/0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.order.retry.2s",
					"  admission: the handler is called", "  local-attempts: the handler is called 2 times, 1ms apart",
					"  discard-on: DOWNSTREAM_TIMEOUT is not in []", "  park-on: DOWNSTREAM_TIMEOUT is not in [A, B]",
					"  failure class: transient is retryable", "  broker-attempts: 1 of 3 made",
					"  delay: 2s, by the back-off", "  max-retry-age: 3s of 1h by the next attempt",
					"  max-cumulative-delay: 3s of 2h with this delay");
	}

	@Test
	void theHistoryOfAMessageIsTold() {
		String first = "2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s worker";
		MessageProperties properties = new MessageProperties();
		properties.setHeader("x-app-retry-attempt", 1);
		properties.setHeader("x-app-retry-history", first);
		Explanation explanation = explainer(TestPolicy.order(), List.of()).explain("Order",
				new SocketTimeoutException(), properties);
		assertThat(explanation.history()).containsExactly(first);
		assertThat(explanation.toString().lines()).element(1).isEqualTo("  " + first);
		assertThat(explainer(TestPolicy.order(), List.of()).explain("Order", new SocketTimeoutException(), 1).history())
			.isEmpty();
	}

	@Test
	void theStepThatDecidesIsMarked() {
		Explanation explanation = explainer(TestPolicy.order().parkOn("DOWNSTREAM_TIMEOUT"), List.of()).explain("Order",
				new SocketTimeoutException());
		assertThat(explanation.toString()).contains("decided: park because of DOWNSTREAM_TIMEOUT",
				"  local-attempts: the handler is called once",
				"  park-on: DOWNSTREAM_TIMEOUT is in [DOWNSTREAM_TIMEOUT] <- decides");
		assertThat(explanation.steps().get(explanation.steps().size() - 1).ends()).isTrue();
		assertThat(explanation.waiting()).isNull();
	}

	@Test
	void aRulesInstructionGoesBeforeParkOn() {
		Explanation explanation = explainer(TestPolicy.order().parkOn("SLOW"), List.of(rule("java.io.IOException",
				"SLOW", ClassificationRule.Action.RETRY, Duration.ofSeconds(90), ClassificationRule.Mode.ACTIVE)))
			.explain("Order", new IOException());
		assertThat(explanation.decision()).isInstanceOf(Decision.Retry.class);
		assertThat(explanation.waiting()).isNotNull();
		assertThat(explanation.waiting().earliest()).isEqualTo(Duration.ofSeconds(90))
			.isEqualTo(explanation.waiting().latest());
		assertThat(explanation.toString()).contains("by rules[0]",
				"instruction: RetryAfter[delay=PT1M30S], which goes before discard-on, park-on and class",
				"delay: 1m30s, as requested");
	}

	@ParameterizedTest
	@CsvSource({ "0", "1", "2", "3", "4" })
	void theDecisionIsTheDecidersOwn(int attempt) {
		TestPolicy policy = TestPolicy.order();
		FailureClassification what = FailureClassification.of(FailureClass.TRANSIENT, "DOWNSTREAM_TIMEOUT");
		Instant first = NOW.minusSeconds(new int[] { 0, 1, 3, 7, 7 }[attempt]);
		Map<String, Object> headers = (attempt == 0) ? Map.of()
				: Map.of("x-app-retry-attempt", attempt, "x-app-first-failure-at", first.toString());
		Decision expected = new Decider(new Random(1)).decide(policy.build(), DeliveryHistory.read(headers, NOW), what,
				NOW);
		Explanation explanation = explainer(policy, List.of()).explain("Order", new SocketTimeoutException(), attempt);
		assertThat(explanation.decision()).isEqualTo(expected);
		assertThat(explanation.attempt()).isEqualTo(attempt);
	}

	@Test
	void theHeadersOfAMessageAreReadAsAListenerReadsThem() {
		MessageProperties properties = new MessageProperties();
		properties.setHeader("x-app-retry-attempt", 2);
		properties.setHeader("x-app-first-failure-at", "2026-07-01T11:00:01Z");
		Explanation explanation = explainer(TestPolicy.order(), List.of()).explain("Order",
				new SocketTimeoutException(), properties);
		assertThat(explanation.attempt()).isEqualTo(2);
		assertThat(explanation.toString()).contains("decided: park because of RETRY_AGE_EXCEEDED",
				"max-retry-age: 1h3s of 1h by the next attempt <- decides");
	}

	@Test
	void aMessageThatIsTooOldIsNotEvenHandled() {
		Explanation explanation = explainer(TestPolicy.order(), List.of())
			.explain(new FailedMessage("Order", new SocketTimeoutException()).atAttempt(1).aged(Duration.ofHours(2)));
		assertThat(explanation.reason()).contains("RETRY_AGE_EXCEEDED");
		assertThat(explanation.toString()).contains("admission: the handler is not even called <- decides");
	}

	@Test
	void aFailureThatAsksForAcknowledgementIsAcknowledged() {
		Explanation explanation = explainer(TestPolicy.order(), List.of()).explain("Order",
				new IllegalStateException(new ImmediateAcknowledgeAmqpException("enough")));
		assertThat(explanation.decision()).isNull();
		assertThat(explanation.kind()).isEqualTo("acknowledge");
		assertThat(explanation.toString()).contains("decided: acknowledge");
	}

	@Test
	void codesThatTheExceptionLacksAreSeenByRulesAndBuiltInKnowledge() {
		RetryExplainer explainer = explainer(TestPolicy.order(), List.of());
		FailedMessage message = new FailedMessage("Order", new IllegalStateException());
		assertThat(explainer.explain(message).classification().reason()).isEqualTo("UNKNOWN_FAILURE");
		assertThat(explainer.explain(message.withCodes(429, null)).classification().reason()).isEqualTo("RATE_LIMITED");
		assertThat(explainer.explain(message.withCodes(null, "40001")).classification().reason())
			.isEqualTo("LOCK_CONFLICT");
	}

	@Test
	void aBareExceptionIsWrappedAsSpringWrapsWhatListenersThrow() {
		RetryExplainer explainer = explainer(TestPolicy.order(),
				List.of(rule("java.lang.RuntimeException", "ANY", null, null, ClassificationRule.Mode.ACTIVE)));
		assertThat(explainer.explain("Order", new IOException()).classification().reason()).isEqualTo("ANY");
	}

	@Test
	void explainingCountsNothing() {
		ClassificationRules rules = ClassificationRules
			.of(List.of(rule("java.io.IOException", "A", null, null, ClassificationRule.Mode.ACTIVE)), null);
		ClassificationChain chain = new ClassificationChain(List.of(), rules, CLOCK);
		new DefaultRetryExplainer(new MessagePolicies(List.of(TestPolicy.order().build())), chain, CLOCK)
			.explain("Order", new IOException());
		assertThat(chain.rules()).extracting(ClassificationRules.Effective::hits).containsExactly(0L);
	}

	@Test
	void aClassifierThatBreaksIsNamedWithItsException() {
		FailureClassifier broken = (failure, delivery) -> {
			throw new IllegalStateException("secret");
		};
		assertThat(explainer(TestPolicy.order(), List.of(), broken).explain("Order", new IOException()).toString())
			.contains("threw java.lang.IllegalStateException")
			.doesNotContain("secret");
	}

	@Test
	void aClassifierSeesTheDeliveryAndTheWrapper() {
		FailureClassifier picky = (failure,
				delivery) -> (failure instanceof HypotheticalFailure && failure.getCause() instanceof IOException
						&& seesTheDelivery(delivery))
								? Optional.of(FailureClassification.of(FailureClass.CONTENTION, "SEEN"))
								: Optional.empty();
		assertThat(explainer(TestPolicy.order(), List.of(), picky)
			.explain(new FailedMessage("Order", new IOException()).atAttempt(2).with("tenant", "t"))
			.classification()
			.reason()).isEqualTo("SEEN");
	}

	private static boolean seesTheDelivery(FailedDelivery delivery) {
		return delivery.attempt() == 2 && "t".equals(delivery.properties().getHeader("tenant"));
	}

	@Test
	void anUnknownMessageTypeIsRefusedWithThoseThereAre() {
		assertThatThrownBy(() -> explainer(TestPolicy.order(), List.of()).explain("Refund", new IOException()))
			.isInstanceOf(UnknownMessageTypeException.class)
			.hasMessage("There is no message policy 'Refund'; there are Order.");
		assertThatThrownBy(() -> new FailedMessage("Order", new IOException()).atAttempt(-1))
			.hasMessage("attempt -1 must be 0 or more");
		assertThatThrownBy(() -> new FailedMessage("Order", new IOException()).aged(Duration.ofSeconds(-1)))
			.hasMessage("age PT-1S must not be negative");
	}

	private static RetryExplainer explainer(TestPolicy policy, List<ClassificationRule> rules,
			FailureClassifier... classifiers) {
		ClassificationChain chain = new ClassificationChain(List.of(classifiers), ClassificationRules.of(rules, null),
				CLOCK);
		return new DefaultRetryExplainer(new MessagePolicies(List.of(policy.build())), chain, CLOCK);
	}

	private static ClassificationRule rule(String exception, String reason, ClassificationRule.@Nullable Action action,
			@Nullable Duration delay, ClassificationRule.Mode mode) {
		return new ClassificationRule(exception, null, null, null, null, FailureClass.TRANSIENT, reason, action, delay,
				mode);
	}

}
