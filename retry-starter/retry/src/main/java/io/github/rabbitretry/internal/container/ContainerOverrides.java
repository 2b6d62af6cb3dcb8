/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;

import io.github.rabbitretry.internal.invocation.AsyncResultHandlerAdapter;
import io.github.rabbitretry.internal.invocation.BatchItemConverter;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.message.ReceivedMessageErrorHandler;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.MessageBatch;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.BatchMessagingMessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;

/**
 * What a managed container does otherwise than it is configured to, so that nothing is
 * done before the advice, and nothing but the advice settles a delivery.
 */
public final class ContainerOverrides {

	private final ContainerSettings settings;

	private final Collection<String> textHeaders;

	/**
	 * Creates the overrides.
	 * @param settings what the container was configured to do
	 * @param textHeaders headers that are read as texts
	 */
	public ContainerOverrides(ContainerSettings settings, Collection<String> textHeaders) {
		this.settings = settings;
		this.textHeaders = textHeaders;
	}

	/**
	 * Changes a container.
	 * @param managed the container, not running
	 * @param advice around all of its other advices
	 */
	public void apply(ManagedContainer managed, Advice advice) {
		AbstractMessageListenerContainer container = managed.container();
		List<Advice> chain = new ArrayList<>(List.of(advice));
		chain.addAll(this.settings.advices());
		container.setAdviceChain(chain.toArray(Advice[]::new));
		container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
		container.setMessagePropertiesConverter(new ReceivedPropertiesConverter(this.settings.propertiesConverter(),
				this.settings.listensToBatches(), this.textHeaders));
		if (container.getErrorHandler().getClass() == ConditionalRejectingErrorHandler.class) {
			container.setErrorHandler(new ReceivedMessageErrorHandler());
		}
		// both run before the advice otherwise, where a failure would leave the delivery
		// unsettled for good
		container.setDeBatchingEnabled(false);
		container.setAfterReceivePostProcessors(new MessagePostProcessor[0]);
		ConsumerWidth.prefetchOnly(container, this.settings.listensToBatches());
		if (this.settings.listensToBatches()) {
			// one that gathers batches takes producers' batches apart all the same
			container.setBatchingStrategy(new UndividedBatches());
		}
		if (container instanceof SimpleMessageListenerContainer simple) {
			// a consumer that ends alone closes its channel with the originals that it
			// holds
			simple.setStopConsumerMinInterval(Long.MAX_VALUE / 2);
			simple.setImmediateScaleDown(false);
		}
		container.setShutdownTimeout(this.settings.shutdownTimeout().toMillis());
		// it would close channels without cancelling their consumers, so that the broker
		// delivers again what is given back; which is all that is held, at once
		container.setForceStop(false);
		listen(managed, container);
	}

	private void listen(ManagedContainer managed, AbstractMessageListenerContainer container) {
		if (container.getMessageListener() instanceof MessagingMessageListenerAdapter adapter) {
			// or an error handler that returns null acknowledges besides us
			adapter.setAcknowledgeOnError(false);
			AsyncResultHandlerAdapter.install(adapter, managed.patienceWithResults());
			if (adapter instanceof BatchMessagingMessageListenerAdapter batches) {
				BatchItemConverter.install(batches);
			}
		}
	}

	/** Takes no batch apart, and makes none. */
	private static final class UndividedBatches implements BatchingStrategy {

		@Override
		public @Nullable MessageBatch addToBatch(@Nullable String exchange, @Nullable String routingKey,
				Message message) {
			return null;
		}

		@Override
		public @Nullable Date nextRelease() {
			return null;
		}

		@Override
		public Collection<MessageBatch> releaseBatches() {
			return List.of();
		}

	}

}
