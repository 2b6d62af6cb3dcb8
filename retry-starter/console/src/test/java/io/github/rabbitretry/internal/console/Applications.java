/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Applications with a console and no broker, for tests over HTTP.
 */
final class Applications implements AutoCloseable {

	/** With both web stacks on the class path, two servers would do for WebFlux. */
	static final String OTHER_SERVER = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration";

	private final WebApplicationType type;

	private final List<ConfigurableApplicationContext> running = new ArrayList<>();

	Applications(WebApplicationType type) {
		this.type = type;
	}

	ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		// nothing listens at port 1
		ConfigurableApplicationContext context = new SpringApplicationBuilder(configuration).web(this.type)
			.run(Stream.concat(Stream.of("server.port=0", "server.address=127.0.0.1",
					"spring.application.name=order-worker", "spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "rabbit-retry.ledger.enabled=true",
					"rabbit-retry.ledger.ingest=false", "rabbit-retry.topology.mode=none",
					"rabbit-retry.topology.startup-check=false", "rabbit-retry.dead-letter-consumer.enabled=false",
					"rabbit-retry.message-policies.Order.queue=orders",
					"management.endpoints.web.exposure.include=retryconsole,parkinglot,replays,retryexplain",
					"management.endpoint.parkinglot.access=unrestricted",
					"management.endpoint.replays.access=unrestricted", "rabbit-retry.console.enabled=true"),
					Stream.of(properties))
				.map("--"::concat)
				.toArray(String[]::new));
		this.running.add(context);
		return context;
	}

	/**
	 * Asks the endpoints of an application.
	 * @param context the application
	 * @param server {@code server} or {@code management}, whose port is asked
	 * @param path the path of the endpoints
	 * @return the client
	 */
	static Client client(ConfigurableApplicationContext context, String server, String path) {
		return Client.of("http://127.0.0.1:%s%s"
			.formatted(context.getEnvironment().getRequiredProperty("local.%s.port".formatted(server)), path));
	}

	@Override
	public void close() {
		this.running.forEach(ConfigurableApplicationContext::close);
	}

}
