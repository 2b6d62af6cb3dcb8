/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannels;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ForeignHeaderFilter;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.message.XDeath;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Moves messages that the broker dead-lettered from the dead-letter queues into the
 * parking lots, with the envelope that the broker does not write; or into quarantine,
 * where it was given up after the death of consumers that had other messages in their
 * hands too.
 */
public final class DeadLetterConsumer implements ChannelAwareMessageListener, HealthSource {

	private static final Log logger = LogFactory.getLog(DeadLetterConsumer.class);

	private final Map<String, MessagePolicy> byQueue = new LinkedHashMap<>();

	private final ConnectionFactory connectionFactory;

	private final ConfirmedPublishers publishers;

	private final ParkingLotPublisher parkingLot;

	private final Predicate<MessagePolicy> quarantines;

	private final DeliveryListener events;

	private final InstantSource clock;

	private final DeadLetterContainer container;

	private final DeliveryChannels channels = new DeliveryChannels();

	/**
	 * Creates the consumer of all policies' dead-letter queues.
	 * @param policies the policies
	 * @param connectionFactory leads to the broker
	 * @param connections gives a connection of its own
	 * @param publishers where copies go
	 * @param parkingLot parks
	 * @param quarantines whether a policy's quarantine queue is listened to
	 * @param events the listener to notify
	 * @param mode whether anything may be declared
	 * @param watchdog monitors the consumer
	 * @param clock what time it is
	 */
	public DeadLetterConsumer(MessagePolicies policies, ConnectionFactory connectionFactory,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			Predicate<MessagePolicy> quarantines, DeliveryListener events, TopologyMode mode, Watchdog watchdog,
			InstantSource clock) {
		policies.all().forEach((policy) -> this.byQueue.put(policy.topology().deadLetterQueue(), policy));
		List<String> now = List.copyOf(this.byQueue.keySet());
		policies.all()
			.forEach((policy) -> policy.topology()
				.formerDeadLetterQueues()
				.forEach((queue) -> this.byQueue.putIfAbsent(queue, policy)));
		List<String> former = this.byQueue.keySet().stream().filter((queue) -> !now.contains(queue)).toList();
		this.connectionFactory = connectionFactory;
		this.publishers = publishers;
		this.parkingLot = parkingLot;
		this.quarantines = quarantines;
		this.events = events;
		this.clock = clock;
		ConnectionFactory own = connections.of(connectionFactory, ConsumerConnections.ONE_DEAD_LETTER);
		SingleMessageConsumer oneByOne = new SingleMessageConsumer(own, new UnroutableQueueDeclarer(mode), this.byQueue,
				this::receive, (policy) -> events.undeliverable(policy.messageType()), this::isStopping);
		this.container = new DeadLetterContainer(connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS),
				now, new FormerDeadLetters(own, former), this, oneByOne, publishers.stopDeadline().ofListeners(),
				watchdog);
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) {
		receive(message, channel);
	}

	private Acknowledgement receive(Message message, @Nullable Channel channel) {
		MessageProperties properties = message.getMessageProperties();
		MessagePolicy policy = this.byQueue.get(properties.getConsumerQueue());
		if (policy == null || channel == null) {
			throw new IllegalStateException("dead-letter consumer received a delivery of unknown queue '%s'"
				.formatted(properties.getConsumerQueue()));
		}
		Acknowledgement acknowledgement = new Acknowledgement(this.channels.of(channel, properties.getConsumerTag()),
				properties.getDeliveryTag());
		if (isStopping()) {
			// given back with all others, or by the end of the channel
			return acknowledgement;
		}
		try {
			settle(policy, message, ReceivedPropertiesConverter.received(properties), acknowledgement);
		}
		catch (RuntimeException ex) {
			// given back it would come at once again, for ever
			logger.error("A dead-lettered message of '%s' can't be parked and stays in '%s' until the next start"
				.formatted(policy.messageType(), properties.getConsumerQueue()), ex);
		}
		if (isStopping()) {
			// nothing else waits for this one if the stop began meanwhile
			acknowledgement.channel().awaitHandovers(this.publishers.stopDeadline().ofHandover());
		}
		return acknowledgement;
	}

	private boolean isStopping() {
		return this.container.isStopping();
	}

	private void settle(MessagePolicy policy, Message message, BasicProperties properties,
			Acknowledgement acknowledgement) {
		Map<String, Object> headers = message.getMessageProperties().getHeaders();
		Instant now = this.clock.instant();
		Optional<XDeath> death = XDeath.last(headers);
		// as it was delivered from the queue that it died in
		ReceivedMessage received = ForeignHeaderFilter.removed(policy,
				new ReceivedMessage(properties, message.getBody(), death.map(XDeath::exchange).orElse(""),
						death.map(XDeath::routingKey).orElse(""), policy.queue()));
		Delivery delivery = new Delivery(policy,
				this.publishers.publisher(this.connectionFactory, policy.messageType()), received, acknowledgement)
			.recordFailure(DeliveryHistory.read(received.headers(), now), null, now);
		if (death.isPresent() && mayBeInnocent(policy, death.get())
				&& delivery.handOverToQuarantine(whenDone(this.events::quarantined, policy))) {
			return;
		}
		Decision.Park why = XDeathClassifier.why(death);
		this.parkingLot.park(delivery, why,
				whenDone((type) -> this.events.deadLettered(type, why.reason(), why.failureClass()), policy));
	}

	/**
	 * With many consumers on a connection the broker counts a crash as often for each
	 * message that any of them had, and may give up before it was seen here.
	 */
	private boolean mayBeInnocent(MessagePolicy policy, XDeath death) {
		return policy.quarantined() && death.reason().equals("delivery_limit")
				&& policy.topology().isWorkQueue(death.queue()) && this.quarantines.test(policy);
	}

	private static HandoverCallback whenDone(Consumer<String> whenParked, MessagePolicy policy) {
		return new HandoverCallback() {

			@Override
			public void confirmed(Duration elapsed) {
				whenParked.accept(policy.messageType());
			}

			@Override
			public void abandoned() {
				logger.debug("A dead-lettered message stays where it is for now");
			}

		};
	}

	@Override
	public List<HealthProblem> problems() {
		if (this.container.refused()) {
			return List.of(new HealthProblem("dead-letters-blocked", "all message types",
					"dead letters can't be consumed and are not parked; the log says why"));
		}
		return Stream
			.concat(blocked(this.container.leftAlone(),
					"a message in '%s' ends each connection that it is delivered on"),
					blocked(this.container.refusedFormer(), "the user has no permission to read '%s'"))
			.toList();
	}

	private Stream<HealthProblem> blocked(Set<String> queues, String why) {
		return queues.stream()
			.map((queue) -> new HealthProblem("dead-letters-blocked", this.byQueue.get(queue).messageType(),
					why.formatted(queue) + "; dead letters are not parked"));
	}

	/**
	 * To be called when the broker cancelled a consumer.
	 * @param consumerTag the consumer's tag
	 */
	public void brokerCancelled(String consumerTag) {
		this.channels.brokerCancelled(consumerTag);
	}

	/** Begins to consume. */
	public void start() {
		this.container.start();
	}

	/** Ends consuming once what is being parked is settled. */
	public void stop() {
		this.container.beginStop();
		// before the channels close, which the broker counts as a failure of each
		this.channels.giveBackAll(this.publishers.stopDeadline().ofHandover());
		this.container.stop();
	}

}
