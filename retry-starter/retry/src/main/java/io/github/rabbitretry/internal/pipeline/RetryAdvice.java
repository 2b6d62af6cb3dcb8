/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import io.github.rabbitretry.internal.message.ForeignHeaderFilter;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * Around the listener of a managed container: sends each delivery through the pipeline of
 * its queue. Nothing that a listener throws gets past it, since the container would
 * requeue at once, or drop, or settle other deliveries too.
 */
public final class RetryAdvice implements MethodInterceptor {

	private final ManagedContainer container;

	private final Map<String, DeliveryPipeline> pipelines = new HashMap<>();

	private final BatchHandling batches;

	public RetryAdvice(ManagedContainer container, DeliveryDecider decider, DecisionExecutor executor) {
		DeliveryCompletion completion = new DeliveryCompletion(executor);
		this.container = container;
		this.batches = new BatchHandling(container, completion);
		container.queues()
			.forEach((name, queue) -> this.pipelines.put(name,
					new DeliveryPipeline(queue, container, decider, completion, this.batches)));
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) {
		Channel channel = (Channel) invocation.getArguments()[0];
		DeliveryChannel deliveries = this.container.channel(channel, null);
		deliveries.callBegins();
		try {
			handle(invocation, channel, deliveries);
		}
		finally {
			deliveries.callEnds();
		}
		return null;
	}

	private void handle(MethodInvocation invocation, Channel channel, DeliveryChannel from) {
		if (invocation.getArguments()[1] instanceof Message message) {
			ListenerDelivery delivery = delivery(invocation, channel, message);
			if (delivery != null) {
				delivery.pipeline().handle(delivery);
			}
			else {
				this.container.gate().leave(from);
			}
			return;
		}
		List<ListenerDelivery> deliveries = new ArrayList<>();
		for (Object message : (List<?>) invocation.getArguments()[1]) {
			ListenerDelivery delivery = delivery(invocation, channel, (Message) message);
			if (delivery != null) {
				deliveries.add(delivery);
			}
		}
		this.batches.handle(deliveries, from);
	}

	/**
	 * Begins a delivery's way.
	 * @return the delivery, or {@code null} if it was settled without a policy
	 */
	private @Nullable ListenerDelivery delivery(MethodInvocation invocation, Channel channel, Message message) {
		MessageProperties properties = message.getMessageProperties();
		DeliveryChannel deliveries = this.container.channel(channel, properties.getConsumerTag());
		Acknowledgement acknowledgement = new Acknowledgement(deliveries, properties.getDeliveryTag());
		DeliveryPipeline ofQueue = this.pipelines.get(properties.getConsumerQueue());
		if (ofQueue != null) {
			return delivery(ofQueue, this.container.call(invocation, channel, deliveries, message), acknowledgement);
		}
		if (this.container.gate().pass(deliveries)) {
			MissingPolicy.handle(this.container.call(invocation, channel, message), acknowledgement,
					this.container.settings());
			this.container.clearInterrupt();
		}
		return null;
	}

	private static ListenerDelivery delivery(DeliveryPipeline ofQueue, ListenerCall call,
			Acknowledgement acknowledgement) {
		try {
			return new ListenerDelivery(ofQueue, call, received(ofQueue.queue().policy(), call.message()),
					acknowledgement, call.redelivered());
		}
		catch (Throwable ex) {
			if (acknowledgement.channel().givesBackAtOnce()) {
				// those behind it must not be handled first
				acknowledgement.giveBack();
			}
			throw ex;
		}
	}

	/** Before the handler runs, which may change what it gets. */
	private static ReceivedMessage received(MessagePolicy policy, Message message) {
		MessageProperties properties = message.getMessageProperties();
		return ForeignHeaderFilter.removed(policy,
				new ReceivedMessage(ReceivedPropertiesConverter.received(properties), message.getBody(),
						orEmpty(properties.getReceivedExchange()), orEmpty(properties.getReceivedRoutingKey()),
						orEmpty(properties.getConsumerQueue())));
	}

	private static String orEmpty(@Nullable String text) {
		return (text != null) ? text : "";
	}

}
