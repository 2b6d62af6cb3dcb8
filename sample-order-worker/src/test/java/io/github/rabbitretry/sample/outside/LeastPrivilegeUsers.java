/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.export.Role;
import io.github.rabbitretry.internal.topology.ApplicationTopology;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Users with the permissions that {@code rabbit-retry export permissions} prints, and no
 * others.
 */
public final class LeastPrivilegeUsers {

	private static final String APPLICATION = "order-worker";

	private static final List<Role> ROLES = List.of(Role.TOPOLOGY, Role.WORKER, Role.MONITOR);

	private final Broker broker;

	private final String password = UUID.randomUUID().toString();

	private final List<String> commands;

	private LeastPrivilegeUsers(Broker broker, List<String> commands) {
		this.broker = broker;
		this.commands = commands;
	}

	/**
	 * Runs the exported commands, but for those that need the exchanges.
	 * @param broker where
	 * @param arguments what differs from the worker's configuration
	 * @return the users
	 */
	public static LeastPrivilegeUsers create(Broker broker, List<String> arguments) {
		List<String> commands = export(broker, arguments).permissionCommands(ROLES);
		LeastPrivilegeUsers users = new LeastPrivilegeUsers(broker, commands);
		// of an earlier test
		ROLES.forEach((role) -> broker.management().delete("/api/users/" + name(role)));
		commands.stream().takeWhile((command) -> !command.equals(BrokerExport.AFTER_DECLARATION)).forEach(users::run);
		return users;
	}

	/**
	 * Has one user declare what is configured, for another that may declare nothing.
	 * @param broker where
	 * @param application what is configured
	 * @param arguments what differs from the worker's configuration
	 * @return the arguments, with what the worker needs as that other user
	 */
	public static List<String> worker(Broker broker, Class<?> application, List<String> arguments) {
		LeastPrivilegeUsers users = create(broker, arguments);
		List<String> declaring = new ArrayList<>(arguments);
		declaring.addAll(List.of("--spring.rabbitmq.addresses=" + users.topology(),
				"--spring.rabbitmq.listener.simple.auto-startup=false"));
		new SpringApplicationBuilder(application).run(declaring.toArray(String[]::new)).close();
		users.declared();
		List<String> working = new ArrayList<>(arguments);
		working.add("--spring.rabbitmq.addresses=" + users.worker());
		working.addAll(users.workersArguments());
		return working;
	}

	/** Runs the other commands, once there are exchanges. */
	public void declared() {
		this.commands.stream()
			.dropWhile((command) -> !command.equals(BrokerExport.AFTER_DECLARATION))
			.forEach(this::run);
	}

	/** As the command line does: neither broker nor database is asked. */
	private static BrokerExport export(Broker broker, List<String> arguments) {
		// the same key twice would be a list
		Set<String> all = new LinkedHashSet<>(arguments);
		all.addAll(List.of("--rabbit-retry.topology.mode=none", "--rabbit-retry.topology.policies=ignore",
				"--rabbit-retry.ledger.enabled=false", "--rabbit-retry.dead-letter-consumer.enabled=false",
				"--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Configured.class)
			.web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new))) {
			return new BrokerExport(context.getBean(ApplicationTopology.class).types(),
					new ExportOptions(APPLICATION, broker.virtualHost(), true, List.of("order.events"), List.of()));
		}
	}

	private void run(String command) {
		if (command.startsWith("#")) {
			return;
		}
		List<String> words = new ArrayList<>();
		Matcher matcher = Pattern.compile("'([^']*)'|([^ ']+)").matcher(command);
		while (matcher.find()) {
			words.add((matcher.group(1) != null) ? matcher.group(1) : matcher.group(2));
		}
		if (words.get(1).equals("add_user")) {
			words.add(this.password);
		}
		this.broker.ctl(words.subList(1, words.size()).toArray(String[]::new));
	}

	/**
	 * Who declares.
	 * @return where to connect to
	 */
	public URI topology() {
		return uri(Role.TOPOLOGY);
	}

	/**
	 * Who handles orders.
	 * @return where to connect to
	 */
	public URI worker() {
		return uri(Role.WORKER);
	}

	private URI uri(Role role) {
		return URI
			.create("amqp://%s:%s@%s:%d".formatted(name(role), this.password, this.broker.host(), this.broker.port()));
	}

	private static String name(Role role) {
		return APPLICATION + "-" + role.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * What a worker needs that declares nothing.
	 * @return arguments
	 */
	public List<String> workersArguments() {
		List<String> arguments = new ArrayList<>(
				List.of("--rabbit-retry.topology.mode=verify", "--spring.rabbitmq.dynamic=false"));
		this.broker.managementUri()
			.ifPresent((uri) -> arguments.addAll(
					List.of("--rabbit-retry.broker.management-url=http://%s:%d".formatted(uri.getHost(), uri.getPort()),
							"--rabbit-retry.broker.management-username=" + name(Role.MONITOR),
							"--rabbit-retry.broker.management-password=" + this.password)));
		return arguments;
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Configured {

	}

}
