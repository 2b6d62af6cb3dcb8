/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import io.github.rabbitretry.internal.connection.ProtectedGetter;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;
import org.springframework.amqp.support.postprocessor.AbstractDecompressingPostProcessor;
import org.springframework.amqp.support.postprocessor.DelegatingDecompressingPostProcessor;
import org.springframework.util.Assert;
import org.springframework.util.ErrorHandler;

/**
 * What a container was given and does not give away again: its getters are protected.
 * What it does before the advice must be known, because it has to be moved behind it.
 *
 * @param advices the advice chain as configured
 * @param postProcessors what is applied to received messages
 * @param batchingStrategy how producers' batches are taken apart, or {@code null} if they
 * are not
 * @param dividesBatches whether each message of a producer's batch is settled by itself
 * @param listensToBatches whether the listener is given lists
 * @param propertiesConverter how properties are read
 * @param transactional whether a transaction manager is set
 * @param shutdownTimeout how long a stop waits for listeners
 * @param errorHandler what is asked about failures
 * @param requeues whether a failed delivery goes back to its queue, if nothing else is
 * said
 */
public record ContainerSettings(List<Advice> advices, List<MessagePostProcessor> postProcessors,
		@Nullable BatchingStrategy batchingStrategy, boolean dividesBatches, boolean listensToBatches,
		MessagePropertiesConverter propertiesConverter, boolean transactional, Duration shutdownTimeout,
		ErrorHandler errorHandler, boolean requeues) {

	public static ContainerSettings of(AbstractMessageListenerContainer container) {
		Collection<MessagePostProcessor> postProcessors = get(container, "getAfterReceivePostProcessors");
		List<MessagePostProcessor> processors = (postProcessors != null) ? List.copyOf(postProcessors) : List.of();
		boolean batches = listensToBatches(container.getMessageListener());
		// the adapter of a batch listener takes them apart, where the container does not
		boolean debatching = batches || ContainerSettings.<Boolean>require(container, "isDeBatchingEnabled");
		BatchingStrategy strategy = debatching ? require(container, "getBatchingStrategy") : null;
		return new ContainerSettings(List.of((Advice[]) require(container, "getAdviceChain")), processors, strategy,
				knowsItsMessages(strategy) && processors.stream().allMatch(ContainerSettings::decompresses), batches,
				require(container, "getMessagePropertiesConverter"), get(container, "getTransactionManager") != null,
				Duration.ofMillis(ContainerSettings.<Long>require(container, "getShutdownTimeout")),
				container.getErrorHandler(), require(container, "isDefaultRequeueRejected"));
	}

	/** Another one may take a copy of one message of a batch for a batch again. */
	private static boolean knowsItsMessages(@Nullable BatchingStrategy strategy) {
		return strategy != null && strategy.getClass() == SimpleBatchingStrategy.class;
	}

	/**
	 * Whether a post-processor leaves messages alone that it has processed before. A copy
	 * of one message of a batch can't be brought into the form that any other expects.
	 */
	private static boolean decompresses(MessagePostProcessor processor) {
		return (processor instanceof AbstractDecompressingPostProcessor
				|| processor instanceof DelegatingDecompressingPostProcessor) && leavesPlainMessagesAlone(processor);
	}

	/** Some decompress whatever they get. */
	private static boolean leavesPlainMessagesAlone(MessagePostProcessor decompressor) {
		byte[] plain = { 1 };
		try {
			return Arrays.equals(plain,
					decompressor.postProcessMessage(new Message(plain, new MessageProperties())).getBody());
		}
		catch (AmqpException ex) {
			return false;
		}
	}

	static boolean listensToBatches(@Nullable MessageListener listener) {
		return listener instanceof BatchMessageListener || listener instanceof ChannelAwareBatchMessageListener;
	}

	public ContainerSettings withShutdownTimeout(Duration atMost) {
		return new ContainerSettings(this.advices, this.postProcessors, this.batchingStrategy, this.dividesBatches,
				this.listensToBatches, this.propertiesConverter, this.transactional,
				(this.shutdownTimeout.compareTo(atMost) > 0) ? atMost : this.shutdownTimeout, this.errorHandler,
				this.requeues);
	}

	/** A producer's batch is handled, and handled again, as one message. */
	public ContainerSettings undivided() {
		return new ContainerSettings(this.advices, this.postProcessors, this.batchingStrategy, false,
				this.listensToBatches, this.propertiesConverter, this.transactional, this.shutdownTimeout,
				this.errorHandler, this.requeues);
	}

	/** How long to wait for handlers when the container stops. */
	public Duration patience() {
		return patience(this.shutdownTimeout);
	}

	/**
	 * How long to wait within the time after which a container closes channels.
	 * @param shutdownTimeout the container's
	 * @return a little less
	 */
	public static Duration patience(Duration shutdownTimeout) {
		return shutdownTimeout.multipliedBy(4).dividedBy(5);
	}

	public static <T> T require(AbstractMessageListenerContainer container, String getter) {
		T value = get(container, getter);
		Assert.state(value != null, () -> "%s of a listener container must not be null".formatted(getter));
		return value;
	}

	private static <T> @Nullable T get(AbstractMessageListenerContainer container, String getter) {
		return ProtectedGetter.call(AbstractMessageListenerContainer.class, getter, container);
	}

}
