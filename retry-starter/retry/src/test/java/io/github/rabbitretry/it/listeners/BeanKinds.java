/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;

import io.github.rabbitretry.it.TestBroker;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.core.task.support.ExecutorServiceAdapter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kinds that differ in how their bean is made, or their thread.
 */
final class BeanKinds {

	private BeanKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(new VirtualThreads(),
				new ListenerKind("lazy initialization",
						new KindsApplication(LazyApplication.class, "spring.main.lazy-initialization=true")),
				new Refreshed());
	}

	/** A thread of its own for each consumer, from Java 21 on. */
	private static final class VirtualThreads extends ListenerKind {

		VirtualThreads() {
			super("virtual threads",
					new KindsApplication(VirtualApplication.class, "spring.threads.virtual.enabled=true"));
		}

		@Override
		boolean possible() {
			return Runtime.version().feature() >= 21;
		}

	}

	/** Its bean is made anew before each message. */
	private static final class Refreshed extends ListenerKind {

		Refreshed() {
			super("@RefreshScope bean", new KindsApplication(RefreshedApplication.class));
		}

		@Override
		void send(TestBroker broker, String id, Outcome outcome) {
			RefreshedApplication.scope.refresh();
			super.send(broker, id, outcome);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(DeliveryRecord.class)
	static class VirtualApplication {

		@Bean
		static JacksonJsonMessageConverter json() {
			return AnnotatedApplication.json();
		}

		/** Listeners of direct containers run on the connection's threads. */
		@Bean
		static BeanPostProcessor virtualThreads() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessBeforeInitialization(Object bean, String name) {
					if (bean instanceof CachingConnectionFactory factory) {
						factory.setExecutor(new ExecutorServiceAdapter(new VirtualThreadTaskExecutor("connection-")));
					}
					return bean;
				}

			};
		}

		@RabbitListener(queues = "kinds.virtual-threads")
		void handle(Order order) {
			assertThat(Thread.currentThread().toString()).startsWith("VirtualThread");
			HandlerCalls.handle(order.id());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ DeliveryRecord.class, LazyListener.class })
	static class LazyApplication {

		@Bean
		static JacksonJsonMessageConverter json() {
			return AnnotatedApplication.json();
		}

	}

	static class LazyListener {

		@RabbitListener(queues = "kinds.lazy-initialization")
		void handle(Order order) {
			HandlerCalls.handle(order.id());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ DeliveryRecord.class, RefreshedListener.class })
	static class RefreshedApplication {

		static final RefreshingScope scope = new RefreshingScope();

		@Bean
		static JacksonJsonMessageConverter json() {
			return AnnotatedApplication.json();
		}

		@Bean
		static CustomScopeConfigurer refreshScope() {
			// of an application that was started before
			scope.refresh();
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope(RefreshingScope.NAME, scope);
			return scopes;
		}

		@Bean
		static RefreshingScope.Eager eager() {
			return new RefreshingScope.Eager();
		}

	}

	@Scope(scopeName = RefreshingScope.NAME, proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class RefreshedListener {

		@RabbitListener(queues = "kinds.refreshscope-bean")
		public void handle(Order order) {
			HandlerCalls.handle(order.id());
		}

	}

}
