/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.connection.FatalErrors;
import io.github.rabbitretry.event.OccasionalWarning;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.context.SmartLifecycle;

/**
 * Moves messages from the parking lots into the ledger. A message is acknowledged after
 * the transaction that stores it is committed, never before: if the process dies in
 * between, the message comes again and its row is found. While the database is away,
 * messages stay in their queues.
 */
public final class LedgerIngestion implements ChannelAwareBatchMessageListener, SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LedgerIngestion.class);

	/** Before triage and the listeners start, and after they ended. */
	private static final int PHASE = Integer.MAX_VALUE - 2048;

	/** RabbitMQ lets a consumer of a quorum queue hold at most this many. */
	private static final int MOST_HELD = 2000;

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	/** How long to wait for a batch to become full. */
	private static final Duration GATHERING = Duration.ofMillis(100);

	private final OccasionalWarning away = new OccasionalWarning(logger, Duration.ofSeconds(30));

	private final LedgerSchema schema;

	private final Map<String, LedgerPolicy> byParkingLot;

	private final LedgerStore store;

	private final ParkedRows rows;

	private final SimpleMessageListenerContainer container;

	private final boolean inMemoryToo;

	private volatile ParkedMessageListeners listeners = ParkedMessageListeners.NONE;

	/**
	 * Whether there are deliveries that must not be acknowledged along with later ones.
	 */
	private volatile boolean keeping;

	private volatile CountDownLatch stopping = new CountDownLatch(1);

	/**
	 * Creates the ingestion of all policies' parking lots.
	 * @param connectionFactory leads to the broker
	 * @param dataSource leads to the database
	 * @param schema its tables
	 * @param policies what is done with which message type
	 * @param headers where producers write what AMQP has no property for
	 * @param batchSize how many messages go into a transaction at most, from 1 to 1000;
	 * twice as many may be held in memory
	 * @param inMemoryToo whether to move messages into a database that is gone with the
	 * process; else they stay in their queues
	 */
	public LedgerIngestion(ConnectionFactory connectionFactory, DataSource dataSource, LedgerSchema schema,
			Collection<LedgerPolicy> policies, EnvelopeHeaders headers, int batchSize, boolean inMemoryToo) {
		this.schema = schema;
		this.inMemoryToo = inMemoryToo;
		this.byParkingLot = policies.stream().collect(Collectors.toMap(LedgerPolicy::parkingLot, Function.identity()));
		this.store = new LedgerStore(dataSource, schema);
		this.rows = new ParkedRows(headers, schema.clock());
		this.container = new SimpleMessageListenerContainer(connectionFactory);
		this.container.setQueueNames(this.byParkingLot.keySet().toArray(String[]::new));
		this.container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
		this.container.setConsumerBatchEnabled(true);
		this.container.setBatchSize(batchSize);
		this.container.setPrefetchCount(Math.min(2 * batchSize, MOST_HELD));
		this.container.setReceiveTimeout(GATHERING.toMillis());
		this.container.setBatchReceiveTimeout(GATHERING.toMillis());
		this.container.setMissingQueuesFatal(false);
		this.container.setMessagePropertiesConverter(new RawProperties.Converter());
		this.container.setListenerId("rabbit-retry-ledger");
		this.container.setMessageListener(this);
	}

	/**
	 * Sets who is told of stored messages, to be called before the start.
	 * @param listeners who
	 */
	public void setListeners(ParkedMessageListeners listeners) {
		this.listeners = listeners;
	}

	/**
	 * Has the container watched, to be called before the start.
	 * @param errors handles errors of its threads
	 */
	public void watchedBy(FatalErrors errors) {
		errors.watch(this.container);
	}

	@Override
	public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
		Channel target = (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
		List<Delivery> deliveries = messages.stream().map(this::read).toList();
		List<ParkedRow> rows = deliveries.stream().map(Delivery::row).toList();
		List<ParkedRow> unsaved = null;
		Duration pause = SHORTEST_PAUSE;
		while (target != null && target.isOpen()) {
			try {
				// never stored twice: what has no parking instant would get a twin
				unsaved = (unsaved != null) ? unsaved : this.store.save(rows);
				tell(rows, unsaved);
				settle(target, deliveries, unsaved);
				return;
			}
			catch (RuntimeException ex) {
				this.away.warn(() -> "The ledger can't be written; parked messages stay in their queues: " + ex);
				logger.debug("The ledger can't be written", ex);
				if (paused(pause)) {
					break;
				}
				pause = (pause.compareTo(LONGEST_PAUSE.dividedBy(2)) > 0) ? LONGEST_PAUSE : pause.multipliedBy(2);
			}
		}
		// the channel closes or is closed, and the broker has the messages still
	}

	private void tell(List<ParkedRow> rows, List<ParkedRow> unsaved) {
		if (this.listeners.none()) {
			return;
		}
		Map<ByteBuffer, Long> ids = this.store.ids(rows);
		for (ParkedRow row : rows) {
			Long id = ids.get(ByteBuffer.wrap(row.key()));
			if (id != null && !unsaved.contains(row)) {
				this.listeners
					.parked(new ParkedMessage(row.summary(id), WireProperties.decode(row.properties()), row.body()));
			}
		}
	}

	private Delivery read(Message message) {
		RawProperties properties = (RawProperties) message.getMessageProperties();
		LedgerPolicy policy = Objects.requireNonNull(this.byParkingLot.get(properties.getConsumerQueue()),
				"a queue that is consumed has a policy");
		boolean redelivered = Boolean.TRUE.equals(properties.isRedelivered());
		return new Delivery(properties.getDeliveryTag(),
				this.rows.read(policy, properties.received(), redelivered, message.getBody()));
	}

	/** Whether the application stops, known at once, or not after a while. */
	private boolean paused(Duration pause) {
		try {
			return this.stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private void settle(Channel channel, List<Delivery> deliveries, List<ParkedRow> unsaved) {
		this.keeping |= !unsaved.isEmpty();
		try {
			if (!this.keeping) {
				channel.basicAck(deliveries.get(deliveries.size() - 1).tag(), true);
				return;
			}
			Set<ParkedRow> kept = new HashSet<>(unsaved);
			for (Delivery delivery : deliveries) {
				if (!kept.contains(delivery.row())) {
					channel.basicAck(delivery.tag(), false);
				}
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("Stored messages can't be acknowledged; they come again, and their rows are found", ex);
		}
	}

	@Override
	public void start() {
		if (this.schema.inMemory() && !this.inMemoryToo) {
			logger
				.warn("The DataSource is an in-memory database: parked messages stay in their queues. Use one that keeps"
						+ " its data, set rabbit-retry.ledger.enabled to true to have them in memory all the same, or to false");
			return;
		}
		this.stopping = new CountDownLatch(1);
		this.container.afterPropertiesSet();
		this.container.start();
	}

	@Override
	public void stop() {
		this.stopping.countDown();
		this.container.stop();
	}

	@Override
	public boolean isRunning() {
		return this.container.isRunning();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A delivery.
	 *
	 * @param tag its tag
	 * @param row what is stored of it
	 */
	private record Delivery(long tag, ParkedRow row) {
	}

}
