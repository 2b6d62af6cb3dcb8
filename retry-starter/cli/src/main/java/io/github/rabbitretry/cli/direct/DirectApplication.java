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

import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What a service is without its handlers and its database. It reads the service's
 * configuration, and what stands below is stronger: nothing is declared or consumed.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DirectApplication {

	/** A configuration may require a ledger, and there is no database here. */
	private static final String NO_LEDGER = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
			+ "io.github.rabbitretry.internal.parking.autoconfigure.RabbitRetryParkingPropertiesAutoConfiguration";

	private static final Map<String, String> ALWAYS = Map.ofEntries(Map.entry("rabbit-retry.topology.mode", "none"),
			Map.entry("rabbit-retry.topology.policies", "ignore"),
			Map.entry("rabbit-retry.topology.startup-check", "false"),
			Map.entry("rabbit-retry.dead-letter-consumer.enabled", "false"),
			Map.entry("spring.rabbitmq.connection-timeout", "10s"),
			Map.entry("spring.autoconfigure.exclude", NO_LEDGER), Map.entry("spring.jmx.enabled", "false"),
			Map.entry("spring.main.banner-mode", "off"), Map.entry("spring.main.web-application-type", "none"),
			Map.entry("spring.main.lazy-initialization", "false"), Map.entry("spring.main.sources", ""),
			Map.entry("management.endpoints.access.max-permitted", "unrestricted"),
			Map.entry("management.endpoint.retrytopology.access", "unrestricted"),
			Map.entry("management.endpoint.retryexport.access", "unrestricted"),
			Map.entry("management.endpoints.web.exposure.include", "retrytopology,retryexport"),
			Map.entry("management.endpoints.web.exposure.exclude", ""),
			Map.entry("management.endpoints.jackson.isolated-json-mapper", "true"));

	/**
	 * The service's rules name exceptions of its own code, which is not here. Nothing is
	 * handled here, so that nothing is classified.
	 */
	@Bean
	ClassificationChain classificationWithoutRules() {
		return new ClassificationChain(List.of(), ClassificationRules.of(List.of(), getClass().getClassLoader()),
				Clock.systemUTC());
	}

	/**
	 * Starts it.
	 * @param settings the configuration
	 * @param offline whether the broker is not needed
	 * @return the context
	 * @throws ServiceException if the configuration is not valid
	 */
	static ConfigurableApplicationContext start(DirectSettings settings, boolean offline) {
		// the service's own settings of its log are not for this process
		System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
		if (settings.verbose()) {
			System.setProperty("rabbit-retry.log", "INFO");
		}
		try {
			return new SpringApplicationBuilder(DirectApplication.class).web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.logStartupInfo(false)
				.initializers((context) -> {
					Placeholders.check(context.getEnvironment(), offline);
					requirePolicies(context.getEnvironment());
					if (offline) {
						connectToNothing((GenericApplicationContext) context);
					}
				})
				.run(arguments(settings).toArray(String[]::new));
		}
		catch (RuntimeException ex) {
			throw refused(ex);
		}
	}

	/** In place of what opens key stores of the service, which may be elsewhere. */
	private static void connectToNothing(GenericApplicationContext context) {
		context.registerBean(DefaultSslBundleRegistry.class);
		context.registerBean(ConnectionFactory.class, () -> {
			CachingConnectionFactory factory = new CachingConnectionFactory("no-broker.invalid");
			factory.setVirtualHost(context.getBean(RabbitConnectionDetails.class).getVirtualHost());
			return factory;
		});
	}

	private static List<String> arguments(DirectSettings settings) {
		Map<String, String> properties = new LinkedHashMap<>(ALWAYS);
		properties.put("spring.config.location", locations(settings.config()));
		put(properties, "spring.rabbitmq.addresses", broker(settings.broker()));
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
				throw ServiceException.usage("%s is no file that can be read.".formatted(file));
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
		if (uri != null && !uri.matches("amqps?://[^\\s]+")) {
			throw ServiceException.usage("'%s' is no broker as amqp://user@host:5672/vhost."
				.formatted(uri.replaceAll("(?s).*@", "******@")));
		}
		if (uri != null && uri.matches("amqps?://[^/]*:[^/]*@.*")) {
			throw ServiceException
				.usage("--broker has a password in it, which others can see. Set SPRING_RABBITMQ_PASSWORD.");
		}
		return uri;
	}

	static void requirePolicies(ConfigurableEnvironment environment) {
		if (Binder.get(environment)
			.bind("rabbit-retry.message-policies", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.isEmpty()) {
			throw ServiceException
				.usage("rabbit-retry.message-policies is not set. Give the service's application.yml with --config.");
		}
	}

	static ServiceException refused(RuntimeException failure) {
		return CauseChain.find(failure, ServiceException.class)
			.orElseGet(() -> ServiceException
				.usage("The configuration is not valid: %s".formatted(CauseChain.root(failure).getMessage())));
	}

}
