/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.rabbitmq.client.impl.DefaultCredentialsRefreshService;
import com.rabbitmq.client.impl.DefaultCredentialsRefreshService.DefaultCredentialsRefreshServiceBuilder;
import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that accepts access tokens only, and closes connections whose token expired.
 */
class OAuth2IntegrationTests {

	private static final String QUEUE = "oauth2.order";

	private static final Duration VALID = Duration.ofSeconds(10);

	@Test
	void messagesAreRetriedAndParkedWithTokensThatAreRefreshed() {
		try (Broker broker = Broker.start(); TestBroker operator = TestBroker.connect(broker)) {
			accept(broker, AccessTokens.KEY);
			try (ConfigurableApplicationContext application = start(broker)) {
				assertThat(isParked(operator, "first")).isTrue();
				Set<String> connections = connections(broker);
				assertThat(connections).hasSizeGreaterThan(1);
				Awaitility.await()
					.pollDelay(VALID.multipliedBy(2))
					.atMost(VALID.multipliedBy(3))
					.until(application::isRunning);
				assertThat(isParked(operator, "after the first tokens expired")).isTrue();
				assertThat(connections(broker)).as("none was closed").isEqualTo(connections);
			}
		}
	}

	private static boolean isParked(TestBroker operator, String id) {
		operator.sendJson(QUEUE, id, Map.of(), "{}");
		return id.equals(operator.take(QUEUE + ".parking-lot").getProps().getMessageId());
	}

	/** Those that the application has, apart from the test's own. */
	private static Set<String> connections(Broker broker) {
		return broker.ctl("-q", "list_connections", "user", "pid")
			.lines()
			.filter((line) -> line.startsWith(AccessTokens.SUBJECT + "\t"))
			.collect(Collectors.toSet());
	}

	private static void accept(Broker broker, byte[] key) {
		broker.ctl("eval", ("{ok, Folder} = application:get_env(rabbit, plugins_dir), "
				+ "[code:add_pathz(Path) || Path <- filelib:wildcard(Folder ++ \"/*/ebin\")], "
				+ "Set = fun(Name, Value) -> application:set_env(rabbitmq_auth_backend_oauth2, Name, Value) end, "
				+ "Set(resource_server_id, <<\"rabbitmq\">>), "
				+ "Set(key_config, [{signing_keys, #{<<\"key\">> => {map, #{<<\"kty\">> => <<\"oct\">>, "
				+ "<<\"alg\">> => <<\"HS256\">>, <<\"k\">> => <<\"%s\">>}}}}]), "
				+ "{ok, _} = application:ensure_all_started(rabbitmq_auth_backend_oauth2), "
				+ "application:set_env(rabbit, auth_backends, [rabbit_auth_backend_oauth2]).")
			.formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(key)));
	}

	private static ConfigurableApplicationContext start(Broker broker) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(Map.of("spring.rabbitmq.host", broker.host(), "spring.rabbitmq.port", broker.port(),
					"spring.rabbitmq.virtual-host", broker.virtualHost(), "rabbit-retry.message-policies.Order.queue",
					QUEUE, "rabbit-retry.message-policies.Order.retry-backoff", "fixed",
					"rabbit-retry.message-policies.Order.initial-delay", "1s",
					"rabbit-retry.message-policies.Order.broker-attempts", 1))
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean(destroyMethod = "close")
		DefaultCredentialsRefreshService refresh() {
			return new DefaultCredentialsRefreshServiceBuilder()
				.refreshDelayStrategy(DefaultCredentialsRefreshService.ratioRefreshDelayStrategy(0.5))
				.build();
		}

		@Bean
		ConnectionFactoryCustomizer tokens(DefaultCredentialsRefreshService refresh) {
			return (factory) -> {
				factory.setCredentialsProvider(new AccessTokens(VALID));
				factory.setCredentialsRefreshService(refresh);
			};
		}

		@RabbitListener(queues = QUEUE)
		void handle(String body) {
			throw new IllegalStateException("no");
		}

	}

}
