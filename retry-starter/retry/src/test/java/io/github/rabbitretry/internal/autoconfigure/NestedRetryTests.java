/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.RetryConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Retries nested in ours that can be seen at startup.
 */
class NestedRetryTests {

	@ParameterizedTest
	@ValueSource(classes = { HandlerMethod.class, HandlerClass.class, RetryableClass.class, SpringRetryHandler.class,
			SpringRetryHandlerClass.class, DoubleProxy.class, AdapterBean.class })
	void aRetryAroundAListenerFailsStartup(Class<?> listener) {
		StartReport.application()
			.withUserConfiguration(listener)
			.withPropertyValues("rabbit-retry.message-policies.Refund.queue=refund", "rabbit-retry.topology.mode=none",
					"rabbit-retry.dead-letter-consumer.enabled=false")
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("on queue 'refund'")
					.contains("a second retry (")
					.containsPattern(
							"\\) around its method '\\w+' is nested in ours and would multiply the handler's calls.");
				assertThat(analysis.getAction()).startsWith("Remove @Retryable from the listener");
			});
	}

	@Test
	void anErrorNamesTheClassOfHandlers() {
		StartReport.application()
			.withUserConfiguration(HandlerMethod.class)
			.withPropertyValues("rabbit-retry.message-policies.Refund.queue=refund", "rabbit-retry.topology.mode=none",
					"rabbit-retry.dead-letter-consumer.enabled=false")
			.run((context) -> assertThat(StartReport.explain(context.getStartupFailure()).getDescription())
				.startsWith("Listener 'HandlerMethod' on queue 'refund' can't be retried safely"));
	}

	@Test
	void aRetryOfAnotherMethodOfTheListenerIsLeftAlone() {
		StartReport.application()
			.withUserConfiguration(RetryableElsewhere.class)
			.withPropertyValues("rabbit-retry.message-policies.Refund.queue=refund", "rabbit-retry.topology.mode=none",
					"rabbit-retry.dead-letter-consumer.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	@RabbitListener(queues = "refund", autoStartup = "false")
	static class HandlerMethod {

		@RabbitHandler
		void handle(Integer number) {
			// not retryable
		}

		@RabbitHandler
		@Retryable
		public void handle(String text) {
			// nothing arrives
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	@RabbitListener(queues = "refund", autoStartup = "false")
	@Retryable
	static class HandlerClass {

		@RabbitHandler(isDefault = true)
		public void handle(String text) {
			// nothing arrives
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	@Retryable
	static class RetryableClass {

		@RabbitListener(queues = "refund", autoStartup = "false")
		public void handle(String text) {
			// nothing arrives
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	static class RetryableElsewhere {

		@RabbitListener(queues = "refund", autoStartup = "false")
		public void handle(String text) {
			// nothing arrives
		}

		@Retryable
		public void call() {
			// a call to elsewhere
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(SpringRetry.class)
	@RabbitListener(queues = "refund", autoStartup = "false")
	static class SpringRetryHandler {

		@RabbitHandler
		@org.springframework.retry.annotation.Retryable
		public void handle(String text) {
			// nothing arrives
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(SpringRetry.class)
	@RabbitListener(queues = "refund", autoStartup = "false")
	@org.springframework.retry.annotation.Retryable
	static class SpringRetryHandlerClass {

		@RabbitHandler
		public void handle(String text) {
			// nothing arrives
		}

	}

	/** What EnableRetry imports, with an auto-proxy creator that needs no AspectJ. */
	@Configuration(proxyBeanMethods = false)
	@Import(RetryConfiguration.class)
	static class SpringRetry {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxies() {
			DefaultAdvisorAutoProxyCreator proxies = new DefaultAdvisorAutoProxyCreator();
			proxies.setProxyTargetClass(true);
			return proxies;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DoubleProxy {

		@Bean
		Refunds refunds() {
			ProxyFactory inner = new ProxyFactory(new Refunds());
			inner.setProxyTargetClass(true);
			inner.addAdvice(new UsersRetry());
			ProxyFactory outer = new ProxyFactory(inner.getProxy());
			outer.setProxyTargetClass(true);
			outer.addAdvice((MethodInterceptor) (invocation) -> invocation.proceed());
			return (Refunds) outer.getProxy();
		}

	}

	static class Refunds {

		@RabbitListener(queues = "refund", autoStartup = "false")
		public void handle(String text) {
			// nothing arrives
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AdapterBean {

		@Bean
		SimpleMessageListenerContainer refunds(ConnectionFactory connectionFactory) {
			ProxyFactory proxy = new ProxyFactory(new Refunds());
			proxy.setProxyTargetClass(true);
			proxy.addAdvice(new UsersRetry());
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("refund");
			container.setMessageListener(new MessageListenerAdapter(proxy.getProxy(), "handle"));
			container.setAutoStartup(false);
			return container;
		}

	}

	static class UsersRetry implements MethodInterceptor {

		@Override
		public Object invoke(org.aopalliance.intercept.MethodInvocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

}
