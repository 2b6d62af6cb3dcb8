/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * The registry of all listeners, Boot's container factory, the user's own and endpoints
 * registered later alike: the one place where every container passes by before it is
 * initialized.
 */
public class RetryListenerEndpointRegistry extends ContextProvidingRegistry implements SmartInitializingSingleton {

	private final Supplier<RetryContainerConfigurer> configurer;

	private final Supplier<SecondContainers> seconds;

	private @Nullable ScopedListeners scoped;

	/** The first one whose container retries, until all listeners are known. */
	private @Nullable UnsupportedListenerException refused;

	private boolean complete;

	/**
	 * Creates the registry.
	 * @param configurer takes containers over; a post-processor of beans may need the
	 * registry before it can be made
	 */
	public RetryListenerEndpointRegistry(ObjectProvider<RetryContainerConfigurer> configurer) {
		this.configurer = SingletonSupplier.of(configurer::getObject);
		this.seconds = SingletonSupplier.of(() -> configurer().seconds());
	}

	private RetryContainerConfigurer configurer() {
		return this.configurer.get();
	}

	@Override
	public void setApplicationContext(ApplicationContext applicationContext) {
		super.setApplicationContext(applicationContext);
		this.scoped = new ScopedListeners(applicationContext);
	}

	@Override
	public void registerListenerContainer(RabbitListenerEndpoint endpoint, RabbitListenerContainerFactory<?> factory,
			boolean startImmediately) {
		if (endpoint instanceof MethodRabbitListenerEndpoint method && this.scoped != null) {
			List<String> queues = queues(method);
			if (!configurer().policies(queues).isEmpty() && !this.scoped.register(method, queues)) {
				return;
			}
		}
		super.registerListenerContainer(endpoint, factory, startImmediately);
	}

	private static List<String> queues(MethodRabbitListenerEndpoint endpoint) {
		return Stream.concat(endpoint.getQueueNames().stream(), endpoint.getQueues().stream().map(Queue::getName))
			.toList();
	}

	@Override
	protected MessageListenerContainer createListenerContainer(RabbitListenerEndpoint endpoint,
			RabbitListenerContainerFactory<?> factory) {
		return super.createListenerContainer(endpoint, takingOver(factory, ListenerDescription.of(endpoint)));
	}

	private <C extends MessageListenerContainer> RabbitListenerContainerFactory<C> takingOver(
			RabbitListenerContainerFactory<C> factory, ListenerDescription listener) {
		return (endpoint) -> {
			C container = factory.createListenerContainer(endpoint);
			for (SecondQueue queue : takeOver(container, listener)) {
				second(queue, factory.createListenerContainer(endpoint), container);
			}
			return container;
		};
	}

	private List<SecondQueue> takeOver(MessageListenerContainer container, ListenerDescription listener) {
		try {
			return configurer().takeOver(container, listener);
		}
		catch (UnsupportedListenerException ex) {
			if (this.complete || !ex.isOfContainerRetry()) {
				throw ex;
			}
			this.refused = (this.refused != null) ? this.refused : ex;
			return List.of();
		}
	}

	/** After all listeners of annotations are registered. */
	@Override
	public void afterSingletonsInstantiated() {
		this.complete = true;
		if (this.refused != null) {
			throw this.refused.with(configurer().losingTheirRetry());
		}
	}

	private void second(SecondQueue queue, MessageListenerContainer second, MessageListenerContainer own) {
		if (second instanceof AbstractMessageListenerContainer like
				&& own instanceof AbstractMessageListenerContainer ownContainer) {
			MessageListener listener = like.getMessageListener();
			if (listener != null) {
				this.seconds.get()
					.add(ownContainer,
							configurer().second(like, ContainerSettings.of(like), listener, ownContainer, queue),
							queue);
			}
		}
	}

	/**
	 * Starts the containers of policies' queues side by side. Each waits for the broker
	 * several times until it consumes, and hundreds of them one after the other would
	 * take seconds.
	 */
	@Override
	public void start() {
		configurer().starts(getListenerContainers()::contains);
		SideBySide.start(getListenerContainers().stream().filter(configurer()::manages).toList());
		super.start();
		this.seconds.get().start();
	}

	@Override
	public void stop() {
		quiesced(() -> {
			CompletableFuture<Void> stopped = this.seconds.get().hold(configurer().stopTime());
			SideBySide.stop(getListenerContainers().stream().filter(this::isCalledByConnection).toList());
			super.stop();
			stopped.join();
			this.seconds.get().release();
		});
	}

	@Override
	public void stop(Runnable callback) {
		quiesced(() -> {
			CompletableFuture<Void> stopped = this.seconds.get().hold(configurer().stopTime());
			super.stop(() -> stopped.thenRun(() -> {
				this.seconds.get().release();
				callback.run();
			}));
		});
	}

	/**
	 * Its deliveries are held on threads of the connection that it shares with others,
	 * whose consumers can't be cancelled without such a thread.
	 */
	private boolean isCalledByConnection(MessageListenerContainer container) {
		return container instanceof DirectMessageListenerContainer && configurer().manages(container);
	}

	@Override
	public void destroy() {
		this.seconds.get().destroy(configurer().stopTime());
		super.destroy();
	}

	private void quiesced(Runnable stop) {
		Predicate<MessageListenerContainer> stopped = getListenerContainers()::contains;
		configurer().quiesce(stopped);
		try {
			stop.run();
		}
		finally {
			configurer().resume(stopped);
		}
	}

	/**
	 * Also while all are paused in an outage: Spring stops only what is running, and an
	 * application that ends would be started listeners.
	 */
	@Override
	public boolean isRunning() {
		return super.isRunning() || getListenerContainers().stream().anyMatch(configurer()::paused);
	}

}
