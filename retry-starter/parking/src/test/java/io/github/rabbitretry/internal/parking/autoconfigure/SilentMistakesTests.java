/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.assertj.core.util.Throwables;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Mistakes that would start an application which retries otherwise than its configuration
 * seems to say.
 */
@ExtendWith(OutputCaptureExtension.class)
class SilentMistakesTests {

	private static final String POLICIES = "rabbit-retry.message-policies.";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
							Order: {initial-delay: 10}           | Order.initial-delay      | 10      | means 10 ms                      | 10s, 10m, 10h or 10d
							Order: {local-delay: 1}              | Order.local-delay        | 1       | means 1 ms                       | 1s, 1m, 1h or 1d
							Order: {max-retry-age: "99"}         | Order.max-retry-age      | 99      | a number without a unit          | 99s
							Order: {retry-ratio: {window: 60}}   | Order.retry-ratio.window | 60      | a number without a unit          | 60s
							Order: {ledger: {retention: 90}}     | Order.ledger.retention   | 90      | a number without a unit          | 90h
							Order: {schedule: [10s, 60]}         | Order.schedule[1]        | 60      | a number without a unit          | 60s
							Order: {schedule: "10s, 60"}         | Order.schedule           | 10s, 60 | means 60 ms                      | 60s
							Order: {queue: "${NO_SUCH}"}         | Order.queue              | ${NO_SUCH} | nothing resolves              | ${NAME:default}
							Order: {broker-attempts: "${N_A}"}   | Order.broker-attempts    | ${N_A}  | nothing resolves                 | give it a default
							Order: {queue: "order "}             | Order.queue              | `order `| begins or ends with a blank      | Remove the blank: 'order'
							Order: {park-on: [" A", B]}          | Order.park-on[0]         | ` A`    | begins or ends with a blank      | Remove the blank: 'A'
							Order: {broker-attempts: }           | Order.broker-attempts    | ``      | has no value                     | remove the key for its default
							Order: {owner: me, jitter: }         | Order.jitter             | ``      | has no value                     | remove the key for its default
							Order: {max-cost: "${NO_SUCH:}"}     | Order.max-cost           | ${NO_SUCH:} | has no value                 | remove the key for its default
					Order: {max-retry-age: }             | Order.max-retry-age      | ``      | has no value                     | remove the key for its default
							Order: {ring: }                      | Order.ring               | ``      | has no value                     | remove the key for its default
							Order: {retry-ratio: 0.1}            | Order.retry-ratio        | 0.1     | where a group of keys is expected | Write retry-ratio.max: 0.1.
							Order: {poison: none}                | Order.poison             | none    | where a group of keys is expected | The keys there are: quarantine-after
							Bestellung ändern: {queue: q}        | Bestellung ändern        | Bestellung ändern | would lose all characters but | "[Bestellung ändern]"
							com.acme.Order: {queue: q}           | com.acme.Order           | com.acme.Order    | has dots, which separate keys | "[com.acme.Order]"
							A.B: {poison: {quarantine-after: 2}} | A.B                      | A.B     | has dots                         | "[A.B]"
							Order: {broker-attempts: 2.5}        | Order.broker-attempts    | 2.5     | is not a whole number            | without a fraction
							Order: {retry-backoff: exponental}   | Order.retry-backoff      | exponental | is not known there            | exponential-jitter
							Order: {work-queue: exists}          | Order.work-queue         | exists  | is not known there               | Use one of
							Order: {broker-attempts: 1.5e-4}     | Order.broker-attempts    | 1.5E-4  | is not a whole number            | without a fraction
							Order: {broker-attempts: .nan}       | Order.broker-attempts    | NaN     | is not a whole number            | in digits
							Order: {max-cost: .inf}              | Order.max-cost           | Infinity | is not a whole number           | in digits
							Order: {retry-backoff: 1}            | Order.retry-backoff      | 1       | is not known there               | exponential-jitter
							Order: {broker-attempts: five}       | Order.broker-attempts    | five    | is not a whole number            | in digits
							Order: {broker-attempts: 99999999999} | Order.broker-attempts   | 99999999999 | too large                    | in digits
							Order: {jitter: much}                | Order.jitter             | much    | is no number                     | in digits
							Order: {initial-delay: 10 seconds}   | Order.initial-delay      | 10 seconds | is no duration                | without a blank: 500ms, 10s
							Order: {initial-delay: -5s}          | Order.initial-delay      | -5s     | must be positive                 | ``
							Order: {max-retry-age: 1s}           | Order.max-retry-age      | 1s      | must be >= the first delay       | ``
							Order: {multiplier: 0}               | Order.multiplier         | 0       | must be from 1 to 1000           | ``
							Order/Created: {queue: q}            | Order/Created            | Order/Created     | would lose all characters but | "[Order/Created]"
							""")
	void isFoundInAPolicy(String yaml, String property, String value, String relation, String remedy) {
		assertStopped(yaml("rabbit-retry: {message-policies: {%s}}".formatted(yaml)), POLICIES + property,
				(value != null) ? value : "", relation, remedy);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					message-policies:                           | message-policies          | ``   | has no policies            | Add a message type
					message-policies: Order                     | message-policies          | Order | is a value, where message types | Add a message type
					message-policies: [{name: Order, queue: q}] | message-policies[0].name  | Order | is an element of a list    | Write the message type in place of the dash
					message-policies: [{Order: {queue: q}}]     | message-policies[0].Order.queue | q | is an element of a list  | Write the message type in place of the dash
					topology: none                              | topology                  | none | where a group of keys is expected | The keys there are: mode, policies
					defaults: {initial-delay: 5}                | defaults.initial-delay    | 5    | means 5 ms                 | 5s
					shutdown-timeout: 20                        | shutdown-timeout          | 20   | means 20 ms                | 20s
					topology: {queue-type: stream}              | topology.queue-type       | stream | is not known there         | Use one of quorum, classic
					message-policies: {Order: {}}, ledger: {batch-bytes: 16 bytes} | ledger.batch-bytes | 16 bytes | is no size                | 64KB or 16MB
					message-policies: {"[${T}]": {queue: q}}    | message-policies[${T}].queue | q | has a placeholder in its key | Write the message type itself
					message-policies: {Order: {}}, ledger: {adopt: {orders/dlq: Order}} | ledger.adopt.orders/dlq | orders/dlq | would lose all characters but | "[orders/dlq]"
					topology: {queue-type: 1}                   | topology.queue-type       | 1    | is not known there         | Use one of quorum, classic
					defaults: {local-attempts: 3}, message-policies: {Order: {local-attempts: [5]}} | message-policies.Order.local-attempts | [5] | is a list, where one value is expected | without brackets
					defaults: {ledger: {store-payload: false}}, message-policies: {Order: {ledger: {store-payload: [true]}}} | message-policies.Order.ledger.store-payload | [true] | is a list, where one value is expected | without brackets
					broker: {management-password: [secret]}     | broker.management-password | (not shown) | is a list, where one value is expected | without brackets
					message-policies: {"[com.acme.Order]": {local-attempts: 0}} | message-policies[com.acme.Order].local-attempts | 0 | must be from 1 to 100 | ``
					topology: {queue-type: }                    | topology.queue-type       | ``   | has no value               | remove the key
					handler-version: "1 "                       | handler-version           | `1 ` | begins or ends with a blank | Remove the blank: '1'
					""")
	void isFoundElsewhere(String yaml, String property, String value, String relation, String remedy) {
		assertStopped(yaml("rabbit-retry: {%s}".formatted(yaml)), "rabbit-retry." + property,
				(value != null) ? value : "", relation, remedy);
	}

	@Test
	void keysThatDifferByDashesAreSetOnce() {
		assertStopped(yaml("""
				rabbit-retry:
				  message-policies:
				    Order:
				      broker-attempts: 3
				      brokerAttempts: 5
				"""), POLICIES + "Order.brokerAttempts", "5",
				"is the same key as rabbit-retry.message-policies.Order.broker-attempts, which is set to '3'",
				"Remove one of the two");
	}

	@Test
	void aPasswordThatIsWrittenTwiceIsNotShown() {
		yaml("""
				rabbit-retry:
				  broker:
				    management-password: first-secret
				    managementPassword: second-secret
				""").run((context) -> assertThat(context.getStartupFailure()).isNotNull()
			.hasStackTraceContaining("is the same key as rabbit-retry.broker.management-password")
			.satisfies((failure) -> assertThat(Throwables.getStackTrace(failure)).doesNotContain("-secret")));
	}

	@Test
	void anotherPlaceMaySetAKeyAnotherWay() {
		yaml("rabbit-retry: {message-policies: {Order: {brokerAttempts: 3}}}")
			.withPropertyValues(POLICIES + "Order.broker-attempts=7")
			.run((context) -> assertThat(policy(context.getBean(MessagePolicies.class)).brokerAttempts()).isEqualTo(7));
	}

	@Test
	void messageTypesThatKeysDoNotTellApartAreOne() {
		assertStopped(
				yaml("rabbit-retry: {message-policies: {OrderCreated: {owner: me}}}",
						"rabbit-retry: {message-policies: {order-created: {broker-attempts: 3}}}"),
				POLICIES + "order-created", "order-created",
				"differs from 'OrderCreated' only by case, dashes or underscores", "Use the same spelling everywhere");
	}

	@Test
	void aListInPlaceOfOneValueIsFoundThoughAnotherPlaceHasOne() {
		String order = "rabbit-retry: {message-policies: {Order: {broker-attempts: %s}}}";
		assertStopped(yaml(order.formatted("[3]"), order.formatted("5")), POLICIES + "Order.broker-attempts", "[3]",
				"is a list, where one value is expected", "Write one value");
		assertStopped(
				yaml(order.formatted("5")).withInitializer(variables(Map.of("RABBITRETRY_SHUTDOWNTIMEOUT_0", "5s"))),
				"rabbit-retry.shutdown-timeout", "[5s]", "is a list, where one value is expected", "Write one value");
	}

	@ParameterizedTest
	@CsvSource({ "CreateOrder, RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATTEMPTS",
			"CreateOrder, RABBIT_RETRY_MESSAGE_POLICIES_CREATEORDER_BROKER_ATTEMPTS",
			"ship-order, RABBITRETRY_MESSAGEPOLICIES_SHIPORDER_BROKERATTEMPTS",
			"ship-order, RABBIT_RETRY_MESSAGE_POLICIES_SHIP_ORDER_BROKER_ATTEMPTS",
			"Ship_It, RABBITRETRY_MESSAGEPOLICIES_SHIPIT_BROKERATTEMPTS" })
	void anEnvironmentVariableOverridesTheKeyOfAFile(String messageType, String variable) {
		yaml("rabbit-retry: {defaults: {owner: me}, message-policies: {%s: {broker-attempts: 4}}}"
			.formatted(messageType)).withInitializer(variables(Map.of(variable, "2"))).run((context) -> {
				MessagePolicies policies = context.getBean(MessagePolicies.class);
				assertThat(policies.all()).hasSize(1);
				assertThat(policy(policies).messageType()).isEqualTo(messageType);
				assertThat(policy(policies).brokerAttempts()).isEqualTo(2);
				assertThat(policy(policies).owner()).isEqualTo("me");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATEMPTS          | RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATTEMPTS
					RABBIT_RETRY_MESSAGE_POLICIES_CREATEORDER_BROKER_ATEMPTS       | RABBIT_RETRY_MESSAGE_POLICIES_CREATEORDER_BROKER_ATTEMPTS
					RABBIT_RETRY_MESSAGE_POLICIES_CREATE_ORDER_BROKER_ATTEMPTS     | RABBIT_RETRY_MESSAGE_POLICIES_CREATEORDER_BROKER_ATTEMPTS
					RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_NAMES_PARKINGLOTT      | RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_NAMES_PARKINGLOT
					RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKER_ATTEMPTS        | RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATTEMPTS
					RABBITRETRY_DEFAULTS_BROKERATEMPTS                             | RABBITRETRY_DEFAULTS_BROKERATTEMPTS
					RABBIT_RETRY_DEFAULTS_BROKER_ATEMPTS                           | RABBIT_RETRY_DEFAULTS_BROKER_ATTEMPTS
					""")
	void anEnvironmentVariableWithoutEffectFailsTheStart(String variable, String meant) {
		assertStopped(
				yaml("rabbit-retry: {message-policies: {CreateOrder: {broker-attempts: 4}}}")
					.withInitializer(variables(Map.of(variable, "2"))),
				variable, "2", "is an environment variable that no key of Rabbit Retry reads",
				"Did you mean '%s'?".formatted(meant));
	}

	@Test
	void defaultsInAVariableThatIsNotListedFailTheStart() {
		assertStopped(
				yaml("rabbit-retry: {message-policies: {CreateOrder: {owner: me}}}")
					.withInitializer(variables(Map.of("RABBIT_RETRY_DEFAULTS_BROKER_ATTEMPTS", "2"))),
				"rabbit-retry.defaults.broker-attempts", "2", "no policy would inherit it",
				"RABBITRETRY_DEFAULTS_BROKERATTEMPTS");
	}

	@Test
	void variablesOfListsAndOfOthersAreNoMistakes() {
		yaml("rabbit-retry: {message-policies: {Order: {park-on: [A]}}}")
			.withPropertyValues(POLICIES + "Order.park-on=B")
			.withInitializer(variables(Map.of("RABBITRETRY_MESSAGEPOLICIES_ORDER_PARKON_0", "C",
					"RABBIT_RETRY_MESSAGE_POLICIES_ORDER_DISCARD_ON", "D",
					"RABBITRETRY_MESSAGEPOLICIES_ORDER_LEDGER_STOREPAYLOAD", "false", "RABBITRETRY_PORT",
					"tcp://10.0.0.1", "RABBIT_RETRY_URL", "http://localhost:8080", "RABBIT_RETRY_CONSOLE_SERVICE_HOST",
					"10.0.0.1")))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(policy(context.getBean(MessagePolicies.class)).discardOn()).containsExactly("D");
			});
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> variables(
			Map<String, Object> variables) {
		return (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables));
	}

	@Test
	void aValueThatIsOverriddenIsNoMistake() {
		yaml("rabbit-retry: {message-policies: {Order: {initial-delay: 10, queue: '${NO_SUCH}'}}}")
			.withPropertyValues(POLICIES + "Order.initial-delay=10s", POLICIES + "Order.queue=order")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			retry-backoff: schedule, schedule: [10s]           | schedule: ['${A}', '${B}']
			retry-backoff: schedule, schedule: [10s, 20s]      | schedule: '${A}'
			retry-backoff: schedule, schedule: '10s,20s'       | schedule: ['${A}', '${B}']
			retry-backoff: schedule, schedule: [10s]           | schedule: [10s, 20]
			retryBackoff: fixed                                | retry-backoff: '${A}'
			exchange: e, routing-keys: [a]                     | routing-keys: ['${A}', '${B}']
			""")
	void aValueOfTheBaseThatAProfileOverridesIsNoMistake(String profile, String base) {
		String policy = "rabbit-retry: {message-policies: {Order: {%s}}}";
		yaml(policy.formatted(profile), policy.formatted(base)).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aPlaceholderThatAProfileResolvesIsNoMistake() {
		yaml("rabbit-retry: {message-policies: {Order: {queue: '${queue.of.orders}'}}}", "queue.of.orders: q")
			.run((context) -> assertThat(policy(context.getBean(MessagePolicies.class)).queue()).isEqualTo("q"));
	}

	@Test
	void policiesMayStandInAnotherPlaceThanTheEmptyKey(CapturedOutput output) {
		yaml("rabbit-retry: {message-policies: }", "rabbit-retry: {message-policies: {Order: {queue: q}}}")
			.run((context) -> assertThat(context.getBean(MessagePolicies.class).all()).hasSize(1));
		yaml("rabbit-retry: {message-policies: {Order: {queue: q}}}", "rabbit-retry: {message-policies: }")
			.run((context) -> assertThat(context.getBean(MessagePolicies.class).all()).hasSize(1));
		assertThat(output).doesNotContain("ConfigurationCheck");
	}

	@Test
	void aValueInPlaceOfPoliciesIsAMistakeDespiteOthersElsewhere() {
		assertStopped(
				yaml("rabbit-retry: {message-policies: {Order: {queue: q}}}",
						"rabbit-retry: {message-policies: Refund}"),
				"rabbit-retry.message-policies", "Refund", "is a value, where message types", "Add a message type");
	}

	@Test
	void messageTypesMayBeNumbers() {
		yaml("rabbit-retry: {message-policies: {4711: {broker-attempts: 3}, 4712: {queue: r}, '4713': {queue: s}}}")
			.run((context) -> assertThat(context.getBean(MessagePolicies.class).all())
				.extracting(MessagePolicy::messageType, MessagePolicy::queue)
				.containsExactlyInAnyOrder(tuple("4711", "4711"), tuple("4712", "r"), tuple("4713", "s")));
		assertStopped(yaml("rabbit-retry: {message-policies: {4711: {initial-delay: 10}}}"),
				"rabbit-retry.message-policies[4711].initial-delay", "10", "means 10 ms", "10s");
	}

	@Test
	void placesWithinAPlaceAreLookedInto() {
		PropertySource<?> first = new MapPropertySource("first", Map.of(POLICIES + "Order.brokerAttempts", "3"));
		PropertySource<?> second = new MapPropertySource("second",
				Map.of(POLICIES + "Order.broker-attempts", "5", POLICIES + "Refund.queue", "q"));
		withComposite(first, second)
			.run((context) -> assertThat(context.getBean(MessagePolicies.class).all()).hasSize(2));
		Map<String, Object> twice = new LinkedHashMap<>();
		twice.put(POLICIES + "Order.broker-attempts", "3");
		twice.put(POLICIES + "Order.brokerAttempts", "5");
		assertStopped(withComposite(new MapPropertySource("twice", twice)), POLICIES + "Order.brokerAttempts", "5",
				"is the same key as rabbit-retry.message-policies.Order.broker-attempts", "Remove one of the two");
		assertStopped(withComposite(new MapPropertySource("odd", Map.of(POLICIES + "Order/Created.queue", "q"))),
				POLICIES + "Order/Created", "Order/Created", "would lose all characters but", "[Order/Created]");
	}

	/** As a configuration server gives them. */
	private static ApplicationContextRunner withComposite(PropertySource<?>... sources) {
		CompositePropertySource inner = new CompositePropertySource("inner");
		List.of(sources).forEach(inner::addPropertySource);
		CompositePropertySource outer = new CompositePropertySource("outer");
		outer.addPropertySource(inner);
		return StartReport.application()
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addLast(outer));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Order: ", "Order: {initial-delay: 100}", "Order: {initial-delay: 10ms}",
			"Order: {local-delay: 0}", "Order: {queue: '${QUEUE:order}'}", "'[Bestellung ändern]': {queue: q}",
			"Order_Created: {queue: q}", "Order: {escalate-after: 3}",
			"Order: {park-on: 'DOWNSTREAM_TIMEOUT , RATE_LIMITED '}", "Order: {}" })
	void isNotSeenInWhatIsRight(String yaml, CapturedOutput output) {
		yaml("rabbit-retry: {message-policies: {%s}}".formatted(yaml)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(MessagePolicies.class).all()).hasSize(1);
		});
		assertThat(output).doesNotContain("ConfigurationCheck");
	}

	@Test
	void twoPoliciesOnOneQueueAreToldSo() {
		assertStopped(yaml("rabbit-retry: {message-policies: {Order: {queue: q}, Refund: {queue: q}}}"),
				POLICIES + "Refund.queue", "q", "is the work queue of policy 'Order' too, and a queue has one policy",
				"Give each message type a queue of its own");
	}

	@Test
	void aDeliveryLimitOfClassicQueuesIsWarnedOf(CapturedOutput output) {
		yaml("rabbit-retry: {message-policies: {Order: {delivery-limit: 5}}, topology: {queue-type: classic}}")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(POLICIES + "Order.delivery-limit: '5' has no effect",
				"Remove it, or set queue-type to quorum.");
	}

	@Test
	void queuesToAdoptWithoutALedgerAreWarnedOf(CapturedOutput output) {
		ApplicationContextRunner runner = yaml(
				"rabbit-retry: {message-policies: {Order: {owner: me}}, ledger: {enabled: false, adopt: [old.dlq]}}")
			.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
					RabbitRetryLedgerAutoConfiguration.class));
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(
				"rabbit-retry.ledger.adopt: '[old.dlq]' has no effect, since rabbit-retry.ledger.enabled is false.");
	}

	@Test
	void queuesToAdoptWhereNothingIsIngestedAreWarnedOf(CapturedOutput output) {
		yaml("rabbit-retry: {message-policies: {Order: {owner: me}}, ledger: {adopt: [old.dlq], ingest: false}}")
			.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("has no effect here, since rabbit-retry.ledger.ingest is false");
	}

	@Test
	void defaultsWithoutPoliciesAreWarnedOf(CapturedOutput output) {
		yaml("rabbit-retry: {defaults: {owner: me}}").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("rabbit-retry.message-policies is not set: no message is retried. Add a message policy");
	}

	@Test
	void keysOfAnotherBackoffAreWarnedOf(CapturedOutput output) {
		yaml("""
				rabbit-retry:
				  defaults: {max-delay: 1h, schedule: [10s]}
				  message-policies:
				    Order: {retry-backoff: fixed, multiplier: 3, jitter: 0.5}
				    Refund: {retry-backoff: linear}
				""").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains(POLICIES + "Order.multiplier: '3.0' has no effect with retry-backoff fixed. "
					+ "Remove it, or set retry-backoff to exponential or exponential-jitter.")
			.contains(POLICIES + "Order.jitter: '0.5' has no effect with retry-backoff fixed.")
			.contains("rabbit-retry.defaults.schedule: '[10s]' has no effect with retry-backoff fixed, linear.")
			.doesNotContain("max-delay");
	}

	@Test
	void reasonsThatNothingProducesAreWarnedOf(CapturedOutput output) {
		ApplicationContextRunner runner = yaml("""
				rabbit-retry:
				  message-policies:
				    Order:
				      park-on: [DOWNSTREAM_TIMEOUTS, QUOTE_GONE, QUOTE_EXPIRED, LOCK_CONFLICT]
				      discard-on: [RETRY_BUDGET_EXHAUSTED]
				  classification:
				    rules: [{exception: java.io.IOException, failure-class: transient, reason: QUOTE_EXPIRED}]
				""");
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(POLICIES + "Order.park-on: 'DOWNSTREAM_TIMEOUTS' is neither a built-in reason nor")
			.contains("Did you mean DOWNSTREAM_TIMEOUT?")
			.contains("park-on: 'QUOTE_GONE' is neither")
			.contains("discard-on: 'RETRY_BUDGET_EXHAUSTED' is a reason that messages are parked for")
			.doesNotContain("'QUOTE_EXPIRED'", "'LOCK_CONFLICT'");
	}

	@Test
	void aClassifiersReasonsAreItsOwnMatter(CapturedOutput output) {
		yaml("rabbit-retry: {message-policies: {Order: {park-on: [CREDIT_LIMIT, DOWNSTREAM_TIMEOUTS]}}}")
			.withBean(FailureClassifier.class, () -> (failure, delivery) -> Optional.empty())
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("'DOWNSTREAM_TIMEOUTS' is neither").doesNotContain("CREDIT_LIMIT");
	}

	/** The first file has precedence. */
	private static ApplicationContextRunner yaml(String... files) {
		AutoConfigurations ledger = AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class);
		return StartReport.application()
			.withConfiguration(ledger)
			.withBean(DataSource.class, SimpleDriverDataSource::new)
			.withInitializer((context) -> {
				for (int index = 0; index < files.length; index++) {
					load("file" + index, files[index]).forEach(context.getEnvironment().getPropertySources()::addLast);
				}
			});
	}

	private static List<PropertySource<?>> load(String name, String yaml) {
		try {
			return new YamlPropertySourceLoader().load(name,
					new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yml"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static MessagePolicy policy(MessagePolicies policies) {
		return policies.all().iterator().next();
	}

	private static void assertStopped(ApplicationContextRunner runner, String property, String value, String relation,
			String remedy) {
		AtomicReference<Environment> environment = new AtomicReference<>();
		runner.withInitializer((context) -> environment.set(context.getEnvironment())).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.isInstanceOf(InvalidConfigurationException.class);
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure(), environment.get());
			assertThat(analysis.getDescription()).contains("Property: " + property + System.lineSeparator())
				.contains("Value: \"" + value + "\"")
				.contains(relation);
			assertThat(analysis.getAction()).contains((remedy != null) ? remedy : "").endsWith(".");
		});
	}

}
