/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every wrong configuration fails startup and names the property, the value, the relation
 * that it breaks and the remedy.
 */
class WrongConfigurationTests {

	private static final String ORDER = "rabbit-retry.message-policies.Order.";

	private final ApplicationContextRunner application = StartReport.application()
		.withPropertyValues(ORDER + "owner=team-orders");

	@ParameterizedTest
	@MethodSource
	void aWrongValueOfAPolicyIsNamed(Row row) {
		List<String> properties = new ArrayList<>();
		row.given.forEach((property) -> properties.add(ORDER + property));
		assertStopped(properties, ORDER + row.property, row.value, row.relation);
	}

	static Stream<Row> aWrongValueOfAPolicyIsNamed() {
		String longest = "q".repeat(188);
		return Stream.of(row("local-attempts", "0", "must be from 1 to 100"),
				row("local-attempts", "101", "must be from 1 to 100"),
				row("local-delay", "PT-1S", "must not be negative"),
				row("local-delay", "PT10M0.001S", "times the local attempts after the first (1) holds a delivery"),
				row("local-delay", "PT2562047788015215H", "holds a delivery for more than PT10M", "local-attempts=100"),
				row("broker-attempts", "-1", "must be from 0 to 1000"),
				row("broker-attempts", "1001", "must be from 0 to 1000"),
				row("broker-attempts", "200", "needs 200 retry queues, which must be at most 100",
						"retry-backoff=linear", "initial-delay=1s"),
				row("max-retry-age", "PT0S", "must be positive"),
				row("max-retry-age", "PT23999999999976H", "must be at most PT8784H"),
				row("max-retry-age", "PT8784H0.001S", "must be at most PT8784H"),
				row("max-cumulative-delay", "PT23999999999976H", "must be at most PT8784H"),
				row("max-retry-age", "PT1S", "must be >= the first delay (5s)"),
				row("max-cumulative-delay", "PT-1S", "must be positive"),
				row("max-cumulative-delay", "PT5.999S", "must be >= the first delay (6s)",
						"retry-backoff=exponential-jitter"),
				row("initial-delay", "PT0S", "must be positive"),
				row("initial-delay", "PT1H", "must be <= max-delay (PT30M)"),
				row("initial-delay", "PT240H0.001S", "must be at most PT240H", "retry-backoff=fixed"),
				row("initial-delay", "PT0.0005S", "must be whole milliseconds", "retry-backoff=fixed"),
				row("initial-delay", "PT0.0005S", "must be whole milliseconds", "retry-backoff=exponential"),
				row("max-delay", "PT0S", "must be positive"),
				row("max-delay", "PT0.0005S", "must be whole milliseconds"),
				row("multiplier", "0.5", "must be from 1 to 1000"), row("multiplier", "NaN", "must be from 1 to 1000"),
				row("multiplier", "Infinity", "must be from 1 to 1000"),
				row("jitter", "1.01", "must be from 0 to 1", "retry-backoff=exponential-jitter"),
				row("jitter", "-0.1", "must be from 0 to 1", "retry-backoff=exponential-jitter"),
				row("jitter", "NaN", "must be from 0 to 1", "retry-backoff=exponential-jitter"),
				new Row("calendar.zone", "", "must be set when retry-backoff is calendar",
						List.of("retry-backoff=calendar")),
				row("calendar.zone", "Europe/Nowhere", "is no time zone", "retry-backoff=calendar"),
				row("calendar.opens", "9", "is no time of the day", "retry-backoff=calendar"),
				row("calendar.closes", "25:00", "is no time of the day", "retry-backoff=calendar"),
				row("calendar.closes", "08:59", "must be after calendar.opens (09:00)", "retry-backoff=calendar"),
				row("calendar.days", "FREITAG", "is no day of the week", "retry-backoff=calendar",
						"calendar.zone=Europe/Berlin"),
				row("calendar.holidays", "Christmas", "is no date", "retry-backoff=calendar",
						"calendar.zone=Europe/Berlin"),
				row("max-retry-age", "PT65H59M", "must be >= the longest time that the calendar is closed (PT66H)",
						"retry-backoff=calendar", "calendar.zone=UTC", "calendar.opens=10:00", "calendar.closes=16:00"),
				row("max-handler-calls", "11", "must be >= what one message can cause at worst, 12 handler calls"),
				row("max-handler-calls", "100", "at worst, 110 handler calls", "local-attempts=10",
						"broker-attempts=10", "retry-backoff=fixed"),
				row("max-handler-calls", "0", "must be 1 or more"),
				row("max-downstream-calls", "0", "must be from 1 to 1000000000000"),
				row("max-cost", "-1", "must be from 1 to 1000000000000"),
				row("retry-ratio.max", "0.0", "must be from 0.001 to 1"),
				row("retry-ratio.max", "NaN", "must be from 0.001 to 1"),
				row("retry-ratio.window", "PT0.999S", "must be from PT1S to PT24H", "retry-ratio.max=0.1"),
				row("retry-ratio.at-least", "0", "must be from 1 to 1000000"),
				row("outage.failure-rate", "0.0", "must be from 0.001 to 1"),
				row("outage.calls", "1", "must be from 2 to 10000"),
				row("outage.resume-calls", "0", "must be from 1 to 1000"),
				row("outage.dependency", "", "must not be blank"),
				row("outage.reasons", "down", "must be upper case letters, digits and underscores"),
				row("outage.probe-interval", "PT31S", "must be <= outage.max-probe-interval (PT20S)"),
				row("outage.probe-interval", "PT0S", "must be positive"),
				row("outage.max-probe-interval", "PT1H0.001S", "must be at most PT1H"),
				row("outage.enabled", "true", "needs broker-attempts of 1 or more (0)", "broker-attempts=0"),
				row("ordering-key", "header:id", "has no effect with ordering none"),
				row("ordering-key", "routing-key", "has no effect with ordering queue", "ordering=queue"),
				row("ordering", "key", "needs ordering-key to say what the key is", "retry-backoff=fixed"),
				row("ordering-key", "header:", "must be routing-key or header:<name>", "ordering=key"),
				row("ordering-key", "accountId", "must be routing-key or header:<name>", "ordering=key"),
				row("ordering-key", "headers['a'] + routingKey", "must be routing-key or header:<name>",
						"ordering=key"),
				row("when-parked", "block", "needs ordering queue (it is none)"),
				row("when-parked", "block", "needs ordering queue (it is key)", "ordering=key",
						"ordering-key=routing-key"),
				row("work-queue", "existing", "is not possible with ordering queue", "ordering=queue"),
				row("retry-backoff", "exponential", "must be fixed with ordering queue", "ordering=queue"),
				row("outage.enabled", "true", "is not possible with ordering queue", "ordering=queue",
						"retry-backoff=fixed"),
				row("retry-ratio.max", "0.5", "is not possible with ordering queue", "ordering=queue",
						"retry-backoff=fixed"),
				row("poison.quarantine-after", "2", "is not possible with ordering queue", "ordering=queue",
						"retry-backoff=fixed"),
				row("initial-delay", "PT5M", "must be <= eight tenths of the broker's consumer timeout (PT30M)",
						"ordering=queue", "retry-backoff=fixed"),
				row("initial-delay", "PT3M", "plus the time that handling may take (PT4M", "ordering=queue",
						"retry-backoff=fixed", "handler-timeout=2m"),
				row("poison.quarantine-after", "-1", "must be from 0 to 1000"),
				row("poison.quarantine-after", "6", "must be <= delivery-limit (5)"),
				row("poison.quarantine-after", "2", "must be <= delivery-limit (1)", "delivery-limit=1"),
				row("escalate-after", "6", "must be from 1 to broker-attempts (5)"),
				row("handler-timeout", "PT0.001S", "must be >= PT0.01S"),
				row("handler-timeout", "PT15M",
						"plus local-delay (PT0.1S), times local-attempts (2), must be < the broker's consumer timeout (PT30M)"),
				row("handler-timeout", "PT30M", "must be < the broker's consumer timeout (PT30M)", "local-attempts=1",
						"local-delay=0ms"),
				row("handler-timeout", "PT4M", "local-delay (PT1M), times local-attempts (6)", "local-attempts=6",
						"local-delay=1m"),
				row("escalate-after", "0", "must be from 1 to broker-attempts (5)"),
				row("escalate-after", "soon", "must be an attempt or a duration"),
				row("escalate-after", "PT2H", "must be < max-retry-age (PT2H)"),
				row("rejection.routing-key", "order.rejected", "needs an exchange to publish to"),
				row("rejection.exchange", "", "must not be blank"),
				row("rejection.routing-key", "k".repeat(256), "must be at most 255 bytes", "rejection.exchange=events"),
				row("rejection.exchange", "amq.topic", "not start with 'amq.'"),
				row("rejection.exchange", "e".repeat(201), "must be at most 200 bytes"),
				row("rejection.exchange", "order.dlx", "is a direct exchange of the topology already"),
				row("rejection.exchange", "order.retry", "is a direct exchange of the topology already"),
				row("rejection.routing-key", "order", "leads back to queue 'order' by its routing key 'order'",
						"rejection.exchange=orders", "exchange=orders"),
				new Row("rejection.routing-key", "order.rejected",
						"leads back to queue 'order' by its routing key 'order.#'",
						List.of("rejection.exchange=orders", "exchange=orders", "routing-keys=order.#")),
				new Row("schedule", "[]", "must have at least one delay", List.of("retry-backoff=schedule")),
				new Row("schedule", "soon", "must be a duration or, alone, a preset",
						List.of("retry-backoff=schedule", "schedule=10s, soon")),
				new Row("schedule", "rocketmq", "must be a duration or, alone, a preset",
						List.of("retry-backoff=schedule", "schedule=rocketmq, 10s")),
				new Row("schedule", "PT0S", "must be positive", List.of("retry-backoff=schedule", "schedule=10s,0s")),
				new Row("schedule", "PT264H", "must be at most PT240H",
						List.of("retry-backoff=schedule", "schedule=11d")),
				new Row("schedule", "PT0.0015S", "must be whole milliseconds",
						List.of("retry-backoff=schedule", "schedule=1500us")),
				row("park-on", "timeout", "must be upper case letters, digits and underscores"),
				row("discard-on", "X".repeat(65), "at most 64"),
				row("discard-on", "STALE", "must not be in park-on too", "park-on=STALE"),
				row("delivery-limit", "0", "must be from 1 to 1000"), row("owner", "", "must not be blank"),
				row("exception-texts", "masked", "is not known there"), row("replay-policy", "", "must not be blank"),
				row("queue", "", "must not be blank"), row("queue", "amq.order", "must not start with 'amq.'"),
				row("queue", "q".repeat(201), "must be at most 200 bytes, not 201"),
				new Row("queue", longest + "q.parking-lot", "must be at most 200 bytes, not 201",
						List.of("queue=" + longest + "q")),
				row("queue", "order.#", "must not have '#' between its dots", "exact-delays=true"),
				row("names.retry-prefix", "again", "names nothing where the ring is shared", "ring=shared"),
				row("queue", "rabbit-retry.delay.v1.1s", "must not start with 'rabbit-retry.delay.v1'"),
				row("exchange", "", "must not be blank"),
				row("exchange", "orders", "work-queue existing leaves the queue's bindings as they are",
						"work-queue=existing"),
				new Row("routing-keys", "[a]", "needs an exchange to bind to", List.of("routing-keys=a")),
				new Row("names.parking-lot", "order.dlq", "has two roles in one topology",
						List.of("names.parking-lot=order.dlq")),
				new Row("names.parking-lot", "amq.foo", "must not start with 'amq.'",
						List.of("names.parking-lot=amq.foo")),
				new Row("names.parking-lot", "p".repeat(256), "must be at most 200 bytes, not 256",
						List.of("names.parking-lot=" + "p".repeat(256))),
				row("queue", "k\tq", "must not have control characters"));
	}

	@ParameterizedTest
	@MethodSource
	void aWrongValueElsewhereIsNamed(Row row) {
		assertStopped(row.given, row.property, row.value, row.relation);
	}

	static Stream<Row> aWrongValueElsewhereIsNamed() {
		String rules = "rabbit-retry.classification.rules";
		return Stream.of(
				new Row(ORDER + "ordering", "queue",
						"needs quorum queues (rabbit-retry.topology.queue-type is classic)",
						List.of("rabbit-retry.topology.queue-type=classic", ORDER + "ordering=queue")),
				elsewhere("rabbit-retry.handover.max-pending", "0", "must be 1 or more"),
				elsewhere("rabbit-retry.broker.consumer-timeout", "PT59S", "must be from PT1M to PT720H"),
				elsewhere("rabbit-retry.broker.consumer-timeout", "PT721H", "must be from PT1M to PT720H"),
				elsewhere("rabbit-retry.topology.policies-interval", "PT0S", "must be between 100ms and 1h"),
				elsewhere("rabbit-retry.topology.policies-interval", "PT2H", "must be between 100ms and 1h"),
				new Row("rabbit-retry.broker.management-url", "(not shown)", "without user, password and query",
						List.of("rabbit-retry.broker.management-url=http://user:secret@localhost:15672")),
				new Row("rabbit-retry.broker.management-url", "(not shown)", "must be an http or https address",
						List.of("rabbit-retry.broker.management-url=localhost:15672")),
				new Row("rabbit-retry.broker.management-username", "m", "has no management-password",
						List.of("rabbit-retry.broker.management-username=m")),
				new Row("rabbit-retry.broker.management-password", "******", "has no management-username",
						List.of("rabbit-retry.broker.management-password=secret")),
				elsewhere("rabbit-retry.handover.confirm-timeout", "PT0S", "must be positive and at most PT10M"),
				elsewhere("rabbit-retry.shutdown-timeout", "PT11M", "must be positive and at most PT10M"),
				elsewhere("rabbit-retry.defaults.queue", "q", "can't be the same for all policies"),
				new Row(ORDER + "broker-attempts", "-1", "must be from 0 to 1000",
						List.of("rabbit-retry.defaults.broker-attempts=-1")),
				new Row("rabbit-retry.message-policies.Refund.queue", "order",
						"is the work queue of policy 'Order' too, and a queue has one policy",
						List.of("rabbit-retry.message-policies.Refund.queue=order")),
				new Row("rabbit-retry.message-policies.Refund.queue", "order.dlq",
						"needs queue 'order.dlq', which policy 'Order' has already",
						List.of("rabbit-retry.message-policies.Refund.queue=order.dlq")),
				new Row("rabbit-retry.message-policies.Refund.names.parking-lot", "order.parking-lot",
						"needs queue 'order.parking-lot', which policy 'Order' has already",
						List.of("rabbit-retry.message-policies.Refund.names.parking-lot=order.parking-lot")),
				new Row(ORDER + "exact-delays", "maybe", "is neither true nor false",
						List.of(ORDER + "exact-delays=maybe")),
				new Row("rabbit-retry.dead-letter-consumer.enabled", "maybe", "is neither true nor false",
						List.of("rabbit-retry.dead-letter-consumer.enabled=maybe")),
				new Row(ORDER + "queue", "[a, b]", "is a list, where one value is expected",
						List.of(ORDER + "queue[0]=a", ORDER + "queue[1]=b")),
				new Row(ORDER + "initial-delay", "[1s, 2s]", "is a list, where one value is expected",
						List.of(ORDER + "initial-delay[0]=1s", ORDER + "initial-delay[1]=2s")),
				new Row("rabbit-retry.message-policies.Refund.outage.dependency", "gateway",
						"is the service of policy 'Order' too, whose other keys of outage differ",
						List.of("rabbit-retry.defaults.outage.enabled=true",
								"rabbit-retry.defaults.outage.dependency=gateway",
								"rabbit-retry.message-policies.Refund.outage.calls=20")),
				new Row("rabbit-retry.message-policies." + "M".repeat(256), "M".repeat(256),
						"must be at most 255 characters long",
						List.of("rabbit-retry.message-policies." + "M".repeat(256) + ".queue=m")),
				new Row(rules + "[0].exception", "com.acme.Gone", "can't be loaded (ClassNotFoundException)",
						rule(0, "com.acme.Gone", "transient", "GONE")),
				new Row(rules + "[0].exception", "java.lang.String", "is neither a Throwable nor an interface",
						rule(0, "java.lang.String", "transient", "GONE")),
				new Row(rules + "[0].reason", "gone", "is not a reason",
						rule(0, "java.io.IOException", "transient", "gone")),
				new Row(rules + "[0].failure-class", "", "is missing",
						List.of(rules + "[0].exception=java.io.IOException", rules + "[0].reason=GONE")),
				new Row(rules + "[1].exception", "java.io.IOException", "can never match: rules[0]",
						Stream
							.concat(rule(0, "java.lang.Exception", "transient", "ANY").stream(),
									rule(1, "java.io.IOException", "transient", "IO").stream())
							.toList()));
	}

	@ParameterizedTest
	@MethodSource
	void aRuleThatCanNotWorkIsNamed(Row row) {
		assertStopped(row.given, row.property, row.value, row.relation);
	}

	static Stream<Row> aRuleThatCanNotWorkIsNamed() {
		String rules = "rabbit-retry.classification.rules";
		return Stream.of(
				elsewhere("rabbit-retry.classification.schema-version-header", "", "must be from 1 to 255 bytes"),
				elsewhere("rabbit-retry.classification.schema-version-header", "h".repeat(256),
						"must be from 1 to 255 bytes"),
				new Row(rules + "[0].exception", "", "is missing: a rule needs a condition",
						List.of(rules + "[0].failure-class=transient", rules + "[0].reason=ANY")),
				condition("http-status", "600", "must be a status from 100 to 599 or a range"),
				condition("http-status", "6xx", "must be a status from 100 to 599 or a range"),
				condition("http-status", "599-500", "lowest first"),
				condition("http-status", "50", "must be a status from 100 to 599 or a range"),
				condition("sql-state", "519", "must be five letters or digits, or one to four and an asterisk"),
				condition("sql-state", "40001*", "must be five letters or digits, or one to four and an asterisk"),
				condition("sql-state", "*", "must be five letters or digits, or one to four and an asterisk"),
				condition("message-type", "Ordr", "is no message policy"),
				new Row(rules + "[0].schema-version", "[]", "must have at least one value",
						List.of(rules + "[0].schema-version=", rules + "[0].failure-class=transient",
								rules + "[0].reason=ANY")),
				new Row(rules + "[0].delay", "PT10S", "needs action retry, not park",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=10s",
								rules + "[0].action=park")),
				new Row(rules + "[0].delay", "PT10S", "needs action retry, not discard",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=10s",
								rules + "[0].action=discard")),
				new Row(rules + "[0].delay", "PT-1S", "must be at least 1ms and at most PT240H",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=-1s")),
				new Row(rules + "[0].delay", "PT2H0.001S", "or it parks every message",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=7200001ms")),
				new Row(rules + "[0].delay", "PT1H", "max-cumulative-delay (PT59M)",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=1h",
								rules + "[0].message-type=Order", ORDER + "max-cumulative-delay=59m",
								"rabbit-retry.message-policies.Refund.owner=team-orders")),
				new Row(rules + "[0].delay", "PT264H", "must be at least 1ms and at most PT240H",
						with(rule(0, "java.io.IOException", "transient", "IO"), rules + "[0].delay=11d")),
				new Row(rules + "[1].http-status", "[503]", "can never match: rules[0] (http-status [500-599])",
						Stream
							.concat(condition("http-status", "5xx", "").given.stream(),
									condition("http-status", "503", "").given.stream()
										.map((line) -> line.replace("rules[0]", "rules[1]")))
							.toList()),
				new Row(rules + "[1].message-type", "[Order]",
						"can never match: rules[0] (exception java.io.IOException)",
						Stream
							.concat(rule(0, "java.io.IOException", "transient", "IO").stream(),
									with(rule(1, "java.io.EOFException", "transient", "EOF"),
											rules + "[1].message-type=Order", rules + "[1].sql-state=40*")
										.stream())
							.toList()));
	}

	@Test
	void anUnknownKeyOfAPolicyIsNamedIfItIsASystemProperty() {
		this.application.withSystemProperties(ORDER + "broker-atempts=0").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("Property: " + ORDER + "broker-atempts");
			assertThat(analysis.getAction()).contains("Did you mean 'broker-attempts'?");
		});
	}

	/** Tools of a build have properties below the same prefix. */
	@Test
	void anotherSystemPropertyIsNotOurs() {
		this.application.withSystemProperties("rabbit-retry.broker.version=4.3")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private void assertStopped(List<String> given, String property, String value, String relation) {
		this.application.withPropertyValues(given.toArray(String[]::new)).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(InvalidConfigurationException.class);
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("Property: " + property + System.lineSeparator())
				.contains("Value: \"" + value + "\"")
				.contains("Reason: ")
				.contains(relation);
			assertThat(analysis.getAction()).isNotBlank().endsWith(".");
		});
	}

	@Test
	void outageNeedsTheCircuitBreakerAndNothingElseDoes() {
		ApplicationContextRunner without = this.application
			.withClassLoader(new FilteredClassLoader("io.github.resilience4j"));
		without.run((context) -> assertThat(context).hasNotFailed());
		without.withPropertyValues(ORDER + "outage.enabled=true").run((context) -> {
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains(ORDER + "outage.enabled");
			assertThat(analysis.getAction()).contains("io.github.resilience4j:resilience4j-circuitbreaker");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rabbit-retry.message-policies.Order.brokr-attempts=3               | Did you mean 'broker-attempts'? The keys there are: broker-attempts, calendar
					rabbit-retry.message-policies.Order.brokerattemps=3                | Did you mean 'broker-attempts'?
					rabbit-retry.default.owner=team                                    | Did you mean 'defaults'? The keys there are: broker, classification, console, dead-letter-consumer, defaults
					rabbit-retry.defaults.queues=q                                     | Did you mean 'queue'?
					rabbit-retry.topology.mod=none                                     | Did you mean 'mode'? The keys there are: mode, policies, policies-interval, queue-type, startup-check
					rabbit-retry.topology.arguments=minimal                            | The keys there are: mode, policies, policies-interval, queue-type, startup-check
					rabbit-retry.message-policies.Order.names.dlq=x                    | The keys there are: dead-letter-exchange, dead-letter-queue
					rabbit-retry.message-policies.Order.calendar.open=09:00            | Did you mean 'opens'? The keys there are: closes, days
					rabbit-retry.classification.rules[0].exeption=java.io.IOException  | Did you mean 'exception'?
					rabbit-retry.message-policies.Order.max-age=1h                     | The keys there are: broker-attempts
					""")
	void anUnknownKeyIsNamedWithThoseThatThereAre(String property, String remedy) {
		this.application.withPropertyValues(property).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("Property: " + property.substring(0, property.indexOf('=')))
				.contains("Value: \"" + property.substring(property.indexOf('=') + 1) + "\"")
				.contains("Reason: is not a key of Rabbit Retry");
			assertThat(analysis.getAction()).contains(remedy).endsWith(".");
		});
	}

	@Test
	void aMisspeltKeyOfAllPoliciesIsNotPassedOverInSilence() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryPropertiesAutoConfiguration.class))
			.withPropertyValues("rabbit-retry.mesage-policies.Order.queue=order")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(StartReport.explain(context.getStartupFailure()).getDescription())
					.contains("rabbit-retry.mesage-policies");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { ORDER + "retry-backoff=sometimes", "rabbit-retry.topology.mode=maybe",
			"rabbit-retry.topology.queue-type=stream", "rabbit-retry.classification.rules[0].failure-class=maybe",
			"rabbit-retry.classification.rules[0].action=maybe", "rabbit-retry.classification.rules[0].mode=maybe" })
	void aWrongConstantIsNamedWithWhatThereIs(String property) {
		this.application.withPropertyValues(property).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription() + analysis.getAction())
				.contains(property.substring(0, property.indexOf('=')))
				.contains(property.substring(property.indexOf('=') + 1))
				.contains("is not known there", "Use one of ");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { ORDER + "initial-delay=soon", ORDER + "broker-attempts=many", ORDER + "jitter=some",
			"rabbit-retry.classification.rules[0].delay=soon" })
	void aValueOfAWrongTypeIsNamedByBoot(String property) {
		this.application.withPropertyValues(property).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(StartReport.explain(context.getStartupFailure()).getDescription())
				.contains(property.substring(property.indexOf('=') + 1));
		});
	}

	private static Row row(String property, String value, String relation, String... others) {
		List<String> given = new ArrayList<>(List.of(others));
		given.add(property + "=" + value);
		return new Row(property, value, relation, given);
	}

	private static Row elsewhere(String property, String value, String relation) {
		return new Row(property, value, relation, List.of(property + "=" + value));
	}

	private static List<String> rule(int index, String exception, String failureClass, String reason) {
		String rule = "rabbit-retry.classification.rules[" + index + "].";
		return List.of(rule + "exception=" + exception, rule + "failure-class=" + failureClass,
				rule + "reason=" + reason);
	}

	private static Row condition(String key, String value, String relation) {
		String rule = "rabbit-retry.classification.rules[0].";
		return new Row(rule + key, value, relation,
				List.of(rule + key + "=" + value, rule + "failure-class=transient", rule + "reason=WHY"));
	}

	private static List<String> with(List<String> given, String... more) {
		return Stream.concat(given.stream(), Stream.of(more)).toList();
	}

	private record Row(String property, String value, String relation, List<String> given) {

		@Override
		public String toString() {
			return this.given + " " + this.relation;
		}

	}

}
