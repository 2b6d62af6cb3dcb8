/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.net.ConnectException;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.classify.Reasons;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ClassificationChainTests {

	private static final FailureClassification FIRST = FailureClassification.of(FailureClass.PERMANENT_BUSINESS,
			"FIRST");

	private static final FailureClassification SECOND = FailureClassification.of(FailureClass.PERMANENT_BUSINESS,
			"SECOND");

	private static final ClassificationRule RULE = ClassificationRule.of("java.net.SocketException",
			FailureClass.PERMANENT_BUSINESS, "RULE");

	private static final FailureClassifier NOT_MINE = (failure, delivery) -> Optional.empty();

	@Test
	void theApplicationsClassifiersAreAskedInOrder() {
		assertThat(classify(List.of(), NOT_MINE, always(FIRST), always(SECOND))).isEqualTo(FIRST);
	}

	@Test
	void theApplicationsClassifiersComeBeforeTheRules() {
		assertThat(classify(List.of(RULE), always(FIRST))).isEqualTo(FIRST);
	}

	@Test
	void theRulesComeBeforeTheBuiltInKnowledge() {
		assertThat(classify(List.of(RULE), NOT_MINE).reason()).isEqualTo("RULE");
		assertThat(classify(List.of(), NOT_MINE)).isEqualTo(Classifications.UNAVAILABLE);
	}

	@Test
	void whatNobodyKnowsIsUnknown() {
		assertThat(Failures.classify(new IllegalStateException()))
			.isEqualTo(FailureClassification.of(FailureClass.UNKNOWN, Reasons.UNKNOWN_FAILURE));
	}

	@Test
	void theFailureAndTheDeliveryArePassedOn() {
		FailureClassifier picky = (failure,
				delivery) -> (failure instanceof ConnectException && delivery == Failures.DELIVERY) ? Optional.of(FIRST)
						: Optional.empty();
		assertThat(classify(List.of(), picky)).isEqualTo(FIRST);
	}

	@Test
	void aBrokenClassifierIsPassedOverAndLoggedWithoutItsMessage(CapturedOutput output) {
		FailureClassifier broken = (failure, delivery) -> {
			throw new IllegalStateException("the payload was: secret");
		};
		assertThat(classify(List.of(), broken, always(SECOND))).isEqualTo(SECOND);
		assertThat(output).contains("threw java.lang.IllegalStateException at", "ClassificationChainTests.java",
				"for a failure of CreateOrder");
		assertThat(output).doesNotContain("secret");
	}

	@Test
	void aClassifierThatThrowsAnErrorIsPassedOver() {
		FailureClassifier broken = (failure, delivery) -> {
			throw new NoClassDefFoundError();
		};
		assertThat(classify(List.of(), broken)).isEqualTo(Classifications.UNAVAILABLE);
	}

	@Test
	void aClassifierThatReturnsNullIsPassedOverAndLogged(CapturedOutput output) {
		assertThat(classify(List.of(), (failure, delivery) -> null)).isEqualTo(Classifications.UNAVAILABLE);
		assertThat(output).contains("returned null for a failure of CreateOrder");
	}

	@Test
	void anExceptionThatBreaksWhenAskedForItsCauseIsUnknown() {
		assertThat(Failures.classify(new RuntimeException() {

			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException();
			}

		})).isEqualTo(Classifications.UNKNOWN);
	}

	private static FailureClassification classify(List<ClassificationRule> rules, FailureClassifier... classifiers) {
		return new ClassificationChain(List.of(classifiers),
				ClassificationRules.of(rules, ClassificationChainTests.class.getClassLoader()), Failures.NOON)
			.classify(new ConnectException(), Failures.DELIVERY);
	}

	private static FailureClassifier always(FailureClassification classification) {
		return (failure, delivery) -> Optional.of(classification);
	}

}
