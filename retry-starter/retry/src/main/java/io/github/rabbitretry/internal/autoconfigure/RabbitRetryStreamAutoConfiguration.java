/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.stream.Collectors;

import io.github.rabbitretry.internal.listener.BinderContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MessageListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.config.ListenerContainerCustomizer;
import org.springframework.cloud.stream.config.MessageSourceCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what fails startup where a binding of Spring Cloud Stream
 * consumes a policy's queue.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass(value = ListenerContainerCustomizer.class,
		name = "org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder")
@ConditionalOnBean(MessagePolicies.class)
public final class RabbitRetryStreamAutoConfiguration {

	@Bean
	BinderContainers rabbitRetryBinderContainers(MessagePolicies policies) {
		return new BinderContainers(policies);
	}

	/** The binder takes all there are. */
	@Bean
	ListenerContainerCustomizer<MessageListenerContainer> rabbitRetryBinderContainerCheck(BinderContainers containers,
			ObjectProvider<BindingServiceProperties> bindings) {
		return new Check<>(containers, bindings);
	}

	/**
	 * For polled consumers, which have no container. The binder accepts only one, so the
	 * application's own takes precedence. Typed by a wildcard, since the class of the
	 * source may be absent.
	 */
	@Bean
	@ConditionalOnMissingBean(MessageSourceCustomizer.class)
	MessageSourceCustomizer<?> rabbitRetryBinderSourceCheck(BinderContainers containers,
			ObjectProvider<BindingServiceProperties> bindings) {
		return (source, queue, group) -> containers.check(new String[] { queue },
				() -> "binding " + Check.name(bindings.getObject(), queue, group));
	}

	/** May be given the containers of other binders too. */
	private record Check<T>(BinderContainers containers,
			ObjectProvider<BindingServiceProperties> bindings) implements ListenerContainerCustomizer<T> {

		@Override
		public void configure(T container, String queue, String group) {
			if (container instanceof AbstractMessageListenerContainer rabbit) {
				this.containers.check(rabbit.getQueueNames(),
						() -> "binding " + name(this.bindings.getObject(), queue, group));
			}
		}

		/** The binder knows only what it was made of. */
		private static String name(BindingServiceProperties bindings, String queue, String group) {
			String names = bindings.getBindings()
				.keySet()
				.stream()
				.filter((name) -> group.equals(bindings.getGroup(name))
						&& (queue.contains(bindings.getBindingDestination(name)) || queue.contains(group)))
				.sorted()
				.collect(Collectors.joining(", "));
			return names.isEmpty() ? "of group " + group : names;
		}

	}

}
