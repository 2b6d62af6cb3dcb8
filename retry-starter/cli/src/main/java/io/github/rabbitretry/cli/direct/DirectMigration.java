/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.migration.MigratedType;
import io.github.rabbitretry.internal.migration.Migration;
import io.github.rabbitretry.internal.migration.MigrationPlan;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * A migration of the broker to what a service's configuration says. No service takes part
 * in it, so that it has no endpoint.
 */
public final class DirectMigration implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final Migration migration;

	/** Message types that are no longer configured. */
	private final Set<String> gone;

	private DirectMigration(ConfigurableApplicationContext context, Migration migration, Set<String> gone) {
		this.context = context;
		this.migration = migration;
		this.gone = gone;
	}

	/**
	 * Reads the configuration, and what the broker had.
	 * @param settings how to get to the broker
	 * @param former the configuration that was, or {@code null} if it is not known
	 * @param replaceable queues that may be replaced although their arguments are not
	 * ours
	 * @return the migration
	 * @throws ServiceException if a configuration is not valid
	 */
	public static DirectMigration open(DirectSettings settings, @Nullable Path former, Set<String> replaceable) {
		Map<String, MessageTopology> before = (former != null) ? topologies(settings, former) : Map.of();
		ConfigurableApplicationContext context = DirectApplication.start(settings);
		try {
			refuseUnknownBroker(context.getEnvironment());
			List<MigratedType> types = new ArrayList<>();
			Map<String, MessageTopology> now = topologies(context);
			now.forEach((type, wanted) -> types.add(new MigratedType(wanted, before.get(type))));
			Set<String> gone = new TreeSet<>(before.keySet());
			gone.removeAll(now.keySet());
			Migration migration = new Migration(context.getBean(ConnectionFactory.class),
					management(context.getEnvironment()), context.getBean(ConfirmedPublishers.class), types,
					replaceable, context.getBean(BrokerPolicyMode.class));
			return new DirectMigration(context, migration, gone);
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
	}

	/**
	 * A service may have connection factories of its own, which are not known here. What
	 * is on localhost then is not its broker.
	 */
	private static void refuseUnknownBroker(Environment environment) {
		boolean addresses = Binder.get(environment)
			.bind("spring.rabbitmq.addresses", Bindable.listOf(String.class))
			.isBound();
		if (!addresses && Stream.of("host", "port")
			.noneMatch((key) -> environment.containsProperty("spring.rabbitmq." + key))) {
			throw new ServiceException(ExitCode.USAGE,
					"Which broker to migrate is not known: the configuration has neither spring.rabbitmq.addresses nor spring.rabbitmq.host. ConnectionFactory beans of the service are not known here. Name the broker, with --broker for example; where there are several, with a file for each that has the message policies of that broker.");
		}
	}

	private static Map<String, MessageTopology> topologies(DirectSettings settings, Path config) {
		try (ConfigurableApplicationContext context = DirectApplication.start(new DirectSettings(config,
				settings.broker(), settings.database(), settings.application(), settings.verbose(), false))) {
			return topologies(context);
		}
	}

	private static Map<String, MessageTopology> topologies(ConfigurableApplicationContext context) {
		Map<String, MessageTopology> topologies = new LinkedHashMap<>();
		for (MessagePolicy policy : context.getBean(MessagePolicies.class).all()) {
			topologies.put(policy.messageType(), policy.topology());
		}
		return topologies;
	}

	private static ManagementAccess management(Environment environment) {
		return new ManagementAccess(environment.getProperty("rabbit-retry.broker.management-url"),
				environment.getProperty("rabbit-retry.broker.management-username"),
				environment.getProperty("rabbit-retry.broker.management-password"));
	}

	/**
	 * Plans.
	 * @return {@code steps}, {@code pausedQueues} and {@code leftAlone}
	 * @throws ServiceException if broker or management API can't be used
	 */
	public JsonNode plan() {
		return reached(() -> json(this.migration.plan()));
	}

	/**
	 * Plans, and does it.
	 * @param paused whether consumers and producers pause where they have to
	 * @param patience how long to wait for queues to become empty
	 * @param progress is told of each step
	 * @return how many steps are {@code done}, why it {@code stopped}, and the plan of
	 * the rest
	 * @throws ServiceException if broker or management API can't be used
	 */
	public JsonNode apply(boolean paused, Duration patience, Consumer<String> progress) {
		return reached(() -> {
			Migration.Applied applied = this.migration.apply(paused, patience, (number, step) -> progress
				.accept("%d  %s  %s  %s".formatted(number, step.action(), step.subject(), step.detail()).strip()));
			ObjectNode answer = json(applied.left());
			answer.put("done", applied.done());
			if (applied.stopped() != null) {
				answer.put("stopped", applied.stopped());
			}
			return answer;
		});
	}

	private static JsonNode reached(Supplier<JsonNode> question) {
		try {
			return question.get();
		}
		catch (ManagementUnavailableException ex) {
			throw new ServiceException(ExitCode.UNAVAILABLE,
					("What is on the broker only its management API tells, and it can't be used: %s."
							+ " See rabbit-retry.broker.management-url.")
						.formatted(ex.getMessage()));
		}
		catch (AmqpException ex) {
			throw new ServiceException(ExitCode.UNAVAILABLE,
					"The broker can't be used: %s".formatted(DirectApplication.mostSpecific(ex).getMessage()));
		}
	}

	private ObjectNode json(MigrationPlan plan) {
		ObjectNode answer = JsonMapper.shared().createObjectNode();
		ArrayNode steps = answer.putArray("steps");
		for (MigrationPlan.PlannedStep planned : plan.steps()) {
			steps.addObject()
				.put("number", steps.size())
				.put("action", planned.step().action())
				.put("subject", planned.step().subject())
				.put("detail", planned.step().detail())
				.put("paused", planned.paused());
		}
		ArrayNode queues = answer.putArray("pausedQueues");
		plan.pausedQueues().forEach(queues::add);
		ArrayNode leftAlone = answer.putArray("leftAlone");
		plan.leftAlone().forEach((one) -> leftAlone.addObject().put("what", one.what()).put("why", one.why()));
		this.gone.forEach((type) -> leftAlone.addObject()
			.put("what", "message type '%s'".formatted(type))
			.put("why", "it is not configured any more, and so has no place for its messages"));
		return answer;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
