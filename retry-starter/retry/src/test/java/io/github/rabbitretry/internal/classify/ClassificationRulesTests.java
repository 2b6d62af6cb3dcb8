/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.rabbitretry.internal.classify.Failures.causedBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ClassificationRulesTests {

	private static final ClassificationRule NO_FILE = rule("java.io.FileNotFoundException", "NO_FILE");

	private static final ClassificationRule IO = rule("java.io.IOException", "IO");

	private static final ClassificationRule NOTHING = rule("java.util.NoSuchElementException", "NOTHING");

	@Test
	void theFirstRuleThatMatchesWins() {
		ClassificationRules rules = rules(NO_FILE, IO, NOTHING);
		assertThat(reason(rules, new FileNotFoundException())).isEqualTo("NO_FILE");
		assertThat(reason(rules, new IOException())).isEqualTo("IO");
	}

	@Test
	void theOrderOfRulesCountsMoreThanTheOrderOfCauses() {
		Throwable failure = new IOException(new NoSuchElementException());
		assertThat(reason(rules(NOTHING, IO), failure)).isEqualTo("NOTHING");
		assertThat(reason(rules(IO, NOTHING), failure)).isEqualTo("IO");
	}

	@Test
	void aRuleMatchesACause() {
		assertThat(reason(rules(IO), causedBy(causedBy(new FileNotFoundException())))).isEqualTo("IO");
	}

	@Test
	void aRuleMatchesBeyondACycle() {
		RuntimeException outer = new RuntimeException("outer");
		outer.initCause(new RuntimeException("inner", outer));
		assertThat(rules(IO).classify(outer, Failures.DELIVERY)).isEmpty();
	}

	@Test
	void aRuleMatchesByAnInterface() {
		ClassificationRules rules = rules(rule(Refusal.class.getName(), "REFUSED"));
		assertThat(reason(rules, new OrderRefused())).isEqualTo("REFUSED");
		assertThat(reason(rules, new OrderRefused() {
		})).isEqualTo("REFUSED");
	}

	@Test
	void aFailureThatNoRuleMatchesIsLeftToOthers() {
		assertThat(rules(IO).classify(new IllegalStateException(), Failures.DELIVERY)).isEmpty();
		assertThat(rules().classify(new IllegalStateException(), Failures.DELIVERY)).isEmpty();
	}

	@Test
	void aClassThatIsNotThereIsRefused() {
		InvalidConfigurationException refusal = refusal(IO, NOTHING, rule("com.acme.QuoteExpired", "QUOTE"));
		assertThat(refusal.property()).isEqualTo("rabbit-retry.classification.rules[2].exception");
		assertThat(refusal.value()).isEqualTo("com.acme.QuoteExpired");
		assertThat(refusal.relation()).isEqualTo("can't be loaded (ClassNotFoundException)");
		assertThat(refusal.remedy()).startsWith("Correct the fully qualified class name");
		assertThat(refusal).hasMessage("rabbit-retry.classification.rules[2].exception: 'com.acme.QuoteExpired' "
				+ "can't be loaded (ClassNotFoundException). Correct the fully qualified class name, "
				+ "add the library that has the class, or remove the rule.");
	}

	@Test
	void aRuleThatAnEarlierOneShadowsIsRefused() {
		InvalidConfigurationException refusal = refusal(NOTHING, IO, NO_FILE);
		assertThat(refusal.property()).isEqualTo("rabbit-retry.classification.rules[2].exception");
		assertThat(refusal.relation()).isEqualTo(
				"can never match: rules[1] (exception java.io.IOException) comes first and matches every such failure");
		assertThat(refusal.remedy()).isEqualTo("Move the rule above rules[1], or remove it.");
	}

	@Test
	void aRuleThatAnEarlierInterfaceShadowsIsRefused() {
		assertThat(refusal(rule(Refusal.class.getName(), "A"), rule(OrderRefused.class.getName(), "B")).property())
			.isEqualTo("rabbit-retry.classification.rules[1].exception");
	}

	@Test
	void aRuleForTheSameClassIsRefused() {
		assertThat(refusal(IO, IO).remedy()).isEqualTo("Remove one of the two rules.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.lang.String", "int", "java.lang.Exception[]" })
	void aClassThatCanNotBeThrownIsRefused(String type) {
		assertThat(refusal(rule(type, "NEVER")).relation()).startsWith("is neither a Throwable nor an interface");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " " })
	void aMissingPartIsRefused(String nothing) {
		assertThat(refusal(rule(nothing, "REASON")).property()).endsWith("rules[0].exception");
		assertThat(refusal(rule("java.io.IOException", nothing)).property()).endsWith("rules[0].reason");
		assertThat(refusal(ClassificationRule.of("java.io.IOException", null, "REASON")).property())
			.endsWith("rules[0].failure-class");
	}

	@ParameterizedTest
	@ValueSource(strings = { "quote-expired", "1ST", "QUOTE EXPIRED" })
	void aMalformedReasonIsRefused(String reason) {
		InvalidConfigurationException refusal = refusal(rule("java.io.IOException", reason));
		assertThat(refusal.property()).endsWith("rules[0].reason");
		assertThat(refusal.value()).isEqualTo(reason);
	}

	private static ClassificationRules rules(ClassificationRule... rules) {
		return ClassificationRules.of(List.of(rules), ClassificationRulesTests.class.getClassLoader());
	}

	private static ClassificationRule rule(String exception, String reason) {
		return ClassificationRule.of(exception, FailureClass.PERMANENT_BUSINESS, reason);
	}

	private static InvalidConfigurationException refusal(ClassificationRule... rules) {
		return catchThrowableOfType(InvalidConfigurationException.class, () -> rules(rules));
	}

	private static String reason(ClassificationRules rules, Throwable failure) {
		return rules.classify(failure, Failures.DELIVERY).orElseThrow().reason();
	}

	interface Refusal {

	}

	static class OrderRefused extends RuntimeException implements Refusal {

	}

}
