/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Listener beans in a scope that makes them anew.
 */
class ScopedListenerTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withUserConfiguration(AScope.class)
		.withPropertyValues("rabbit-retry.message-policies.Order.queue=order");

	@Test
	void haveOneContainerHoweverOftenTheyAreMade() {
		this.application.withUserConfiguration(Reachable.class).run((context) -> {
			RabbitListenerEndpointRegistry registry = context.getBean(RabbitListenerEndpointRegistry.class);
			made(context, Reachable.class);
			assertThat(registry.getListenerContainers()).hasSize(1);
			Thread other = new Thread(() -> context.getBean(Reachable.class).handle("in another thread's scope"));
			other.start();
			other.join();
			assertThat(registry.getListenerContainers()).hasSize(1);
		});
	}

	@Test
	void haveOneContainerIfAnotherBeanUsesThemToo() {
		this.application.withUserConfiguration(Reachable.class, User.class).run((context) -> {
			RabbitListenerEndpointRegistry registry = context.getBean(RabbitListenerEndpointRegistry.class);
			assertThat(registry.getListenerContainers()).hasSize(1);
			made(context, Reachable.class);
			assertThat(registry.getListenerContainers()).hasSize(1);
		});
	}

	@Test
	void areRefusedIfTheProxyCannotCallThem() {
		this.application.withUserConfiguration(Unreachable.class)
			.run((context) -> assertThatException().isThrownBy(() -> made(context, Unreachable.class))
				.satisfies((failure) -> {
					FailureAnalysis analysis = StartReport.explain(failure);
					assertThat(analysis.getDescription()).startsWith("Listener 'Unreachable#handle' on queue 'order' ")
						.contains("is in a scope, whose proxy can't call its method 'handle'");
					assertThat(analysis.getAction()).contains("Make the method public and not final");
				}));
	}

	@Test
	void areRefusedIfTheyAreContainers() {
		this.application.withUserConfiguration(ContainerInScope.class)
			.run((context) -> assertThatException()
				.isThrownBy(() -> made(context, SimpleMessageListenerContainer.class))
				.satisfies((failure) -> {
					FailureAnalysis analysis = StartReport.explain(failure);
					assertThat(analysis.getDescription())
						.contains("it is in a scope, which creates it again after it was taken over");
					assertThat(analysis.getAction()).contains("Make the container a singleton");
				}));
	}

	/** Makes the bean behind a scope's proxy. */
	private static void made(ApplicationContext context, Class<?> type) {
		for (String name : context.getBeanNamesForType(type)) {
			if (ScopedProxyUtils.isScopedTarget(name)) {
				context.getBean(name);
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class AScope {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("a-scope", new SimpleThreadScope());
			return scopes;
		}

	}

	@Scope(scopeName = "a-scope", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Reachable {

		@RabbitListener(queues = "order")
		public void handle(String body) {
		}

	}

	@Scope(scopeName = "a-scope", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Unreachable {

		@RabbitListener(queues = "order")
		private void handle(String body) {
		}

	}

	record User(Reachable listener) {
	}

	@Configuration(proxyBeanMethods = false)
	static class ContainerInScope {

		@Bean
		@Scope(scopeName = "a-scope", proxyMode = ScopedProxyMode.TARGET_CLASS)
		static SimpleMessageListenerContainer container(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("order");
			container.setMessageListener((MessageListener) (message) -> {
			});
			container.setAutoStartup(false);
			return container;
		}

	}

}
