/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.configuration.Section;
import io.github.rabbitretry.internal.connection.FatalErrorAction;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.failure.ExceptionTexts;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything below {@code rabbit-retry}. A key that is not known fails startup: a budget
 * with a typing error would be no budget.
 *
 * @param defaults Keys that every message policy inherits.
 * @param messagePolicies Message policies by message type.
 * @param handlerVersion Version of the code that handles the messages, for headers of
 * parked messages. Default is the application's name and version.
 * @param topology Queues and exchanges.
 * @param handover How copies are handed over.
 * @param shutdownTimeout Longest duration of a shutdown: waiting for pending copies and
 * running listeners, and closing connections.
 * @param deadLetterConsumer Messages that the broker dead-lettered.
 * @param classification How failures are classified.
 * @param ledger The ledger of parked messages; keys of rabbit-retry-parking.
 * @param replay Replays of parked messages; keys of rabbit-retry-parking.
 * @param poison Indicators of poison messages.
 * @param scan Parking lots without a ledger; keys of rabbit-retry-parking.
 * @param onFatalError What to do after an Error in a thread that reads from the broker or
 * calls listeners.
 * @param exceptionTexts Whether words of an exception's text that also occur in the
 * message's body are replaced in logs and headers.
 * @param broker The broker, as far as it differs from its defaults.
 */
@ConfigurationProperties(prefix = "rabbit-retry", ignoreUnknownFields = false)
record RabbitRetryProperties(@NestedConfigurationProperty @Nullable PolicyProperties defaults,
		@DefaultValue Map<String, PolicyProperties> messagePolicies, @Nullable String handlerVersion,
		@DefaultValue TopologyProperties topology, @DefaultValue HandoverProperties handover,
		@DefaultValue("20s") Duration shutdownTimeout, @DefaultValue DeadLetterConsumerProperties deadLetterConsumer,
		@DefaultValue ClassificationProperties classification,
		@DefaultValue @Section("ledger") Map<String, Object> ledger,
		@DefaultValue @Section("replay") Map<String, Object> replay, @DefaultValue SignalProperties poison,
		@DefaultValue @Section("scan") Map<String, Object> scan, @DefaultValue("stop") FatalErrorAction onFatalError,
		@DefaultValue("masked") ExceptionTexts exceptionTexts, @DefaultValue BrokerProperties broker) {

	/**
	 * Which signs of poison producers leave.
	 *
	 * @param producerVersionHeader Header with the version of a message's producer.
	 */
	record SignalProperties(@DefaultValue("x-producer-version") String producerVersionHeader) {
	}

	/**
	 * Queues and exchanges.
	 *
	 * @param mode Whether queues and exchanges are declared, verified, or neither.
	 * @param queueType Type of all queues but those that services share.
	 * @param arguments Whether queues are declared with all arguments, or only with what
	 * no policy can give. Minimal may lose messages: policies have to give the rest, and
	 * one of higher priority deletes waiting retries at the end of their delay.
	 * @param policies What to do about broker policies that would lose messages.
	 * @param policiesInterval How often to look for such policies; with minimal arguments
	 * at least every 10 seconds.
	 * @param startupCheck Whether the topology doctor looks once after startup, in the
	 * background, and logs errors.
	 */
	record TopologyProperties(@DefaultValue("declare") TopologyMode mode, @DefaultValue("quorum") QueueType queueType,
			@DefaultValue("full") TopologyArguments arguments, @DefaultValue("fail") BrokerPolicyMode policies,
			@DefaultValue("2m") Duration policiesInterval, @DefaultValue("true") boolean startupCheck) {
	}

	/**
	 * The broker, as far as it differs from its defaults.
	 *
	 * @param managementUrl URL of the management API. Default is its usual port on the
	 * host of the connection.
	 * @param managementUsername User for the management API. Default is that of the
	 * connection.
	 * @param managementPassword Password for the management API. Default is that of the
	 * connection.
	 * @param consumerTimeout How long the broker lets a consumer hold a delivery of a
	 * work queue; handler-timeout is compared with it.
	 */
	record BrokerProperties(@Nullable String managementUrl, @Nullable String managementUsername,
			@Nullable String managementPassword, @DefaultValue("30m") Duration consumerTimeout) {

		/** Without the password. */
		@Override
		public String toString() {
			return "management API at %s as %s".formatted(this.managementUrl, this.managementUsername);
		}

	}

	/**
	 * How copies are handed over.
	 *
	 * @param maxPending Copies of one message type that may wait for their confirms;
	 * beyond it, listeners wait.
	 * @param confirmTimeout How long to wait for a confirm before a copy is published
	 * again.
	 */
	record HandoverProperties(@DefaultValue("10000") int maxPending, @DefaultValue("30s") Duration confirmTimeout) {
	}

	/**
	 * What happens to messages that the broker dead-lettered.
	 *
	 * @param enabled Whether this application parks messages from the dead-letter queues.
	 */
	record DeadLetterConsumerProperties(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * How failures are classified.
	 *
	 * @param rules Rules by exception, SQLState, HTTP status, message type and schema
	 * version. They precede the built-in ones, and the first that matches wins.
	 * @param schemaVersionHeader Header with a message's schema version.
	 */
	record ClassificationProperties(@DefaultValue List<ClassificationRule> rules,
			@DefaultValue(ClassificationRules.SCHEMA_VERSION_HEADER) String schemaVersionHeader) {
	}

}
