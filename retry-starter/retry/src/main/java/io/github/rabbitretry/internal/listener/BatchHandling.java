/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.DeliveryChannel;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * Handles messages that came together: a batch that the container gathered, or one that a
 * producer made. A listener of batches is called once with all of them. Whatever it
 * throws, each message is admitted, decided about and settled by itself.
 */
final class BatchHandling {

	private static final Log logger = LogFactory.getLog(BatchHandling.class);

	private static final RateLimitedLog split = new RateLimitedLog(logger, Duration.ofSeconds(30));

	/**
	 * The others wait for the local attempts of one, and the broker's consumer timeout,
	 * 30 minutes, is one for all.
	 */
	private static final Duration LOCAL_ATTEMPTS = Duration.ofMinutes(5);

	private final ManagedContainer container;

	private final Admission admission;

	private final RetryAdvice advice;

	BatchHandling(ManagedContainer container, Admission admission, RetryAdvice advice) {
		this.container = container;
		this.admission = admission;
		this.advice = advice;
	}

	/** What a container gathered. */
	void handle(MethodInvocation invocation, Channel channel, List<?> messages) {
		List<BatchItem> deliveries = new ArrayList<>(messages.size());
		for (Object each : messages) {
			Message message = (Message) each;
			MessageProperties properties = message.getMessageProperties();
			DeliveryChannel from = this.container.channel(channel, properties.getConsumerTag());
			Acknowledgement acknowledgement = new Acknowledgement(from, properties.getDeliveryTag());
			ListenerCall call = this.container.call(invocation, channel, message);
			ManagedQueue queue = this.container.queue(properties.getConsumerQueue());
			if (queue == null) {
				withoutPolicy(call, acknowledgement, from, deliveries.size() + 1);
			}
			else {
				ReceivedMessage received = RetryAdvice.received(queue, message);
				deliveries
					.add(new BatchItem(queue, call, this.advice.context(queue, received, call), acknowledgement, from));
			}
		}
		handle(deliveries, invocation, channel);
	}

	private void withoutPolicy(ListenerCall call, Acknowledgement acknowledgement, DeliveryChannel from, int own) {
		if (this.container.passGate(from, () -> own)) {
			MissingPolicy.handle(call, acknowledgement, this.container.settings());
			this.advice.uninterrupted();
		}
	}

	/** What a producer put into one delivery. */
	void handle(BatchItem delivery, MethodInvocation invocation, Channel channel) {
		handle(List.of(delivery), invocation, channel);
	}

	private void handle(List<BatchItem> deliveries, MethodInvocation invocation, Channel channel) {
		DeliveryChannel from = this.container.channel(channel, null);
		List<BatchItem> items = new ArrayList<>(deliveries.size());
		try {
			for (BatchItem delivery : deliveries) {
				items.addAll(divided(delivery, invocation, channel));
			}
			items.forEach((item) -> this.advice.received(item.queue(), item.acknowledgement()));
			if (!this.container.passGate(from, () -> deliveries(items))) {
				items.forEach(this::returned);
				return;
			}
			items.removeIf((item) -> !admitted(item));
			new Handling(from).handle(items);
		}
		catch (Throwable ex) {
			items.stream().filter((item) -> !item.acknowledgement().begun()).forEach((item) -> notSettled(item, ex));
		}
		this.container.leave(from);
	}

	/** How many deliveries wait for what becomes of these messages. */
	private static int deliveries(List<BatchItem> items) {
		return (int) items.stream().map((item) -> item.acknowledgement().delivery()).distinct().count();
	}

	private List<BatchItem> divided(BatchItem delivery, MethodInvocation invocation, Channel channel) {
		try {
			return delivery.call().divisible() ? parts(delivery, invocation, channel) : List.of(delivery);
		}
		catch (Throwable ex) {
			this.advice.received(delivery.queue(), delivery.acknowledgement());
			if (ex instanceof RuntimeException) {
				failed(delivery, ex);
			}
			else {
				notSettled(delivery, ex);
			}
			return List.of();
		}
	}

	private List<BatchItem> parts(BatchItem delivery, MethodInvocation invocation, Channel channel) {
		List<ProducerBatch.Part> parts = delivery.call().divide(delivery.context().received());
		List<Acknowledgement> acknowledgements = delivery.acknowledgement().divide(parts.size());
		List<BatchItem> items = new ArrayList<>(parts.size());
		for (int index = 0; index < parts.size(); index++) {
			ListenerCall call = this.container.call(invocation, channel, parts.get(index).message());
			items.add(new BatchItem(delivery.queue(), call,
					this.advice.context(delivery.queue(), parts.get(index).received(), call),
					acknowledgements.get(index), delivery.from()));
		}
		return items;
	}

	private boolean admitted(BatchItem item) {
		try {
			return this.admission.admitted(item.queue(), item.call(), item.context(), item.acknowledgement());
		}
		catch (Throwable ex) {
			notSettled(item, ex);
			return false;
		}
	}

	private void failed(BatchItem item, Throwable failure) {
		handled(item, (localRetry, call, again) -> {
			throw failure;
		});
	}

	private void handled(BatchItem item, RetryAdvice.Attempts attempts) {
		guarded(item, () -> this.advice.handle(item.queue(), item.call(), item.context(), item.acknowledgement(),
				item.from(), attempts));
	}

	private void succeeded(BatchItem item) {
		guarded(item, () -> this.advice.succeeded(item.queue(), item.context(), item.acknowledgement()));
	}

	private void acknowledged(BatchItem item) {
		guarded(item, () -> this.advice.acknowledge(item.queue().policy(), item.context().received(),
				item.acknowledgement()));
	}

	private void givenBack(BatchItem item) {
		item.acknowledgement().giveBack();
		returned(item);
	}

	private void returned(BatchItem item) {
		this.advice.returned(item.queue(), item.acknowledgement());
	}

	/** One message's trouble must not keep the others from being settled. */
	private void guarded(BatchItem item, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			notSettled(item, ex);
		}
	}

	private void notSettled(BatchItem item, Throwable failure) {
		this.advice.notSettled(item.queue(), item.call(), item.context().received(), item.acknowledgement(),
				item.call().redelivered(), failure);
	}

	/** Messages of one call of the container, which are handled until a certain time. */
	private final class Handling {

		private final DeliveryChannel from;

		private final long begunAt = System.nanoTime();

		Handling(DeliveryChannel from) {
			this.from = from;
		}

		void handle(List<BatchItem> items) {
			if (BatchHandling.this.container.settings().listensToBatches()) {
				handleTogether(items);
			}
			else {
				handleEach(items, (localRetry, call, again) -> localRetry.run(call, soon(again)));
			}
		}

		private void handleTogether(List<BatchItem> items) {
			while (items.size() > 1) {
				List<Message> messages = processed(items);
				if (items.size() > 1) {
					Throwable failure = call(items.get(0).call(), messages);
					Optional<BatchItemConverter.Failed> unconvertible = (failure != null)
							? BatchItemConverter.failed(failure, messages) : Optional.empty();
					if (unconvertible.isEmpty()) {
						items.forEach((item) -> item.call().ranTogether());
						handledTogether(items, failure);
						return;
					}
					failed(items.remove(unconvertible.get().index()), unconvertible.get().failure());
				}
			}
			handleEach(items, (localRetry, call, again) -> localRetry.run(call, soon(again)));
		}

		/** What can't be processed is no item any more. */
		private List<Message> processed(List<BatchItem> items) {
			List<Message> messages = new ArrayList<>(items.size());
			items.removeIf((item) -> {
				try {
					messages.add(item.call().processed());
					return false;
				}
				catch (Throwable ex) {
					failed(item, ex);
					return true;
				}
			});
			return messages;
		}

		private @Nullable Throwable call(ListenerCall call, List<Message> messages) {
			try {
				call.runTogether(messages);
				return null;
			}
			catch (Throwable ex) {
				return ex;
			}
			finally {
				BatchHandling.this.advice.uninterrupted();
			}
		}

		private void handledTogether(List<BatchItem> items, @Nullable Throwable failure) {
			if (failure == null) {
				items.forEach(BatchHandling.this::succeeded);
				return;
			}
			SortedMap<Integer, Throwable> named = BatchFailures.named(failure, items.size());
			if (!named.isEmpty()) {
				handleNamed(items, named);
			}
			else if (InfrastructureFailures.asksForAcknowledgement(failure)) {
				items.forEach(BatchHandling.this::acknowledged);
			}
			else if (InfrastructureFailures.interrupted(failure, BatchHandling.this.container.stopping())) {
				items.forEach(BatchHandling.this::givenBack);
			}
			else {
				split.warn(
						() -> ("A batch of %d messages of '%s' failed (%s), so that each of them is handled alone. To "
								+ "name those that fail, throw BatchItemsFailedException")
							.formatted(items.size(), items.get(0).messageType(),
									CauseChain.root(failure).getClass().getName()));
				logger.debug("A batch failed", failure);
				handleEach(items, (localRetry, call, again) -> localRetry.afterCommonCall().run(call, soon(again)));
			}
		}

		private void handleNamed(List<BatchItem> items, SortedMap<Integer, Throwable> named) {
			for (int index = 0; index < items.size(); index++) {
				if (!named.containsKey(index)) {
					succeeded(items.get(index));
				}
			}
			named.forEach((index, failure) -> handled(items.get(index),
					(localRetry, call, again) -> localRetry.goOn(call, soon(again), failure)));
		}

		private void handleEach(List<BatchItem> items, RetryAdvice.Attempts attempts) {
			for (int index = 0; index < items.size(); index++) {
				if (worthHandling(items.subList(index, items.size()))) {
					handled(items.get(index), attempts);
				}
				else {
					returned(items.get(index));
				}
			}
		}

		/** The broker may have it again, or get it back since the container stops. */
		private boolean worthHandling(List<BatchItem> first) {
			Acknowledgement acknowledgement = first.get(0).acknowledgement();
			return acknowledgement.open() && (acknowledgement.isPart()
					|| BatchHandling.this.container.passGate(this.from, () -> deliveries(first)));
		}

		private Predicate<Throwable> soon(Predicate<Throwable> again) {
			return (failure) -> System.nanoTime() - this.begunAt < LOCAL_ATTEMPTS.toNanos() && again.test(failure);
		}

	}

}
