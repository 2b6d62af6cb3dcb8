/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.samples;

import com.rabbitmq.client.Channel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.test.TestRabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of applications that replace the connection to the broker.
 */
@ExtendWith(OutputCaptureExtension.class)
class StandInConnectionFactoryTests {

	private static ConfigurableApplicationContext start(Class<?> application, String... more) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("rabbit-retry.message-policies.Order.queue=stand-in.orders", "debug=false")
			.properties(more)
			.run();
	}

	@Test
	void theTemplateForTestsCallsListeners(CapturedOutput output) {
		try (ConfigurableApplicationContext application = start(WithTestTemplate.class)) {
			TestRabbitTemplate template = application.getBean(TestRabbitTemplate.class);
			assertThat(template.convertSendAndReceive("stand-in.greetings", "world")).isEqualTo("hello world");
			assertThat(output).contains("Cannot reach the broker");
		}
	}

	@Test
	void aFactoryWithoutConnectionsIsLikeABrokerThatCanNotBeReached(CapturedOutput output) {
		try (ConfigurableApplicationContext application = start(WithoutConnections.class,
				"spring.rabbitmq.listener.simple.auto-startup=false")) {
			assertThat(application.isRunning()).isTrue();
			assertThat(output).contains("Cannot reach the broker");
		}
	}

	@Test
	void withoutAConnectionFactoryPoliciesHaveNoEffect(CapturedOutput output) {
		try (ConfigurableApplicationContext application = start(Listeners.class,
				"spring.autoconfigure.exclude=org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")) {
			assertThat(application.getBeanNamesForType(ConnectionFactory.class)).isEmpty();
			assertThat(output)
				.containsOnlyOnce("There is no ConnectionFactory bean: the message policies have no effect");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Listeners {

		@RabbitListener(queues = "stand-in.orders")
		void handle(String order) {
		}

		@RabbitListener(queues = "stand-in.greetings")
		String greet(String name) {
			return "hello " + name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Listeners.class)
	static class WithTestTemplate {

		@Bean
		TestRabbitTemplate template(ConnectionFactory connectionFactory) {
			return new TestRabbitTemplate(connectionFactory);
		}

		@Bean
		ConnectionFactory connectionFactory() {
			ConnectionFactory factory = Mockito.mock(ConnectionFactory.class);
			Connection connection = Mockito.mock(Connection.class);
			Channel channel = Mockito.mock(Channel.class);
			BDDMockito.given(factory.createConnection()).willReturn(connection);
			BDDMockito.given(connection.createChannel(BDDMockito.anyBoolean())).willReturn(channel);
			BDDMockito.given(channel.isOpen()).willReturn(true);
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Listeners.class)
	static class WithoutConnections {

		@Bean
		ConnectionFactory connectionFactory() {
			return Mockito.mock(ConnectionFactory.class);
		}

	}

}
