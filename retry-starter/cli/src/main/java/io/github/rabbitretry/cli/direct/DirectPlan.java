/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.util.List;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.plan.TopologyPlanner;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.topology.TypeTopology;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * A plan from the topology on the broker to the one of a configuration. No service takes
 * part in it: it has one configuration only.
 */
public final class DirectPlan {

	private DirectPlan() {
	}

	/**
	 * Plans.
	 * @param settings the configuration
	 * @param former the configuration before, of several files the later ones are
	 * stronger; none if it is not known
	 * @return {@code steps} and what is {@code leftAlone}
	 * @throws ServiceException if a configuration is not valid, or broker or management
	 * API can't be used
	 */
	public static JsonNode of(DirectSettings settings, List<Path> former) {
		List<TypeTopology> before = former.isEmpty() ? List.of() : types(settings, former);
		try (ConfigurableApplicationContext context = DirectApplication.start(settings, false)) {
			requireBroker(context.getEnvironment());
			BrokerAccess broker = context.getBean(BrokerAccess.class);
			ExpectedTopology wanted = new ExpectedTopology(context.getBean(ApplicationTopology.class),
					broker.username());
			return JsonMapper.shared().valueToTree(TopologyPlanner.plan(wanted, before, broker));
		}
		catch (ManagementUnavailableException ex) {
			throw new ServiceException(ExitCode.UNAVAILABLE,
					"The management API cannot be used: %s. See rabbit-retry.broker.management-url."
						.formatted(ex.getMessage()));
		}
		catch (AmqpException ex) {
			throw new ServiceException(ExitCode.UNAVAILABLE,
					"The broker cannot be used: %s".formatted(CauseChain.root(ex).getMessage()));
		}
	}

	private static List<TypeTopology> types(DirectSettings settings, List<Path> config) {
		try (ConfigurableApplicationContext context = DirectApplication
			.start(new DirectSettings(config, settings.broker(), settings.application(), settings.verbose()), true)) {
			return context.getBean(ApplicationTopology.class).types();
		}
	}

	/** A service may have connection factories of its own, which are not known here. */
	private static void requireBroker(Environment environment) {
		boolean addresses = Binder.get(environment)
			.bind("spring.rabbitmq.addresses", Bindable.listOf(String.class))
			.isBound();
		if (!addresses && !environment.containsProperty("spring.rabbitmq.host")
				&& !environment.containsProperty("spring.rabbitmq.port")) {
			throw new ServiceException(ExitCode.USAGE,
					"The broker to plan for is not known: the configuration has neither spring.rabbitmq.addresses nor spring.rabbitmq.host. Give it with --broker.");
		}
	}

}
