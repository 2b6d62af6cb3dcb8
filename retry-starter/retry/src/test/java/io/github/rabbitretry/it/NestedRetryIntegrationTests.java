/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.retry.support.RetryTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Retries nested in ours that startup can't see: lambdas around a RetryTemplate.
 */
@ExtendWith(OutputCaptureExtension.class)
class NestedRetryIntegrationTests {

	private static final List<String> NESTED = List.of("nested.chain", "nested.proxy", "nested.handmade");

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void close() {
		NESTED.forEach(this.broker::deleteAll);
		this.broker.deleteAll("nested.none");
		this.broker.close();
	}

	@Test
	void aRetryInsideAnAdviceIsWarnedOfWhenItRepeatsACall(CapturedOutput output) {
		Application.handled.clear();
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"rabbit-retry.defaults.retry-backoff=fixed", "rabbit-retry.defaults.initial-delay=200ms",
				"rabbit-retry.defaults.broker-attempts=1", "rabbit-retry.defaults.local-attempts=2",
				"rabbit-retry.defaults.local-delay=10ms", "rabbit-retry.message-policies.Chain.queue=nested.chain",
				"rabbit-retry.message-policies.Proxy.queue=nested.proxy",
				"rabbit-retry.message-policies.Handmade.queue=nested.handmade",
				"rabbit-retry.message-policies.None.queue=nested.none")) {
			assertThat(application.isRunning()).isTrue();
			NESTED.forEach((queue) -> this.broker.sendJson(queue, "m", Map.of(), "\"fail\""));
			this.broker.sendJson("nested.none", "m", Map.of(), "\"fail\"");
			assertThat(NESTED).allSatisfy((queue) -> {
				this.broker.take(queue + ".parking-lot");
				assertThat(Application.handled).filteredOn(queue::equals).hasSize(12);
				assertThat(output)
					.containsOnlyOnce("The handler of queue '%s' is called again within one attempt".formatted(queue));
			});
			this.broker.take("nested.none.parking-lot");
			assertThat(Application.handled).filteredOn("nested.none"::equals).hasSize(4);
			assertThat(output).doesNotContain("The handler of queue 'nested.none'");
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		private static final RetryTemplate TEMPLATE = RetryTemplate.builder().maxAttempts(3).fixedBackoff(1).build();

		/** Its name tells nothing. */
		private static Advice advice() {
			return (MethodInterceptor) (invocation) -> TEMPLATE
				.<Object, Throwable>execute((context) -> proceed(invocation));
		}

		private static Object proceed(MethodInvocation invocation) throws Throwable {
			return ((org.springframework.aop.ProxyMethodInvocation) invocation).invocableClone().proceed();
		}

		@Bean
		static SimpleRabbitListenerContainerFactory advised(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setAdviceChain(advice());
			return factory;
		}

		@RabbitListener(queues = "nested.chain", containerFactory = "advised")
		void chain(Message message) {
			fail("nested.chain");
		}

		@RabbitListener(queues = "nested.none")
		void none(Message message) {
			fail("nested.none");
		}

		@Bean
		static Handlers handlers() {
			ProxyFactory proxy = new ProxyFactory(new Handlers());
			proxy.setProxyTargetClass(true);
			proxy.addAdvice(advice());
			return (Handlers) proxy.getProxy();
		}

		@Bean
		static SimpleMessageListenerContainer handmade(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("nested.handmade");
			container.setAdviceChain(advice());
			container.setMessageListener((MessageListener) (message) -> fail("nested.handmade"));
			return container;
		}

		private static void fail(String queue) {
			handled.add(queue);
			throw new IllegalStateException("told to");
		}

	}

	@RabbitListener(queues = "nested.proxy")
	static class Handlers {

		@RabbitHandler(isDefault = true)
		public void handle(Object any) {
			Application.fail("nested.proxy");
		}

	}

}
