/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.ReadRefusals;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.event.AmqpEvent;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.ConsumeOkEvent;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Reports queues that the broker refuses to consume from, as without permission to read
 * them. Containers try again and again, and only log that; a direct container publishes
 * no event of it.
 */
public final class RefusedConsumers implements ApplicationListener<AmqpEvent>, HealthSource {

	private final Set<String> queues;

	private final Map<String, String> refused = new ConcurrentHashMap<>();

	/**
	 * Creates the report.
	 * @param policies whose queues it is about
	 * @param connectionFactories whose channels are watched
	 */
	public RefusedConsumers(MessagePolicies policies, Stream<AbstractConnectionFactory> connectionFactories) {
		connectionFactories.forEach((factory) -> factory.addChannelListener(ReadRefusals.listener(this::refused)));
		this.queues = policies.queues();
	}

	@Override
	public void onApplicationEvent(AmqpEvent event) {
		if (event instanceof ConsumeOkEvent consumed) {
			this.refused.remove(consumed.getQueue());
		}
		else if (event instanceof ListenerContainerConsumerFailedEvent failed && !failed.isFatal()
				&& failed.getSource() instanceof AbstractMessageListenerContainer container
				&& failed.getThrowable() != null && isRefusal(failed.getThrowable())) {
			String why = BrokerText.of(failed.getThrowable());
			List<String> consumed = Arrays.stream(container.getQueueNames()).filter(this.queues::contains).toList();
			List<String> named = consumed.stream().filter((queue) -> why.contains("'" + queue + "'")).toList();
			(named.isEmpty() ? consumed : named).forEach((queue) -> this.refused.put(queue, why));
		}
	}

	void refused(String queue, String why) {
		if (this.queues.contains(queue)) {
			this.refused.put(queue, why);
		}
	}

	private static boolean isRefusal(Throwable failure) {
		return CauseChain.find(failure, ShutdownSignalException.class)
			.filter((signal) -> signal.getReason() instanceof AMQP.Channel.Close close
					&& close.getReplyCode() == AMQP.ACCESS_REFUSED)
			.isPresent();
	}

	@Override
	public List<HealthProblem> problems() {
		return this.refused.entrySet()
			.stream()
			.map((entry) -> new HealthProblem("listener-refused", entry.getKey(), entry.getValue()))
			.toList();
	}

}
