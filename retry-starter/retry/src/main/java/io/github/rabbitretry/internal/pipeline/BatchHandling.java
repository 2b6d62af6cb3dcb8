/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiPredicate;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.invocation.BatchFailures;
import io.github.rabbitretry.internal.invocation.BatchItemConverter;
import io.github.rabbitretry.internal.invocation.InfrastructureFailures;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import io.github.rabbitretry.internal.invocation.LocalRetry;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;

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

	private final DeliveryCompletion completion;

	BatchHandling(ManagedContainer container, DeliveryCompletion completion) {
		this.container = container;
		this.completion = completion;
	}

	/**
	 * Handles deliveries that one call of the listener is for.
	 * @param deliveries the deliveries, of which each may be a batch itself
	 * @param from the channel that they came through
	 */
	void handle(List<ListenerDelivery> deliveries, DeliveryChannel from) {
		List<ListenerDelivery> items = new ArrayList<>(deliveries.size());
		try {
			for (ListenerDelivery delivery : deliveries) {
				items.addAll(divided(delivery));
			}
			items.forEach(this.completion::received);
			if (!this.container.gate().pass(from)) {
				items.forEach(this.completion::returned);
				return;
			}
			items.removeIf((item) -> !this.completion.guarded(item, () -> item.pipeline().admits(item), false));
			new Handling(from).handle(items);
		}
		catch (Throwable ex) {
			items.stream()
				.filter((item) -> !item.acknowledgement().begun())
				.forEach((item) -> this.completion.settlementFailed(item, ex));
		}
		this.container.gate().leave(from);
	}

	private List<ListenerDelivery> divided(ListenerDelivery delivery) {
		try {
			return delivery.call().divisible() ? delivery.parts() : List.of(delivery);
		}
		catch (Throwable ex) {
			this.completion.received(delivery);
			if (ex instanceof RuntimeException) {
				failed(delivery, ex);
			}
			else {
				this.completion.settlementFailed(delivery, ex);
			}
			return List.of();
		}
	}

	private void failed(ListenerDelivery item, Throwable failure) {
		handled(item, (localRetry, delivery, again) -> {
			throw failure;
		});
	}

	private void handled(ListenerDelivery item, ListenerDelivery.Attempts attempts) {
		item.attempts(attempts);
		this.completion.guarded(item, () -> item.pipeline().handleAdmitted(item));
	}

	/** One message's trouble must not keep the others from being settled. */
	/** Messages of one call of the container, which are handled until a certain time. */
	private final class Handling {

		private final DeliveryChannel from;

		private final long begunAt = System.nanoTime();

		Handling(DeliveryChannel from) {
			this.from = from;
		}

		void handle(List<ListenerDelivery> items) {
			if (BatchHandling.this.container.settings().listensToBatches()) {
				handleTogether(items);
			}
			else {
				handleEach(items, this::callAlone);
			}
		}

		private void handleTogether(List<ListenerDelivery> items) {
			while (items.size() > 1) {
				List<Message> messages = processed(items);
				if (items.size() > 1) {
					Throwable failure = call(items.get(0).call(), messages);
					Optional<BatchItemConverter.Failed> unconvertible = (failure != null)
							? BatchItemConverter.failed(failure, messages) : Optional.empty();
					if (unconvertible.isEmpty()) {
						items.forEach((item) -> item.call().markInvoked());
						handledTogether(items, failure);
						return;
					}
					failed(items.remove(unconvertible.get().index()), unconvertible.get().failure());
				}
			}
			handleEach(items, this::callAlone);
		}

		/** What can't be processed is no item any more. */
		private List<Message> processed(List<ListenerDelivery> items) {
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
				BatchHandling.this.container.clearInterrupt();
			}
		}

		private void handledTogether(List<ListenerDelivery> items, @Nullable Throwable failure) {
			DeliveryCompletion completion = BatchHandling.this.completion;
			if (failure == null) {
				items.forEach((item) -> completion.guarded(item, () -> completion.succeeded(item)));
				return;
			}
			SortedMap<Integer, Throwable> named = BatchFailures.named(failure, items.size());
			if (!named.isEmpty()) {
				handleNamed(items, named);
			}
			else if (InfrastructureFailures.asksForAcknowledgement(failure)) {
				items.forEach((item) -> completion.guarded(item, () -> completion.acknowledge(item)));
			}
			else if (InfrastructureFailures.interrupted(failure, BatchHandling.this.container.gate().stopping())) {
				items.forEach(completion::giveBack);
			}
			else {
				split.warn(
						() -> ("A batch of %s messages of '%s' failed (%s), so that each of them is handled alone. To "
								+ "name those that fail, throw BatchItemsFailedException")
							.formatted(items.size(), items.get(0).messageType(),
									CauseChain.root(failure).getClass().getName()));
				if (items.get(0).policy().exceptionTexts() == ExceptionTexts.FULL) {
					logger.debug("A batch failed", failure);
				}
				handleEach(items, (localRetry, item, again) -> callAlone(localRetry.afterCommonCall(), item, again));
			}
		}

		private void handleNamed(List<ListenerDelivery> items, SortedMap<Integer, Throwable> named) {
			for (int index = 0; index < items.size(); index++) {
				ListenerDelivery item = items.get(index);
				if (!named.containsKey(index)) {
					BatchHandling.this.completion.guarded(item, () -> BatchHandling.this.completion.succeeded(item));
				}
			}
			named.forEach((index, failure) -> handled(items.get(index), (localRetry, item, again) -> localRetry
				.goOn(item.call(), (next) -> soon() && again.test(item, next), failure)));
		}

		private void handleEach(List<ListenerDelivery> items, ListenerDelivery.Attempts attempts) {
			for (int index = 0; index < items.size(); index++) {
				if (worthHandling(items.get(index))) {
					handled(items.get(index), attempts);
				}
				else {
					BatchHandling.this.completion.returned(items.get(index));
				}
			}
		}

		/** The broker may have it again, or get it back since the container stops. */
		private boolean worthHandling(ListenerDelivery item) {
			Acknowledgement acknowledgement = item.acknowledgement();
			return acknowledgement.open()
					&& (acknowledgement.isPart() || BatchHandling.this.container.gate().pass(this.from));
		}

		private void callAlone(LocalRetry localRetry, ListenerDelivery item,
				BiPredicate<ListenerDelivery, Throwable> again) throws Throwable {
			localRetry.run(item.call(), (failure) -> soon() && again.test(item, failure));
		}

		private boolean soon() {
			return System.nanoTime() - this.begunAt < LOCAL_ATTEMPTS.toNanos();
		}

	}

}
