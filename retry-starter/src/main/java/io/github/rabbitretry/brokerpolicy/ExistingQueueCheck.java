/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.brokerpolicy;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.declaration.QueueArgumentProbe;
import io.github.rabbitretry.topology.MessageTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Looks at startup where existing work queues send their dead letters to. Without a
 * dead-letter exchange RabbitMQ drops them, as it did before; a warning says what that
 * means and how to change it. What can't be found out never fails startup.
 */
public final class ExistingQueueCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ExistingQueueCheck.class);

	private final ConnectionFactory connectionFactory;

	private final List<MessageTopology> topologies;

	private final ManagementLocator locator;

	/**
	 * Creates the check.
	 * @param connectionFactory leads to the broker
	 * @param topologies all topologies, of which those with existing queues are checked
	 * @param settings how to ask the management API
	 */
	public ExistingQueueCheck(ConnectionFactory connectionFactory, Collection<MessageTopology> topologies,
			BrokerPolicySettings settings) {
		this.connectionFactory = connectionFactory;
		this.topologies = topologies.stream().filter(MessageTopology::hasExistingQueue).toList();
		this.locator = new ManagementLocator(connectionFactory, settings);
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.topologies.isEmpty()) {
			return;
		}
		try {
			ManagementSettings settings = this.locator.locate();
			ManagementApi management = new ManagementApi(settings);
			BrokerPolicies policies = management.policies();
			for (MessageTopology topology : this.topologies) {
				QueueDescription queue = management.queue(topology.queue());
				tell(topology, queue, policies, settings.virtualHost());
			}
		}
		catch (ManagementUnavailableException ex) {
			this.topologies.forEach((topology) -> tellByProbe(topology, String.valueOf(ex.getMessage())));
		}
		catch (AmqpException ex) {
			logger.debug("The broker can't be reached, so the dead-letter exchanges of existing queues are not known",
					ex);
		}
		catch (RuntimeException ex) {
			logger.warn("The dead-letter exchanges of existing queues could not be looked at", ex);
		}
	}

	private void tell(MessageTopology topology, QueueDescription queue, BrokerPolicies policies, String virtualHost) {
		List<BrokerPolicy> inEffect = policies.ofQueue(topology.queue(), queue.queueType());
		DeadLetterSource source = source(queue, inEffect);
		if (source.isNone()) {
			Optional<BrokerPolicy> displaced = inEffect.stream().filter((policy) -> !policy.operator()).findFirst();
			logger.warn(
					DeadLetterAdvice.none(topology, ". ", command(topology, queue, policies, virtualHost, displaced)));
		}
		else if (!source.exchange().equals(topology.deadLetterExchange())) {
			logger.info(DeadLetterAdvice.elsewhere(topology, source));
		}
		else if (!topology.deadLetterQueue().equals(routingKey(queue, inEffect))) {
			Optional<BrokerPolicy> displaced = inEffect.stream().filter((policy) -> !policy.operator()).findFirst();
			logger.warn(DeadLetterAdvice.wrongKey(topology, routingKey(queue, inEffect),
					command(topology, queue, policies, virtualHost, displaced)));
		}
		if (!queue.lasting()) {
			logger.warn(
					"Existing queue '%s' is not durable, or is deleted by the broker: messages that wait for a retry can't come back to it while it is away"
						.formatted(topology.queue()));
		}
	}

	private static DeadLetterSource source(QueueDescription queue, List<BrokerPolicy> policies) {
		Object argument = queue.arguments().get("x-dead-letter-exchange");
		if (argument != null) {
			return new DeadLetterSource(argument.toString(), "its argument x-dead-letter-exchange");
		}
		return policies.stream()
			.filter((policy) -> policy.definition().containsKey("dead-letter-exchange"))
			.map((policy) -> new DeadLetterSource(String.valueOf(policy.definition().get("dead-letter-exchange")),
					policy.description()))
			.findFirst()
			.orElse(DeadLetterSource.NONE);
	}

	/** Without one, messages keep the key that they were published with. */
	private static @Nullable String routingKey(QueueDescription queue, List<BrokerPolicy> policies) {
		Object argument = queue.arguments().get("x-dead-letter-routing-key");
		if (argument != null) {
			return argument.toString();
		}
		return policies.stream()
			.map((policy) -> policy.definition().get("dead-letter-routing-key"))
			.filter(Objects::nonNull)
			.map(String::valueOf)
			.findFirst()
			.orElse(null);
	}

	private static String command(MessageTopology topology, QueueDescription queue, BrokerPolicies policies,
			String virtualHost, Optional<BrokerPolicy> displaced) {
		Map<String, Object> definition = new LinkedHashMap<>();
		displaced.ifPresent((policy) -> definition.putAll(policy.definition()));
		long priority = displaced.map((policy) -> policy.priority() + 1).orElse(0L);
		return DeadLetterAdvice.command(topology, virtualHost, priority, policies::has, definition);
	}

	private void tellByProbe(MessageTopology topology, String reason) {
		try {
			Connection connection = this.connectionFactory.createConnection().getDelegate();
			Optional<String> exchange = (connection != null)
					? new QueueArgumentProbe(connection).deadLetterExchange(topology.queue()) : Optional.empty();
			if (exchange.isPresent() && exchange.get().equals(topology.deadLetterExchange())) {
				return;
			}
			if (exchange.isPresent() && !exchange.get().isEmpty()) {
				logger.info(DeadLetterAdvice.elsewhere(topology,
						new DeadLetterSource(exchange.get(), "its argument x-dead-letter-exchange")));
				return;
			}
			String unknown = exchange.isPresent()
					? " of its own. Whether a policy gives it one is not known (%s): if none does, ".formatted(reason)
					: null;
			logger.warn(unknown(topology, unknown, reason));
		}
		catch (RuntimeException ex) {
			// the broker is away, or no channel is left: never a reason not to start
			logger.debug("The dead-letter exchange of '%s' could not be looked at".formatted(topology.queue()), ex);
		}
	}

	private String unknown(MessageTopology topology, @Nullable String unknown, String reason) {
		String command = DeadLetterAdvice.command(topology, this.connectionFactory.getVirtualHost(), 0, (name) -> false,
				new LinkedHashMap<>());
		return (unknown != null) ? DeadLetterAdvice.none(topology, unknown, command + DeadLetterAdvice.ONLY_ONE)
				: "Whether existing queue '%s' has a dead-letter exchange is not known (%s). If it has none, %s"
					.formatted(topology.queue(), reason, DeadLetterAdvice.lost(command + DeadLetterAdvice.ONLY_ONE));
	}

}
