/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.BlockingQueueConsumer;
import org.springframework.beans.PropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.StringUtils;

/**
 * The threads of a listener container. One that ends with an {@link Error} leaves its
 * channel open, with the deliveries in it, and the container does not close it when it
 * stops: it counts as ended.
 */
final class ContainerThreads implements Executor {

	private final Executor threads;

	private final Consumer<Error> failed;

	private final Set<Task> tasks = ConcurrentHashMap.newKeySet();

	private volatile boolean leftOpen;

	/**
	 * Takes the place of the executor that a container would use.
	 * @param container the container, not yet started
	 * @param failed is called with an error that ends a thread
	 */
	ContainerThreads(AbstractMessageListenerContainer container, Consumer<Error> failed) {
		this.threads = executor(container);
		this.failed = failed;
	}

	/**
	 * The application's, or one that names threads as the container would when it is
	 * initialized.
	 */
	private static Executor executor(AbstractMessageListenerContainer container) {
		boolean chosen = Boolean.TRUE
			.equals(PropertyAccessorFactory.forDirectFieldAccess(container).getPropertyValue("taskExecutorSet"));
		if (!chosen && StringUtils.hasText(container.getListenerId())) {
			return new SimpleAsyncTaskExecutor(container.getListenerId() + "-");
		}
		return Objects
			.requireNonNull(ProtectedGetter.call(AbstractMessageListenerContainer.class, "getTaskExecutor", container));
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(new Task(task));
	}

	/**
	 * Whether a thread has left its channel open.
	 * @return {@code false} once {@link #closeLeftOpen()} has closed all
	 */
	boolean leftOpen() {
		return this.leftOpen;
	}

	/** Closes what threads have left open. */
	void closeLeftOpen() {
		this.leftOpen = false;
		try {
			this.tasks.forEach(Task::closeIfEnded);
		}
		catch (Throwable ex) {
			this.leftOpen = true;
			throw ex;
		}
	}

	private final class Task implements Runnable {

		private final Runnable task;

		private volatile boolean ended;

		private @Nullable ChannelClosing closing;

		Task(Runnable task) {
			this.task = task;
		}

		@Override
		public void run() {
			ContainerThreads.this.tasks.add(this);
			try {
				this.task.run();
			}
			catch (Error ex) {
				// the container logs it first, which may need more memory than there is
				this.ended = true;
				ContainerThreads.this.leftOpen = true;
				ContainerThreads.this.failed.accept(ex);
				throw ex;
			}
			finally {
				if (!this.ended) {
					ContainerThreads.this.tasks.remove(this);
				}
			}
		}

		void closeIfEnded() {
			if (this.ended) {
				try {
					close();
				}
				catch (IOException | TimeoutException ex) {
					throw new IllegalStateException("The channel of a consumer that an error ended is open", ex);
				}
				ContainerThreads.this.tasks.remove(this);
			}
		}

		private void close() throws IOException, TimeoutException {
			if (this.closing == null) {
				BlockingQueueConsumer consumer = consumer();
				Channel channel = (consumer != null) ? consumer.getChannel() : null;
				if (consumer == null || channel == null) {
					return;
				}
				this.closing = new ChannelClosing(
						(channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel, consumer::stop);
			}
			this.closing.attempt();
		}

		/** The consumer of a simple container; a direct one has no threads of its own. */
		private @Nullable BlockingQueueConsumer consumer() {
			PropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(this.task);
			return fields.isReadableProperty("consumer")
					&& fields.getPropertyValue("consumer") instanceof BlockingQueueConsumer consumer ? consumer : null;
		}

	}

}
