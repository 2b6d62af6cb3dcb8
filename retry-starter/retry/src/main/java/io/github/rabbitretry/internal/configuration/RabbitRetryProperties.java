/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * All properties below {@code rabbit-retry}. Unknown keys fail startup: a misspelled
 * budget would have no effect.
 *
 * @param defaults Keys that every message policy inherits.
 * @param messagePolicies Message policies by message type.
 * @param handlerVersion Version of the code that handles the messages, added to parked
 * messages as a header. Default is the application's name and version.
 * @param topology Queues and exchanges.
 * @param handover How copies are handed over.
 * @param shutdownTimeout Maximum duration of a shutdown: waiting for pending copies and
 * running listeners, and closing connections.
 * @param deadLetterConsumer Messages that the broker dead-lettered.
 * @param classification How failures are classified.
 * @param ledger The ledger of parked messages; keys of rabbit-retry-parking.
 * @param replay Replays of parked messages; keys of rabbit-retry-parking.
 * @param console The console; keys of rabbit-retry-console.
 * @param broker Settings of the broker that differ from its defaults.
 */
@ConfigurationProperties(prefix = "rabbit-retry", ignoreUnknownFields = false)
public record RabbitRetryProperties(@NestedConfigurationProperty @Nullable PolicyProperties defaults,
		@DefaultValue Map<String, PolicyProperties> messagePolicies, @Nullable String handlerVersion,
		@DefaultValue TopologyProperties topology, @DefaultValue HandoverProperties handover,
		@DefaultValue("20s") Duration shutdownTimeout, @DefaultValue DeadLetterConsumerProperties deadLetterConsumer,
		@DefaultValue ClassificationProperties classification, @DefaultValue Map<String, Object> ledger,
		@DefaultValue Map<String, Object> replay, @DefaultValue Map<String, Object> console,
		@DefaultValue BrokerProperties broker) {

	private static final Duration LONGEST_HANDOVER = Duration.ofMinutes(10);

	public RabbitRetryProperties {
		positive("rabbit-retry.shutdown-timeout", shutdownTimeout);
		if (messagePolicies.isEmpty() && !OptionalArtifact.CONSOLE_APPLICATION.isPresent()) {
			ConfigurationWarning.notSet("rabbit-retry.message-policies", "no message is retried",
					"Add a message policy, or remove the other keys of rabbit-retry.");
		}
	}

	/**
	 * Binds the properties as an application does.
	 * @param environment the environment that contains them
	 * @return the properties, validated
	 * @throws InvalidConfigurationException if startup would fail
	 */
	public static RabbitRetryProperties bind(Environment environment) {
		return bind(environment,
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
	}

	static RabbitRetryProperties bind(Environment environment, BindHandler parent) {
		InheritedDefaults.addTo((ConfigurableEnvironment) environment);
		try {
			return Binder.get(environment)
				.bindOrCreate("rabbit-retry", Bindable.of(RabbitRetryProperties.class),
						new StrictBindHandler(parent, environment));
		}
		catch (BindException ex) {
			throw CauseChain.find(ex, InvalidConfigurationException.class).orElseThrow(() -> ex);
		}
	}

	private static void positive(String key, Duration value) {
		if (value.isNegative() || value.isZero() || value.compareTo(LONGEST_HANDOVER) > 0) {
			throw Checks.invalid(key, value, "must be positive and at most " + LONGEST_HANDOVER,
					"The broker takes a delivery back that is held for its consumer timeout, 30 minutes.");
		}
	}

	/**
	 * Queues and exchanges.
	 *
	 * @param mode Whether queues and exchanges are declared, verified, or neither.
	 * @param queueType Type of all queues except those that services share.
	 * @param policies What to do about broker policies that would lose messages.
	 * @param policiesInterval How often to check for such policies.
	 * @param startupCheck Whether the topology doctor runs once after startup, in the
	 * background, and logs errors.
	 */
	public record TopologyProperties(@DefaultValue("declare") TopologyMode mode,
			@DefaultValue("quorum") QueueType queueType, @DefaultValue("fail") BrokerPolicyMode policies,
			@DefaultValue("2m") Duration policiesInterval, @DefaultValue("true") boolean startupCheck) {

		public TopologyProperties {
			if (policiesInterval.compareTo(Duration.ofMillis(100)) < 0
					|| policiesInterval.compareTo(Duration.ofHours(1)) > 0) {
				throw Checks.invalid("rabbit-retry.topology.policies-interval", policiesInterval,
						"must be between 100ms and 1h", "Use 2m, the default.");
			}
		}

	}

	/**
	 * Settings of the broker that differ from its defaults.
	 *
	 * @param managementUrl URL of the management API. Default is its usual port on the
	 * host of the connection.
	 * @param managementUsername User for the management API. Default is that of the
	 * connection.
	 * @param managementPassword Password for the management API. Default is that of the
	 * connection.
	 * @param consumerTimeout How long the broker allows a consumer to hold a delivery of
	 * a work queue; handler-timeout is validated against it.
	 */
	public record BrokerProperties(@Nullable String managementUrl, @Nullable String managementUsername,
			@Nullable String managementPassword, @DefaultValue("30m") Duration consumerTimeout) {

		public BrokerProperties {
			// RabbitMQ looks once a minute
			Checks.between("rabbit-retry.broker.consumer-timeout", consumerTimeout, Duration.ofMinutes(1),
					Duration.ofDays(30),
					"Use what the broker's configuration or the work queue's policy says, 30m unless it was changed.");
			managementUrl = orNull(managementUrl);
			managementUsername = orNull(managementUsername);
			managementPassword = orNull(managementPassword);
			if ((managementUsername == null) != (managementPassword == null)) {
				String remedy = "Set both, or none for the connection's user.";
				throw (managementUsername != null)
						? Checks.invalid("rabbit-retry.broker.management-username", managementUsername,
								"has no management-password", remedy)
						: Checks.invalid("rabbit-retry.broker.management-password", "******",
								"has no management-username", remedy);
			}
			if (managementUrl != null && !isPlainUrl(managementUrl)) {
				throw Checks.invalid("rabbit-retry.broker.management-url", "(not shown)",
						"must be an http or https address without user, password and query",
						"Use http://broker.example:15672, and management-username and management-password.");
			}
		}

		private static boolean isPlainUrl(String url) {
			try {
				URI uri = URI.create(url);
				return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null
						&& uri.getUserInfo() == null && uri.getQuery() == null;
			}
			catch (IllegalArgumentException ex) {
				return false;
			}
		}

		/**
		 * How the management API is accessed.
		 * @return the settings
		 */
		public ManagementAccess management() {
			return new ManagementAccess(this.managementUrl, this.managementUsername, this.managementPassword);
		}

		private static @Nullable String orNull(@Nullable String text) {
			return (text == null || text.isBlank()) ? null : text.strip();
		}

		/** Without the password. */
		@Override
		public String toString() {
			return "management API at %s as %s".formatted(this.managementUrl, this.managementUsername);
		}

	}

	/**
	 * How copies are handed over.
	 *
	 * @param maxPending Maximum number of unconfirmed copies of one message type; beyond
	 * it, listeners wait.
	 * @param confirmTimeout How long to wait for a confirm before a copy is published
	 * again.
	 */
	public record HandoverProperties(@DefaultValue("10000") int maxPending,
			@DefaultValue("30s") Duration confirmTimeout) {

		public HandoverProperties {
			if (maxPending < 1) {
				throw Checks.invalid("rabbit-retry.handover.max-pending", maxPending, "must be 1 or more",
						"Use 10000, the default.");
			}
			positive("rabbit-retry.handover.confirm-timeout", confirmTimeout);
		}

	}

	/**
	 * What happens to messages that the broker dead-lettered.
	 *
	 * @param enabled Whether this application parks messages from the dead-letter queues.
	 */
	public record DeadLetterConsumerProperties(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * How failures are classified.
	 *
	 * @param rules Rules by exception, SQLState, HTTP status, message type and schema
	 * version. They precede the built-in ones, and the first that matches wins.
	 * @param schemaVersionHeader Header with a message's schema version.
	 */
	public record ClassificationProperties(@DefaultValue List<ClassificationRule> rules,
			@DefaultValue(ClassificationRules.SCHEMA_VERSION_HEADER) String schemaVersionHeader) {

		public ClassificationProperties {
			String header = schemaVersionHeader.strip();
			if (header.isEmpty() || Checks.bytes(header) > 255) {
				throw Checks.invalid("rabbit-retry.classification.schema-version-header", header,
						"must be from 1 to 255 bytes, as every header's name",
						"Leave the key out for " + ClassificationRules.SCHEMA_VERSION_HEADER + ".");
			}
		}

	}

}
