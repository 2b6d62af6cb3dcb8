/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.connection.ConnectionAborter;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.deadletter.ParkingHeaders;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.pipeline.DeliveryDecider;
import io.github.rabbitretry.internal.event.DeliveryListeners;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.metrics.ObservedAttempts;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.github.rabbitretry.internal.pipeline.DecisionExecutor;
import io.github.rabbitretry.internal.pipeline.RejectionEvents;
import io.github.rabbitretry.internal.pipeline.RetryQueueRedelivery;
import io.github.rabbitretry.internal.thread.Watchdog;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.support.StaticApplicationContext;

/**
 * A listener whose container is owned, fed by hand: everything is real but the broker.
 */
public final class ManagedTestListener extends AbstractMessageListenerContainer implements AutoCloseable {

	public static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private final RecordingChannel channel = new RecordingChannel();

	private final ConfirmedPublishers publishers = new ConfirmedPublishers(
			new HandoverSettings(100, Duration.ofSeconds(30), Duration.ofSeconds(5)));

	private final Watchdog watchdog = new Watchdog();

	private final FailureLog log = new FailureLog();

	private final Outcomes outcomes = new Outcomes();

	private final List<DeliveryListener> listeners = new ArrayList<>(List.of(this.outcomes));

	private final List<FailureClassifier> classifiers = new ArrayList<>();

	private InstantSource clock = InstantSource.fixed(NOW);

	private MessageConverter converter = new SimpleMessageConverter();

	private AttemptObserver observer = AttemptObserver.NONE;

	private MessageDeduplicator deduplicator = (queue, id, handler) -> {
		handler.run();
		return true;
	};

	private Runnable whenStopped = () -> {
	};

	private int calls;

	private boolean forwarded;

	private @Nullable RetryContainerConfigurer configurer;

	private volatile @Nullable CountDownLatch startsAfter;

	private volatile @Nullable CountDownLatch stopsAfter;

	private boolean failsToStart;

	public ManagedTestListener() {
		setConnectionFactory(this.channel.connectionFactory());
	}

	/** As a container that connects. */
	public void startsAfter(CountDownLatch latch) {
		this.startsAfter = latch;
	}

	/** Once, as a container whose broker does not answer; it runs until then. */
	public void stopsAfter(CountDownLatch latch) {
		this.stopsAfter = latch;
	}

	/** Once, as where its executor refuses a consumer. */
	public void failsToStart() {
		this.failsToStart = true;
	}

	@Override
	protected void doStart() {
		CountDownLatch latch = this.startsAfter;
		if (latch != null) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		super.doStart();
		if (this.failsToStart) {
			this.failsToStart = false;
			throw new IllegalStateException("a test");
		}
	}

	public ManagedTestListener listener(DeliveryListener listener) {
		this.listeners.add(0, listener);
		return this;
	}

	public ManagedTestListener classifier(FailureClassifier classifier) {
		this.classifiers.add(classifier);
		return this;
	}

	public ManagedTestListener deduplicator(MessageDeduplicator deduplicator) {
		this.deduplicator = deduplicator;
		return this;
	}

	public ManagedTestListener observations(ObservationRegistry registry) {
		StaticApplicationContext context = new StaticApplicationContext();
		context.registerBean(ObservationRegistry.class, () -> registry);
		context.refresh();
		setApplicationContext(context);
		setObservationEnabled(true);
		this.observer = new ObservedAttempts(registry, List.of());
		return this;
	}

	public void whenStopped(Runnable action) {
		this.whenStopped = action;
	}

	/** Messages with headers of ours don't come from the retry exchange. */
	public ManagedTestListener forwarded() {
		this.forwarded = true;
		return this;
	}

	public ManagedTestListener converter(MessageConverter converter) {
		this.converter = converter;
		return this;
	}

	public ManagedTestListener clock(InstantSource clock) {
		this.clock = clock;
		return this;
	}

	public ManagedTestListener start(MessagePolicy policy, Handler handler) {
		return startListener(policy, (ChannelAwareMessageListener) (message, channel) -> {
			this.calls++;
			handler.handle(message);
		});
	}

	public ManagedTestListener startBatches(MessagePolicy policy, BatchHandler handler) {
		return startListener(policy, (ChannelAwareBatchMessageListener) (messages, channel) -> {
			this.calls++;
			try {
				handler.handle(messages);
			}
			catch (Exception ex) {
				// as Spring AMQP's adapter does
				throw new ListenerExecutionFailedException("Listener method threw exception", ex,
						messages.toArray(Message[]::new));
			}
		});
	}

	private ObjectProvider<MessageDeduplicator> provider() {
		return new ObjectProvider<>() {
			@Override
			public Stream<MessageDeduplicator> stream() {
				return Stream.ofNullable(ManagedTestListener.this.deduplicator);
			}
		};
	}

	private ManagedTestListener startListener(MessagePolicy policy, MessageListener listener) {
		setQueueNames(policy.queue());
		setMessageListener(listener);
		RetryHeaders retryHeaders = new RetryHeaders(new ConsumerIdentity("worker", "worker:1.0"));
		ClassificationChain classification = new ClassificationChain(this.classifiers,
				ClassificationRules.of(List.of(), null), Clock.systemUTC());
		this.configurer = new RetryContainerConfigurer(new MessagePolicies(List.of(policy)), new ManagedContainers(),
				new ConsumerConnections(new ConnectionAborter(new StopDeadline(Duration.ofSeconds(5)))),
				new ManagedQueues(this.publishers,
						new Deduplicators(new MessagePolicies(List.of(policy)), provider(), provider()),
						this.dependencies(policy)),
				new DeliveryDecider(classification, new Decider(new Random(1)), DeliveryListeners.of(this.listeners),
						this.observer, this.clock),
				new DecisionExecutor(retryHeaders,
						new ParkingLotPublisher(new ParkingHeaders(new ConsumerIdentity("worker", "worker:1.0")),
								this.log),
						new RejectionEvents(this.converter, new ConsumerIdentity("worker", "worker:1.0")), this.log,
						DeliveryListeners.of(this.listeners), this.observer, new RetryQueueRedelivery()),
				this.watchdog);
		this.configurer.takeOver(this, ListenerDescription.of("test", getMessageListener()));
		start();
		return this;
	}

	private Dependencies dependencies(MessagePolicy policy) {
		return new Dependencies(new MessagePolicies(List.of(policy)), DeliveryListeners.of(this.listeners), this.clock);
	}

	/**
	 * Delivers a message as the broker and the container do; anything that escapes is
	 * thrown.
	 * @param queue the queue it comes from
	 * @param headers its headers
	 */
	public void deliver(String queue, Map<String, Object> headers) {
		deliver(queue, headers, false);
	}

	/**
	 * Delivers a message that was delivered before.
	 * @param headers its headers
	 */
	public void redeliver(Map<String, Object> headers) {
		deliver("order", headers, true);
	}

	/**
	 * Delivers a message, for the first time or again.
	 * @param queue the queue it comes from
	 * @param headers its headers
	 * @param redelivered whether the broker says that it was delivered before
	 */
	public void deliver(String queue, Map<String, Object> headers, boolean redelivered) {
		deliver(message(1, queue, headers, redelivered, null, "{}".getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * Delivers a message with a body.
	 * @param headers its headers
	 * @param body its body
	 */
	public void deliver(Map<String, Object> headers, byte[] body) {
		deliver(null, headers, body);
	}

	public void deliver(@Nullable String contentEncoding, Map<String, Object> headers, byte[] body) {
		deliver(message(1, "order", headers, false, contentEncoding, body));
	}

	/**
	 * Delivers messages {@code m-1} and so on as a container that gathers them.
	 * @param headers the headers of each
	 */
	public void deliverTogether(List<Map<String, Object>> headers) {
		deliverTogether(headers, Collections.nCopies(headers.size(), "{}".getBytes(StandardCharsets.UTF_8)));
	}

	public void deliverTogether(List<Map<String, Object>> headers, List<byte[]> bodies) {
		List<Message> messages = new ArrayList<>();
		for (int index = 0; index < headers.size(); index++) {
			messages.add(message(index + 1, "order", headers.get(index), false, null, bodies.get(index)));
		}
		deliver(messages);
	}

	public void deliverWithId(String messageId) {
		deliver(message(1, messageId, "order", Map.of(), false, null, "{}".getBytes(StandardCharsets.UTF_8)));
	}

	public void deliverWithId(String messageId, Map<String, Object> headers, byte[] body) {
		deliver(message(1, messageId, "order", headers, false, null, body));
	}

	private void deliver(Object data) {
		executeListener(this.channel.channel(), data);
		Awaitility.await().until(() -> this.publishers.pending("Order") == 0);
	}

	private Message message(int number, String queue, Map<String, Object> headers, boolean redelivered,
			@Nullable String contentEncoding, byte[] body) {
		return message(number, "m-" + number, queue, headers, redelivered, contentEncoding, body);
	}

	private Message message(int number, String messageId, String queue, Map<String, Object> headers,
			boolean redelivered, @Nullable String contentEncoding, byte[] body) {
		Map<String, Object> onTheWire = new HashMap<>(headers);
		onTheWire
			.replaceAll((name, value) -> (value instanceof String text) ? LongStringHelper.asLongString(text) : value);
		BasicProperties properties = new BasicProperties.Builder().deliveryMode(2)
			.messageId(messageId)
			.contentEncoding(contentEncoding)
			.headers(onTheWire)
			.build();
		boolean returned = headers.keySet()
			.stream()
			.anyMatch((name) -> name.startsWith("x-app-") || name.startsWith("x-replay"));
		MessageProperties converted = getMessagePropertiesConverter().toMessageProperties(properties,
				(returned && !this.forwarded) ? new Envelope(number, redelivered, "order.retry", "order")
						: new Envelope(number, redelivered, "order.command", "order.create"),
				"UTF-8");
		converted.setConsumerQueue(queue);
		return new Message(body, converted);
	}

	public void deliver(Map<String, Object> headers) {
		deliver("order", headers);
	}

	public void deliver() {
		deliver(Map.of());
	}

	public RetryContainerConfigurer configurer() {
		return Objects.requireNonNull(this.configurer, "it is started");
	}

	public RecordingChannel channel() {
		return this.channel;
	}

	public int calls() {
		return this.calls;
	}

	/**
	 * What listeners were told.
	 * @return how often by what
	 */
	public Map<String, Integer> told() {
		return this.outcomes.counts;
	}

	@Override
	protected void doInitialize() {
	}

	@Override
	protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
		this.whenStopped.run();
		CountDownLatch latch = this.stopsAfter;
		this.stopsAfter = null;
		if (latch != null) {
			// as the client waits, which no interrupt ends
			boolean interrupted = false;
			while (latch.getCount() > 0) {
				try {
					latch.await();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		if (callback != null) {
			callback.run();
		}
	}

	@Override
	public void close() {
		stop();
		if (this.configurer != null) {
			this.configurer.close();
		}
		this.watchdog.close();
		this.publishers.close();
		this.log.close();
	}

	/** What the listener does with a message. */
	public interface Handler {

		void handle(Message message) throws Exception;

	}

	/** What the listener does with a batch. */
	public interface BatchHandler {

		void handle(List<Message> messages) throws Exception;

	}

	private static final class Outcomes implements DeliveryListener {

		private final Map<String, Integer> counts = new ConcurrentSkipListMap<>();

		private void count(String what) {
			this.counts.merge(what, 1, Integer::sum);
		}

		@Override
		public void received(String messageType) {
			count("received");
		}

		@Override
		public void acknowledged(String messageType) {
			count("acknowledged");
		}

		@Override
		public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
			count("retried " + reason);
		}

		@Override
		public void replayEnded(String messageType, ReplayReference mark, ReplayReference.Outcome outcome) {
			count("replayed %s/%d %s".formatted(mark.replayId(), mark.item(), outcome));
		}

		@Override
		public void postponed(String messageType) {
			count("postponed");
		}

		@Override
		public void outageBegan(Outage outage) {
			count("outageBegan");
		}

		@Override
		public void throttled(String messageType) {
			count("throttled");
		}

		@Override
		public void quarantined(String messageType) {
			count("quarantined");
		}

		@Override
		public void escalated(EscalatedMessage message) {
			count("escalated " + message);
		}

		@Override
		public void parked(String messageType, String reason, FailureClass failureClass) {
			count("parked " + reason);
		}

		@Override
		public void discarded(String messageType, String reason) {
			count("discarded " + reason);
		}

		@Override
		public void rejected(String messageType, String reason) {
			count("rejected " + reason);
		}

		@Override
		public void duplicate(String messageType) {
			count("duplicate");
		}

		@Override
		public void returned(String messageType) {
			count("returned");
		}

	}

}
