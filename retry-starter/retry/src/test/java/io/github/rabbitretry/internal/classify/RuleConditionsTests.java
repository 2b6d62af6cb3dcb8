/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.io.IOException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.HttpServerErrorException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Rules by other things than the exception's class.
 */
class RuleConditionsTests {

	private static final List<String> TYPES = List.of("CreateOrder", "Refund", "Ship");

	@ParameterizedTest
	@CsvSource({ "503, 503, true", "503, 502, false", "5xx, 500, true", "5XX, 599, true", "5xx, 499, false",
			"500-599, 500, true", "500 - 599, 599, true", "502-504, 501, false", "502-504, 505, false" })
	void byHttpStatus(String range, int status, boolean matches) {
		HttpServerErrorException failure = new HttpServerErrorException(HttpStatusCode.valueOf(status));
		assertThat(matches(TestRule.rule("A").httpStatus("418", range), Failures.causedBy(failure), null))
			.isEqualTo(matches);
	}

	@ParameterizedTest
	@MethodSource
	void theHttpStatusOfEveryClientIsRead(Throwable failure) {
		assertThat(matches(TestRule.rule("A").httpStatus("503"), failure, null)).isTrue();
		assertThat(matches(TestRule.rule("A").httpStatus("504"), failure, null)).isFalse();
	}

	static Stream<Throwable> theHttpStatusOfEveryClientIsRead() {
		return Stream.of(new HttpServerErrorException(HttpStatus.SERVICE_UNAVAILABLE),
				Failures.ofLibrary("feign.FeignException", Map.of("status", 503)),
				Failures.ofLibrary("org.apache.http.client.HttpResponseException", Map.of("getStatusCode", 503)),
				Failures.ofLibrary("software.amazon.awssdk.core.exception.SdkServiceException",
						Map.of("statusCode", 503)));
	}

	@ParameterizedTest
	@CsvSource({ "40001, 40001, true", "40001, 40P01, false", "40*, 40P01, true", "40p*, 40P01, true",
			"40*, 23505, false", "4*, 40001, true", "40001, 40p01, false" })
	void bySqlState(String pattern, String state, boolean matches) {
		SQLException failure = new SQLException("refused", state);
		assertThat(matches(TestRule.rule("A").sqlState("99999", pattern), Failures.causedBy(failure), null))
			.isEqualTo(matches);
	}

	@Test
	void aFailureWithoutAnyCodeHasNone() {
		assertThat(matches(TestRule.rule("A").sqlState("40*"), new SQLException("no state"), null)).isFalse();
		assertThat(matches(TestRule.rule("A").httpStatus("1xx"), new IOException(), null)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "CreateOrder, true", "Refund, false" })
	void byMessageType(String type, boolean matches) {
		assertThat(matches(TestRule.rule("A").messageType("Ship", type), new IOException(), null)).isEqualTo(matches);
	}

	@ParameterizedTest
	@MethodSource
	void bySchemaVersion(@Nullable Object header, boolean matches) {
		assertThat(matches(TestRule.rule("A").schemaVersion("1", "2.0"), new IOException(), header)).isEqualTo(matches);
	}

	static Stream<Arguments> bySchemaVersion() {
		return Stream.of(Arguments.of("1", true), Arguments.of(1, true), Arguments.of(1L, true),
				Arguments.of("2.0", true), Arguments.of("2", false), Arguments.of("", false), Arguments.of(null, false),
				Arguments.of(List.of("1"), false));
	}

	@Test
	void theHeaderOfTheSchemaVersionCanBeAnother() {
		ClassificationRules rules = ClassificationRules.of(List.of(TestRule.rule("A").schemaVersion("7").build()), null,
				TYPES, "v");
		MessageProperties properties = new MessageProperties();
		properties.setHeader("v", 7);
		assertThat(rules.classify(new IOException(), new FailedDelivery("Ship", 0, properties))).isPresent();
	}

	@Test
	void allConditionsHaveToHoldThoughNotForTheSameException() {
		TestRule rule = TestRule.rule("A").exception(IOException.class).httpStatus("5xx").messageType("CreateOrder");
		Throwable both = new IOException(new HttpServerErrorException(HttpStatus.BAD_GATEWAY));
		assertThat(matches(rule, both, null)).isTrue();
		assertThat(matches(rule, new IOException(), null)).isFalse();
		assertThat(matches(rule, new HttpServerErrorException(HttpStatus.BAD_GATEWAY), null)).isFalse();
		assertThat(matches(rule.messageType("Ship"), both, null)).isFalse();
	}

	@Test
	void whatARuleDemandsIsPartOfItsAnswer() {
		assertThat(instruction(TestRule.rule("A"))).isNull();
		assertThat(instruction(TestRule.rule("A").action(ClassificationRule.Action.RETRY)))
			.isEqualTo(new Instruction.Retry());
		assertThat(instruction(TestRule.rule("A").action(ClassificationRule.Action.PARK)))
			.isEqualTo(new Instruction.Park());
		assertThat(instruction(TestRule.rule("A").action(ClassificationRule.Action.DISCARD)))
			.isEqualTo(new Instruction.Discard());
		Instruction after = new Instruction.RetryAfter(Duration.ofSeconds(30));
		assertThat(instruction(TestRule.rule("A").delay(Duration.ofSeconds(30)))).isEqualTo(after);
		assertThat(
				instruction(TestRule.rule("A").delay(Duration.ofSeconds(30)).action(ClassificationRule.Action.RETRY)))
			.isEqualTo(after);
	}

	@Test
	void aRuleInShadowModeNeverDecides() {
		ClassificationRules rules = rules(TestRule.rule("SHADOW").exception(IOException.class).shadow(),
				TestRule.rule("ACTIVE").exception(IOException.class));
		assertThat(rules.classify(new IOException(), Failures.DELIVERY)).map(FailureClassification::reason)
			.contains("ACTIVE");
		assertThat(rules(TestRule.rule("SHADOW").exception(IOException.class).shadow()).classify(new IOException(),
				Failures.DELIVERY))
			.isEmpty();
	}

	@Test
	void everyShadowThatWouldHaveDecidedAloneIsTold() {
		ClassificationResult result = evaluate(rules(TestRule.rule("S1").exception(IOException.class).shadow(),
				TestRule.rule("OTHER").exception(SQLException.class).shadow(),
				TestRule.rule("S2").exception(ConnectException.class).shadow(),
				TestRule.rule("ACTIVE").exception(ConnectException.class),
				TestRule.rule("LATE").exception(IOException.class).shadow()));
		assertThat(result.classification().reason()).isEqualTo("ACTIVE");
		assertThat(result.shadows()).extracting(ClassificationStep::from).containsExactly("rules[0]", "rules[2]");
	}

	@Test
	void hitsAreCountedOnlyWhenToldTo() {
		ClassificationRules rules = rules(TestRule.rule("S").exception(IOException.class).shadow(),
				TestRule.rule("MISS").exception(SQLException.class),
				TestRule.rule("HIT").exception(ConnectException.class));
		ClassificationResult result = evaluate(rules);
		assertThat(rules.inForce()).extracting(ClassificationRules.Effective::hits).containsExactly(0L, 0L, 0L);
		rules.count(result);
		assertThat(rules.inForce()).extracting(ClassificationRules.Effective::hits).containsExactly(1L, 0L, 1L);
	}

	@Test
	void whyARuleIsPassedOverIsTold() {
		ClassificationResult result = evaluate(rules(TestRule.rule("A").httpStatus("5xx"),
				TestRule.rule("B").sqlState("40*"), TestRule.rule("C").messageType("Ship", "Refund"),
				TestRule.rule("D").schemaVersion("9"), TestRule.rule("E").exception(SQLException.class)));
		assertThat(result.opinions()).filteredOn((step) -> step.rule() != null)
			.extracting((step) -> step.why().get())
			.containsExactly("needs http-status [500-599], has none", "needs sql-state [40*], has none",
					"needs message-type [Ship, Refund], has CreateOrder", "needs schema-version [9], has none",
					"needs exception java.sql.SQLException, has java.net.ConnectException");
	}

	@ParameterizedTest
	@MethodSource
	void aRuleThatAnEarlierActiveOneShadowsIsRefused(TestRule first, TestRule second) {
		assertThat(catchThrowableOfType(InvalidConfigurationException.class, () -> rules(first, second)).relation())
			.startsWith("can never match: rules[0]");
		assertThatNoException().isThrownBy(() -> rules(first.shadow(), second));
	}

	static Stream<Arguments> aRuleThatAnEarlierActiveOneShadowsIsRefused() {
		return Stream.of(
				Arguments.of(TestRule.rule("A").exception(IOException.class),
						TestRule.rule("B").exception(ConnectException.class).httpStatus("503")),
				Arguments.of(TestRule.rule("A").exception(IOException.class),
						TestRule.rule("B").exception(ConnectException.class).shadow()),
				Arguments.of(TestRule.rule("A").httpStatus("500-510", "511-599"), TestRule.rule("B").httpStatus("5xx")),
				Arguments.of(TestRule.rule("A").sqlState("4*"), TestRule.rule("B").sqlState("40*", "42000")),
				Arguments.of(TestRule.rule("A").sqlState("40001"), TestRule.rule("B").sqlState("40001")),
				Arguments.of(TestRule.rule("A").messageType("Ship", "Refund"),
						TestRule.rule("B").messageType("Ship").exception(IOException.class)),
				Arguments.of(TestRule.rule("A").schemaVersion("1", "2"), TestRule.rule("B").schemaVersion("2")));
	}

	@ParameterizedTest
	@MethodSource
	void aRuleThatMatchesSomethingMoreIsNotShadowed(TestRule first, TestRule second) {
		assertThatNoException().isThrownBy(() -> rules(first, second));
	}

	static Stream<Arguments> aRuleThatMatchesSomethingMoreIsNotShadowed() {
		return Stream.of(
				Arguments.of(TestRule.rule("A").exception(IOException.class).httpStatus("5xx"),
						TestRule.rule("B").exception(IOException.class)),
				Arguments.of(TestRule.rule("A").exception(IOException.class), TestRule.rule("B").httpStatus("5xx")),
				Arguments.of(TestRule.rule("A").httpStatus("5xx"), TestRule.rule("B").httpStatus("499-503")),
				Arguments.of(TestRule.rule("A").sqlState("40001"), TestRule.rule("B").sqlState("40*")),
				Arguments.of(TestRule.rule("A").sqlState("40*"), TestRule.rule("B").sqlState("40*", "23505")),
				Arguments.of(TestRule.rule("A").messageType("Ship"), TestRule.rule("B").messageType("Ship", "Refund")),
				Arguments.of(TestRule.rule("A").schemaVersion("1"), TestRule.rule("B").schemaVersion("2")));
	}

	private static boolean matches(TestRule rule, Throwable failure, @Nullable Object schemaVersion) {
		MessageProperties properties = new MessageProperties();
		properties.setHeader("x-schema-version", schemaVersion);
		return rules(rule).classify(failure, new FailedDelivery("CreateOrder", 0, properties)).isPresent();
	}

	private static ClassificationResult evaluate(ClassificationRules rules) {
		return new ClassificationChain(List.of(), rules, Failures.NOON).evaluate(new ConnectException(),
				Failures.DELIVERY);
	}

	private static @Nullable Instruction instruction(TestRule rule) {
		return rules(rule.exception(IOException.class)).classify(new IOException(), Failures.DELIVERY)
			.orElseThrow()
			.instruction();
	}

	private static ClassificationRules rules(TestRule... rules) {
		return ClassificationRules.of(Stream.of(rules).map(TestRule::build).toList(),
				RuleConditionsTests.class.getClassLoader(), TYPES, ClassificationRules.SCHEMA_VERSION_HEADER);
	}

}
