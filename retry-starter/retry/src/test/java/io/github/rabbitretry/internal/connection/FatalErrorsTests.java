/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.Lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class FatalErrorsTests {

	private final Watchdog watchdog = new Watchdog();

	private final FatalErrors errors = new FatalErrors(FatalErrorAction.STOP, this.watchdog);

	private final Consumer refusing = new Consumer();

	private final Consumer consumer = new Consumer();

	@BeforeEach
	void watch() {
		this.refusing.failure = new OutOfMemoryError("once more");
		this.errors.stopUponError(this.refusing);
		this.errors.stopUponError(this.consumer);
	}

	@AfterEach
	void stop() {
		this.watchdog.close();
	}

	@Test
	void consumersAreStoppedForGoodAlsoThoseThatCanNotBeAtFirst() {
		assertThat(this.errors.problems()).isEmpty();
		this.errors.failed("a reader", new OutOfMemoryError("heap"));
		Awaitility.await().until(() -> !this.consumer.running);
		assertThat(this.refusing.running).isTrue();
		this.refusing.failure = null;
		Awaitility.await().until(() -> !this.refusing.running);
		assertThat(this.errors.problems())
			.containsExactly(new HealthProblem("fatal-error", "a reader", "java.lang.OutOfMemoryError: heap"));
	}

	@Test
	void whatStartsAConsumerAgainDoesNotKeepItRunning() {
		this.errors.failed("a reader", new OutOfMemoryError("heap"));
		Awaitility.await().until(() -> !this.consumer.running);
		this.consumer.start();
		Awaitility.await().until(() -> !this.consumer.running);
	}

	@Test
	void aConsumerThatTakesLongToStopHoldsUpNoOther() {
		Consumer after = new Consumer();
		this.errors.stopUponError(after);
		CountDownLatch answered = new CountDownLatch(1);
		this.consumer.answered = answered;
		this.errors.failed("a reader", new OutOfMemoryError("heap"));
		Awaitility.await().until(() -> !after.running);
		after.start();
		Awaitility.await().until(() -> !after.running);
		assertThat(this.consumer.running).isTrue();
		assertThat(this.consumer.stops).hasValue(1);
		answered.countDown();
		Awaitility.await().until(() -> !this.consumer.running);
	}

	@Test
	void whatIsAddedAfterAnErrorIsStoppedToo() {
		this.errors.failed("a reader", new OutOfMemoryError("heap"));
		Consumer after = new Consumer();
		this.errors.stopUponError(after);
		Awaitility.await().until(() -> !after.running);
	}

	/** A container logs an error first, and there may be no memory for that. */
	@Test
	void aListenersThreadThatEndsStopsConsumers() {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setTaskExecutor(Runnable::run);
		this.errors.watch(container);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> threads(container).execute(() -> {
			throw new OutOfMemoryError("heap");
		}));
		Awaitility.await().until(() -> !this.consumer.running);
		assertThat(this.errors.problems()).extracting(HealthProblem::detail)
			.containsExactly("java.lang.OutOfMemoryError: heap");
	}

	@Test
	void aListenersThreadThatEndsByAnExceptionStopsNothing() {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setTaskExecutor(Runnable::run);
		this.errors.watch(container);
		assertThatIllegalStateException().isThrownBy(() -> threads(container).execute(() -> {
			throw new IllegalStateException();
		}));
		assertThat(this.errors.problems()).isEmpty();
	}

	@Test
	void threadsHaveTheNamesThatTheirContainerGivesThem() {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setListenerId("orders");
		this.errors.watch(container);
		AtomicReference<String> name = new AtomicReference<>();
		threads(container).execute(() -> name.set(Thread.currentThread().getName()));
		Awaitility.await().until(() -> "orders-1".equals(name.get()));
	}

	private static Executor threads(SimpleMessageListenerContainer container) {
		return Objects
			.requireNonNull(ProtectedGetter.call(AbstractMessageListenerContainer.class, "getTaskExecutor", container));
	}

	@Test
	void anErrorInAConsumerOfTheClientStopsConsumers() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		client.setExceptionHandler(new DefaultExceptionHandler() {

			@Override
			public void handleConsumerException(Channel channel, Throwable exception,
					com.rabbitmq.client.Consumer consumer, String consumerTag, String methodName) {
				// its channel is closed here
			}

		});
		this.errors.watch(factory);
		client.getExceptionHandler()
			.handleConsumerException(null, new IllegalStateException(), null, "tag", "handleDelivery");
		assertThat(this.errors.problems()).isEmpty();
		client.getExceptionHandler().handleConsumerException(null, new AssertionError(), null, "tag", "handleDelivery");
		Awaitility.await().until(() -> !this.consumer.running);
	}

	/**
	 * Even logging may fail. The client would leave the channel open, with its
	 * deliveries.
	 */
	@Test
	void aChannelIsClosedIfItsExceptionHandlerFails() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		client.setExceptionHandler(new DefaultExceptionHandler() {

			@Override
			public void handleConsumerException(Channel channel, Throwable exception,
					com.rabbitmq.client.Consumer consumer, String consumerTag, String methodName) {
				throw new NoClassDefFoundError("an appender");
			}

		});
		this.errors.watch(factory);
		CountDownLatch aborted = new CountDownLatch(1);
		Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Channel.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("abort")) {
						aborted.countDown();
					}
					return null;
				});
		client.getExceptionHandler()
			.handleConsumerException(channel, new IllegalStateException(), null, "tag", "handleDelivery");
		Awaitility.await().until(() -> aborted.getCount() == 0);
	}

	@Test
	void anOverflownStackStopsNothing() {
		this.errors.failed("a reader", new StackOverflowError());
		assertThat(this.errors.problems()).isEmpty();
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> this.consumer.running);
	}

	@Test
	void anExceptionHandlerThatFailsLeavesTheClientToCloseTheConnection() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		client.setExceptionHandler(new DefaultExceptionHandler() {

			@Override
			public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
				throw new OutOfMemoryError("handler");
			}

		});
		this.errors.watch(factory);
		client.getExceptionHandler().handleUnexpectedConnectionDriverException(null, new StackOverflowError());
		assertThat(this.errors.problems()).extracting(HealthProblem::detail)
			.containsExactly("java.lang.OutOfMemoryError: handler");
	}

	private static final class Consumer implements Lifecycle {

		private volatile boolean running = true;

		private volatile Error failure;

		private volatile CountDownLatch answered = new CountDownLatch(0);

		private final AtomicInteger stops = new AtomicInteger();

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.stops.incrementAndGet();
			try {
				this.answered.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (this.failure != null) {
				throw this.failure;
			}
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
