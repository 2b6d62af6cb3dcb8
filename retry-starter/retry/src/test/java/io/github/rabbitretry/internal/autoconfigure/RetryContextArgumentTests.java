/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class RetryContextArgumentTests {

	private static final List<Object> HANDLED = new ArrayList<>();

	private final ApplicationContextRunner application = StartReport.application()
		.withBean(JacksonJsonMessageConverter.class, "*");

	@BeforeEach
	void forget() {
		HANDLED.clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "unrelated=x", "rabbit-retry.message-policies.Order.queue=order",
			"rabbit-retry.message-policies.Other.queue=another" })
	void isGivenBesideThePayloadWhoseTypeIsStillInferred(String policy) {
		this.application.withPropertyValues(policy).withUserConfiguration(Plain.class).run((context) -> {
			handle(context, Map.of(), "{\"id\":\"o-1\"}");
			assertThat(HANDLED).containsExactly(new Order("o-1"), 0, 0);
		});
	}

	@Test
	void isGivenToTheHandlerMethodsOfAClass() {
		this.application.withUserConfiguration(OfAClass.class).run((context) -> {
			handle(context, Map.of("__TypeId__", Order.class.getName()), "{\"id\":\"o-1\"}");
			handle(context, Map.of("__TypeId__", Refund.class.getName()), "{\"id\":\"r-1\"}");
			assertThat(HANDLED).containsExactly(new Order("o-1"), 0, new Refund("r-1"));
		});
	}

	@Test
	void leavesTheUsersArgumentResolversInPlace() {
		this.application.withUserConfiguration(ResolverOfTheUsers.class, Custom.class).run((context) -> {
			handle(context, Map.of("__TypeId__", Order.class.getName()), "{\"id\":\"o-1\"}");
			assertThat(HANDLED).containsExactly(new Order("o-1"), new Tenant("t"), 0);
		});
	}

	@Test
	void leavesTheUsersMethodFactoryInPlaceThoughItKnowsNothingOfUs() {
		this.application.withUserConfiguration(Custom.class, FactoryOfTheUsers.class).run((context) -> {
			handle(context, Map.of("__TypeId__", Order.class.getName()), "{\"id\":\"o-1\"}");
			assertThat(HANDLED).containsExactly(new Order("o-1"), new Tenant("t"), 0);
		});
	}

	@Test
	void whereNobodyAsksForItTheAdapterIsSprings() {
		this.application.withPropertyValues("rabbit-retry.message-policies.Order.queue=order")
			.withUserConfiguration(Unaware.class)
			.run((context) -> assertThat(container(context).getMessageListener())
				.isExactlyInstanceOf(MessagingMessageListenerAdapter.class));
	}

	@Test
	void whatCannotBeConvertedIsClassifiedAsEver() {
		this.application.withPropertyValues("rabbit-retry.message-policies.Order.queue=order")
			.withUserConfiguration(Plain.class)
			.run((context) -> {
				Throwable failure = catchThrowable(() -> handle(context, Map.of(), "{not json"));
				assertThat(context.getBean(ClassificationChain.class)
					.classify(failure, new FailedDelivery("Order", 0, new MessageProperties()))
					.reason()).isEqualTo("DESERIALIZATION_FAILED");
				assertThat(HANDLED).isEmpty();
			});
	}

	@Test
	void aBatchHasNone() {
		this.application.withUserConfiguration(Batch.class).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("Batch.handle(",
					"has a RetryContext argument, but receives batches");
			assertThat(analysis.getAction()).startsWith("Remove the argument");
		});
	}

	private static void handle(ApplicationContext context, Map<String, Object> headers, String body) throws Exception {
		MessageProperties properties = new MessageProperties();
		properties.setContentType("application/json");
		properties.setHeaders(headers);
		((MessagingMessageListenerAdapter) container(context).getMessageListener())
			.onMessage(new Message(body.getBytes(StandardCharsets.UTF_8), properties), null);
	}

	private static AbstractMessageListenerContainer container(ApplicationContext context) {
		return (AbstractMessageListenerContainer) context.getBean(RabbitListenerEndpointRegistry.class)
			.getListenerContainers()
			.iterator()
			.next();
	}

	record Order(String id) {
	}

	record Refund(String id) {
	}

	record Tenant(String id) {
	}

	static class Plain {

		@RabbitListener(queues = "order")
		void handle(Order order, RetryContext context,
				@Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
			context.spendDownstreamCall();
			HANDLED.addAll(List.of(order, context.attempt(), attempt));
		}

	}

	static class Unaware {

		@RabbitListener(queues = "order")
		void handle(Order order) {
		}

	}

	@RabbitListener(queues = "order")
	static class OfAClass {

		@RabbitHandler
		void handle(Order order, RetryContext context) {
			HANDLED.addAll(List.of(order, context.attempt()));
		}

		@RabbitHandler
		void handle(Refund refund) {
			HANDLED.add(refund);
		}

	}

	static class Custom {

		@RabbitListener(queues = "order")
		void handle(Order order, @Header(name = "none", required = false) String none, RetryContext context,
				Message message, Tenant tenant) {
			HANDLED.addAll(List.of(order, tenant, context.attempt()));
		}

	}

	static class Batch {

		@RabbitListener(queues = "order", batch = "true")
		void handle(List<Order> orders, RetryContext context) {
		}

	}

	static class ResolverOfTheUsers {

		@Bean
		RabbitListenerConfigurer configurer() {
			return (registrar) -> registrar.setCustomMethodArgumentResolvers(new TenantResolver());
		}

	}

	static class FactoryOfTheUsers {

		@Bean
		RabbitListenerConfigurer configurer() {
			DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
			factory.setCustomArgumentResolvers(List.of(new TenantResolver()));
			factory.afterPropertiesSet();
			return (registrar) -> registrar.setMessageHandlerMethodFactory(factory);
		}

	}

	static class TenantResolver implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == Tenant.class;
		}

		@Override
		public Object resolveArgument(MethodParameter parameter, org.springframework.messaging.Message<?> message) {
			return new Tenant("t");
		}

	}

}
