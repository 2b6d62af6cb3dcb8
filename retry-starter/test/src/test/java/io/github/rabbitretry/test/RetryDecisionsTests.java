/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RetryDecisionsTests {

	private final RetryDecisions decisions = RetryDecisions.ofApplication();

	@Test
	void aTimeoutIsRetriedUntilTheAttemptsAreMade() {
		FailingMessage timeout = order(new SocketTimeoutException());
		timeout.isRetriedAfter(Duration.ofSeconds(10)).isRetriedAsAttempt(1).hasReason("DOWNSTREAM_TIMEOUT");
		timeout.atAttempt(1).isRetriedAfter(Duration.ofMinutes(1));
		timeout.atAttempt(2).isRetriedAfter(Duration.ofMinutes(6)).isOfClass(FailureClass.TRANSIENT);
		timeout.atAttempt(3).isParkedBecause("RETRY_BUDGET_EXHAUSTED").hasReason("DOWNSTREAM_TIMEOUT");
	}

	@ParameterizedTest
	@CsvSource({ "PT9.999S, false", "PT10S, true", "PT11S, true", "PT12S, true", "PT12.001S, false" })
	void aDelayHoldsIfJitterMayDrawIt(Duration delay, boolean holds) {
		FailingMessage timeout = order(new SocketTimeoutException());
		if (holds) {
			timeout.isRetriedAfter(delay);
		}
		else {
			assertThatThrownBy(() -> timeout.isRetriedAfter(delay)).isInstanceOf(AssertionError.class)
				.hasMessageContaining("Expecting a retry after " + delay)
				.hasMessageContaining("decided: retry as attempt 1 after 10s to 12s");
		}
	}

	@Test
	void budgetsCountWhatTheMessageHasCostSoFar() {
		FailingMessage timeout = order(new SocketTimeoutException()).atAttempt(1);
		timeout.aged(Duration.ofMinutes(119).plusSeconds(30)).isParkedBecause("RETRY_AGE_EXCEEDED");
		timeout.delayed(Duration.ofMinutes(89).plusSeconds(30)).isParkedBecause("RETRY_BUDGET_EXHAUSTED");
		timeout.spent(20, 0).isParkedBecause("RETRY_BUDGET_EXHAUSTED");
		timeout.spent(19, 1000).isRetried();
	}

	@Test
	void rulesAndListsOfReasonsAreThoseOfTheFile() {
		order(new NoSuchElementException()).isDiscarded().hasReason("STALE_COMMAND").isClassifiedBy("rules[0]");
		order(new IllegalStateException()).withHeader("x-schema-version", 9)
			.isParkedBecause("UNSUPPORTED_SCHEMA_VERSION");
		order(new TooManyRequests()).isRetriedAfter(Duration.ofSeconds(45)).isClassifiedBy("rules[1]");
	}

	@Test
	void theApplicationsClassifiersTakePart() {
		FailureClassifier ours = (failure, delivery) -> (failure.getCause() instanceof IllegalStateException)
				? Optional.of(FailureClassification.of(FailureClass.PERMANENT_BUSINESS, "OURS")) : Optional.empty();
		RetryDecisions.ofApplication(ours)
			.of("CreateOrderCommand")
			.failing(new IllegalStateException())
			.isParkedBecause("OURS");
		order(new IllegalStateException()).isRetried();
	}

	@Test
	void manyMessagesAreSimulatedInAnOutage() {
		Simulation brief = this.decisions.of("CreateOrderCommand")
			.simulate(SimulatedLoad.of(10, Duration.ofMinutes(1)));
		assertThat(brief.allParked()).isZero();
		assertThat(brief.retries()).isGreaterThan(600);
		Simulation forGood = this.decisions.of("CreateOrderCommand")
			.simulate(SimulatedLoad.of(10, Duration.ofHours(9)).lasting(Duration.ofMinutes(1)));
		assertThat(forGood.parked()).isEqualTo(Map.of("RETRY_BUDGET_EXHAUSTED", 600L));
		assertThat(forGood.lastRetry()).isBetween(Duration.ofSeconds(430), Duration.ofSeconds(580));
	}

	@Test
	void assertThatTakesAFailingMessage() {
		assertThat(order(new SocketTimeoutException())).isRetriedBetween(Duration.ofSeconds(5), Duration.ofSeconds(10))
			.isClassifiedBy("built-in knowledge");
		assertThat(order(new SocketTimeoutException()).explanation().toString())
			.startsWith("CreateOrderCommand, 0 of 3 broker attempts made, fails with java.net.SocketTimeoutException");
	}

	@Test
	void everyAssertionCanFailAndSaysWhy() {
		FailingMessage parked = order(new NoSuchElementException());
		FailingMessage retried = order(new SocketTimeoutException());
		fails(() -> parked.isRetried(), "a retry", "decided: discard because of STALE_COMMAND");
		fails(() -> retried.isDiscarded(), "to be discarded", "decided: retry");
		fails(() -> retried.isParkedBecause("A"), "to be parked because of A", "decided: retry");
		fails(() -> order(new IllegalStateException()).withHeader("x-schema-version", 9).isParkedBecause("A"),
				"to be parked because of A", "decided: park because of UNSUPPORTED_SCHEMA_VERSION");
		fails(() -> retried.isRetried().isRetriedAsAttempt(2), "a retry as attempt 2", "as attempt 1");
		fails(() -> retried.isRetried().hasReason("A"), "the reason A", "DOWNSTREAM_TIMEOUT");
		fails(() -> retried.isRetried().isOfClass(FailureClass.POISON), "the class poison", "transient");
		fails(() -> retried.isRetried().isClassifiedBy("rules[0]"), "to be classified by rules[0]",
				"by built-in knowledge");
	}

	private static void fails(Runnable assertion, String expected, String instead) {
		assertThatThrownBy(assertion::run).isInstanceOf(AssertionError.class)
			.hasMessageContaining("Expecting " + expected + ", but:")
			.hasMessageContaining(instead);
	}

	@Test
	void oneFileOrAnEnvironmentOrAContextWillDo() {
		RetryDecisions.ofYaml("fast.yml")
			.of("CreateOrderCommand")
			.failing(new SocketTimeoutException())
			.isRetriedAfter(Duration.ofMillis(500));
		MockEnvironment environment = new MockEnvironment()
			.withProperty("rabbit-retry.message-policies.CreateOrderCommand.broker-attempts", "0");
		RetryDecisions.of(environment)
			.of("CreateOrderCommand")
			.failing(new SocketTimeoutException())
			.isParkedBecause("RETRY_BUDGET_EXHAUSTED");
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.refresh();
			assertThatThrownBy(() -> RetryDecisions.of((ApplicationContext) context))
				.hasMessageContaining("RetryExplainer");
		}
	}

	@Test
	void aConfigurationThatWouldStopTheStartStopsTheTest() {
		assertThatThrownBy(() -> RetryDecisions.ofYaml("wrong.yml")).isInstanceOf(InvalidConfigurationException.class)
			.hasMessageContaining("rabbit-retry.message-policies.CreateOrderCommand.jitter: '2.0' must be from 0 to 1");
		assertThatThrownBy(() -> RetryDecisions.ofYaml("misspelt.yml"))
			.isInstanceOf(InvalidConfigurationException.class)
			.hasMessageContainingAll("broker-atempts: '2' is not a key of Rabbit Retry", "broker-attempts");
		assertThatIllegalArgumentException().isThrownBy(() -> RetryDecisions.ofYaml("gone.yml"))
			.withMessage("'gone.yml' is not on the class path");
	}

	@Test
	void anUnknownMessageTypeIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.decisions.of("Refund"))
			.withMessage("There is no message policy 'Refund'; there are CreateOrderCommand.");
	}

	private FailingMessage order(Throwable failure) {
		return this.decisions.of("CreateOrderCommand").failing(failure);
	}

	static class TooManyRequests extends RuntimeException {

		public int getStatusCode() {
			return 429;
		}

	}

}
