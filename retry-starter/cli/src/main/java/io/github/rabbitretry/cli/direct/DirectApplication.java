/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * What a service is without its handlers. It reads the service's configuration, and what
 * stands below is stronger: nothing is declared, consumed, created or deleted.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DirectApplication {

	private static final String NO_DATABASE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

	static final Map<String, String> ALWAYS = Map.ofEntries(Map.entry("rabbit-retry.topology.mode", "none"),
			Map.entry("rabbit-retry.dead-letter-consumer.enabled", "false"),
			Map.entry("rabbit-retry.ledger.ingest", "false"),
			Map.entry("rabbit-retry.ledger.initialize-schema", "never"),
			Map.entry("rabbit-retry.ledger.data-source", "dataSource"),
			// the longest there is: how long replays are kept is the service's business
			Map.entry("rabbit-retry.replay.retention", "36500d"),
			Map.entry("rabbit-retry.topology.startup-check", "false"),
			Map.entry("spring.rabbitmq.connection-timeout", "10s"),
			Map.entry("spring.datasource.hikari.connection-timeout", "10000"),
			Map.entry("spring.datasource.hikari.maximum-pool-size", "5"),
			Map.entry("spring.datasource.hikari.minimum-idle", "1"), Map.entry("spring.sql.init.mode", "never"),
			Map.entry("spring.jmx.enabled", "false"), Map.entry("spring.main.banner-mode", "off"),
			Map.entry("spring.main.web-application-type", "none"),
			Map.entry("spring.main.lazy-initialization", "false"), Map.entry("spring.main.sources", ""),
			Map.entry("management.endpoints.access.max-permitted", "unrestricted"),
			Map.entry("management.endpoint.parkinglot.access", "unrestricted"),
			Map.entry("management.endpoint.replays.access", "unrestricted"),
			Map.entry("management.endpoint.waitingretries.access", "unrestricted"),
			Map.entry("management.endpoint.retrytopology.access", "unrestricted"),
			Map.entry("management.endpoint.retryexport.access", "unrestricted"),
			Map.entry("management.endpoints.web.exposure.include",
					"parkinglot,replays,waitingretries,retrytopology,retryexport"),
			Map.entry("management.endpoints.web.exposure.exclude", ""),
			Map.entry("management.endpoints.jackson.isolated-json-mapper", "true"));

	private static final String POLICIES = "rabbit-retry.topology.policies";

	/** What else would look for the broker or the database. */
	private static final Map<String, String> OFFLINE = Map.of(POLICIES, "ignore", "spring.autoconfigure.exclude",
			NO_DATABASE);

	/**
	 * The service's rules name exceptions of its own code, which is not here. Nothing is
	 * handled here, so that nothing is classified.
	 */
	@Bean
	ClassificationChain classificationWithoutRules() {
		return new ClassificationChain(List.of(), ClassificationRules.of(List.of(), getClass().getClassLoader()),
				Clock.systemUTC());
	}

	static ConfigurableApplicationContext start(DirectSettings settings) {
		return start(settings, Map.of());
	}

	static ConfigurableApplicationContext startOffline(DirectSettings settings) {
		return start(settings, OFFLINE);
	}

	private static ConfigurableApplicationContext start(DirectSettings settings, Map<String, String> offline) {
		// the service's own settings of its log are not for this process
		System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
		if (settings.verbose()) {
			System.setProperty("rabbit-retry.log", "INFO");
		}
		try {
			return new SpringApplicationBuilder(DirectApplication.class).web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.logStartupInfo(false)
				.initializers((context) -> check(context.getEnvironment(), !offline.isEmpty(), settings.works()),
						(context) -> setAsidePolicies(context.getEnvironment(), settings.works()))
				.run(arguments(settings, offline).toArray(String[]::new));
		}
		catch (RuntimeException ex) {
			throw refused(ex);
		}
	}

	private static List<String> arguments(DirectSettings settings, Map<String, String> offline) {
		Map<String, String> properties = new LinkedHashMap<>(ALWAYS);
		properties.putAll(offline);
		properties.put("rabbit-retry.replay.work", Boolean.toString(settings.works()));
		// what lies where the command happens to be called is not meant
		properties.put("spring.config.location", "optional:classpath:/nothing-here/");
		if (!settings.config().isEmpty()) {
			properties.put("spring.config.location", locations(settings.config()));
		}
		put(properties, "spring.rabbitmq.addresses", broker(settings.broker()));
		put(properties, "spring.datasource.url", database(settings.database()));
		put(properties, "spring.application.name", settings.application());
		List<String> arguments = new ArrayList<>();
		properties.forEach((name, value) -> arguments.add("--" + name + "=" + value));
		return arguments;
	}

	/** As Spring Boot takes them: of several files the later ones are stronger. */
	static String locations(List<Path> files) {
		List<String> locations = new ArrayList<>();
		for (Path file : files) {
			if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
				throw usage("%s is no file that can be read.".formatted(file));
			}
			locations.add(file.toAbsolutePath().toUri().toString());
		}
		return String.join(",", locations);
	}

	private static void put(Map<String, String> properties, String name, @Nullable String value) {
		if (value != null) {
			properties.put(name, value);
		}
	}

	private static @Nullable String broker(@Nullable String uri) {
		if (uri == null) {
			return null;
		}
		if (!uri.matches("amqps?://[^\\s]+")) {
			throw usage("'%s' is no broker as amqp://user@host:5672/vhost.".formatted(uri));
		}
		if (uri.matches("amqps?://[^/]*:[^/]*@.*")) {
			throw usage("--broker has a password in it, which others can see. Set SPRING_RABBITMQ_PASSWORD.");
		}
		return uri;
	}

	private static @Nullable String database(@Nullable String url) {
		if (url == null) {
			return null;
		}
		if (!url.matches("jdbc:[a-z0-9]+:[^\\s]+")) {
			throw usage("'%s' is no database as jdbc:postgresql://host:5432/orders.".formatted(url));
		}
		if (url.matches("(?i).*[?&;]password=.*") || url.matches("jdbc:[a-z0-9]+://[^/@]*:[^/@]*@.*")) {
			throw usage("--database has a password in it, which others can see. Set SPRING_DATASOURCE_USERNAME and"
					+ " SPRING_DATASOURCE_PASSWORD.");
		}
		return url;
	}

	/** What is needed is known once the configuration is read. */
	private static void check(ConfigurableEnvironment environment, boolean offline, boolean works) {
		UnneededValues.leaveOut(environment, offline);
		if (Binder.get(environment)
			.bind("rabbit-retry.message-policies", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.isEmpty()) {
			throw usage("Which parking lots there are is not known: rabbit-retry.message-policies is not set."
					+ " Give the service's application.yml with --config.");
		}
		MissingValues.in(environment, offline).ifPresent((what) -> {
			throw usage(what);
		});
		// those who only look read what a service without a name writes
		if (works && environment.getProperty("spring.application.name", "").isBlank()) {
			throw usage("Replays belong to an application, and spring.application.name is not set. Give --application,"
					+ " the service's name.");
		}
		if (offline) {
			return;
		}
		for (String name : List.of("spring.datasource.url", "spring.datasource.hikari.jdbc-url")) {
			String url = environment.getProperty(name, "");
			if (!url.isBlank()) {
				environment.getPropertySources()
					.addFirst(new MapPropertySource("existing " + name, Map.of(name, ExistingDatabase.only(url))));
			}
		}
		if (environment.getProperty("spring.datasource.url", "").isBlank()) {
			environment.getPropertySources()
				.addFirst(new MapPropertySource("no database", Map.of("spring.autoconfigure.exclude", NO_DATABASE)));
		}
	}

	/** Who looks may look for just the policy that keeps the service from starting. */
	private static void setAsidePolicies(ConfigurableEnvironment environment, boolean works) {
		BrokerPolicyMode configured = Binder.get(environment)
			.bind(POLICIES, BrokerPolicyMode.class)
			.orElse(BrokerPolicyMode.FAIL);
		if (!works && configured == BrokerPolicyMode.FAIL) {
			environment.getPropertySources()
				.addFirst(new MapPropertySource("policies refuse nobody", Map.of(POLICIES, "warn")));
		}
	}

	static ServiceException refused(RuntimeException failure) {
		return CauseChain.find(failure, ServiceException.class)
			.orElseGet(() -> usage("The configuration is not valid: %s".formatted(mostSpecific(failure).getMessage())));
	}

	static Throwable mostSpecific(Throwable failure) {
		return CauseChain.root(failure);
	}

	private static ServiceException usage(String message) {
		return new ServiceException(ExitCode.USAGE, message);
	}

}
