/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.deadletter.XDeathClassifier;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.message.XDeath;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.TopicPattern;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Dead-letter queues of other applications whose messages are stored as parked ones: what
 * {@code x-death} and Spring AMQP's {@code x-exception-*} tell is translated into the
 * headers of a parking lot.
 */
public final class Adoption {

	/** No queue is adopted. */
	public static final Adoption NONE = new Adoption(List.of(), List.of(), List::of);

	/** In bytes. */
	private static final int LONGEST_QUEUE_NAME = 255;

	private final Map<String, Optional<LedgerPolicy>> queues;

	private final Map<String, LedgerPolicy> byWorkQueue;

	private final Supplier<Collection<BindingDefinition>> bindings;

	private final ExceptionTexts textsOfUnknown;

	/**
	 * Creates it.
	 * @param queues the dead-letter queues
	 * @param policies whose work queues messages may come from
	 * @param bindings what leads to work queues, asked for when the first message is read
	 */
	public Adoption(Collection<AdoptedQueue> queues, Collection<LedgerPolicy> policies,
			Supplier<Collection<BindingDefinition>> bindings) {
		this.queues = queues.stream()
			.collect(Collectors.toUnmodifiableMap(AdoptedQueue::name,
					(queue) -> policies.stream()
						.filter((policy) -> policy.messageType().equals(queue.messageType()))
						.findFirst()));
		this.byWorkQueue = new HashMap<>();
		policies.forEach((policy) -> policy.queues().forEach((queue) -> this.byWorkQueue.put(queue, policy)));
		this.bindings = SingletonSupplier.of(() -> bindings.get()
			.stream()
			.filter((binding) -> this.byWorkQueue.containsKey(binding.destination()))
			.toList());
		this.textsOfUnknown = policies.stream().anyMatch((policy) -> policy.exceptionTexts() == ExceptionTexts.NONE)
				? ExceptionTexts.NONE : ExceptionTexts.FULL;
	}

	Set<String> queues() {
		return this.queues.keySet();
	}

	/**
	 * Translates a message.
	 * @param delivery a message of an adopted queue
	 * @return what is stored of it
	 */
	Adopted read(ParkedDelivery delivery) {
		Map<String, Object> headers = (delivery.properties().getHeaders() != null) ? delivery.properties().getHeaders()
				: Map.of();
		Optional<BrokerDeaths.Death> death = BrokerDeaths.of(headers).inWorkQueue(this.byWorkQueue::containsKey);
		Optional<RepublishedFailure> failure = RepublishedFailure.of(headers);
		String origin = origin(delivery.queue(), death, failure);
		LedgerPolicy policy = Optional.ofNullable(this.byWorkQueue.get(origin))
			.or(() -> this.queues.get(delivery.queue()))
			.orElseGet(() -> new LedgerPolicy(origin, "unowned", origin, delivery.queue(), null, Redaction.NONE,
					this.textsOfUnknown, Map.of()));
		String queue = policy.queues().contains(origin) ? origin : policy.queue();
		if (headers.containsKey(AppHeaders.PARKED_AT)) {
			// one of ours, moved here manually
			return new Adopted(policy, with(delivery.properties(), from(headers, delivery)));
		}
		Map<String, Object> envelope = from(headers, delivery);
		Object former = envelope.put(AppHeaders.ORIGIN_QUEUE, queue);
		// a table may be nested deeper than a text can be made of
		if (!(former instanceof String || former instanceof LongString) || !queue.equals(former.toString())) {
			// another queue's messages were replayed
			envelope.remove(ReplayHeaders.REPLAY_ITEM);
		}
		// who republished it knows why, and an end of a wait does not
		Optional<BrokerDeaths.Death> waited = failure.flatMap((known) -> death.filter(this::isWait));
		Decision.Park why = failure.isPresent() && (death.isEmpty() || waited.isPresent())
				? new Decision.Park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN, Reasons.UNKNOWN_FAILURE)
				: XDeathClassifier.why(death.map(BrokerDeaths.Death::death));
		envelope.put(AppHeaders.RETRY_REASON, why.reason());
		envelope.put(AppHeaders.RETRY_CLASS, why.failureClass().label());
		envelope.put(AppHeaders.FAILURE_FINGERPRINT, FailureFingerprint.of(why.reason(), policy.messageType()));
		if (waited.isPresent()) {
			envelope.putIfAbsent(AppHeaders.RETRY_ATTEMPT, waited.get().count());
		}
		else {
			death.ifPresent((known) -> died(envelope, known, BrokerDeaths.of(headers).oldest()));
		}
		failure.ifPresent((known) -> failed(envelope, known, policy.messageType()));
		return new Adopted(policy, with(delivery.properties(), envelope));
	}

	/** Retry queues are left by their time to live. */
	private boolean isWait(BrokerDeaths.Death death) {
		return death.death().reason().equals("expired") && !this.byWorkQueue.containsKey(death.death().queue());
	}

	private static Map<String, Object> from(Map<String, Object> headers, ParkedDelivery delivery) {
		Map<String, Object> envelope = new HashMap<>(headers);
		envelope.put(AppHeaders.ADOPTED_FROM, delivery.queue());
		return envelope;
	}

	private static BasicProperties with(BasicProperties properties, Map<String, Object> headers) {
		return properties.builder().headers(headers).build();
	}

	private static void died(Map<String, Object> envelope, BrokerDeaths.Death death, Optional<Instant> oldest) {
		XDeath broker = death.death();
		// the first delivery is no retry
		envelope.put(AppHeaders.RETRY_ATTEMPT, death.count() - 1);
		envelope.put(AppHeaders.ORIGIN_EXCHANGE, broker.exchange());
		envelope.put(AppHeaders.ORIGIN_ROUTING_KEY, broker.routingKey());
		oldest.ifPresent((first) -> envelope.put(AppHeaders.FIRST_FAILURE_AT, first.toString()));
		Instant last = death.time();
		if (last != null) {
			envelope.put(AppHeaders.LAST_FAILURE_AT, last.toString());
		}
	}

	private static void failed(Map<String, Object> envelope, RepublishedFailure failure, String messageType) {
		envelope.putIfAbsent(AppHeaders.ORIGIN_EXCHANGE, failure.exchange());
		envelope.putIfAbsent(AppHeaders.ORIGIN_ROUTING_KEY, failure.routingKey());
		put(envelope, AppHeaders.EXCEPTION, failure.exception());
		put(envelope, AppHeaders.EXCEPTION_MESSAGE, failure.message());
		put(envelope, AppHeaders.ROOT_EXCEPTION, failure.exception());
		put(envelope, AppHeaders.ROOT_EXCEPTION_MESSAGE, failure.message());
		put(envelope, AppHeaders.FAILURE_FINGERPRINT, failure.fingerprint(messageType));
	}

	private static void put(Map<String, Object> headers, String name, @Nullable String value) {
		if (value != null) {
			headers.put(name, value);
		}
	}

	/** The work queue; the adopted queue itself if it is unknown. */
	private String origin(String adopted, Optional<BrokerDeaths.Death> death, Optional<RepublishedFailure> failure) {
		return failure.flatMap((known) -> leadingTo(known.exchange(), known.routingKey()))
			.filter((queue) -> death.isEmpty() || !this.byWorkQueue.containsKey(death.get().death().queue()))
			.or(() -> death.map((known) -> known.death().queue()).filter(Adoption::isQueueName))
			.or(() -> failure.filter((known) -> known.exchange().isEmpty())
				.map(RepublishedFailure::routingKey)
				.filter(Adoption::isQueueName))
			.orElse(adopted);
	}

	/** Anybody may write what a header says, and the ledger could not store all of it. */
	private static boolean isQueueName(String name) {
		return !name.isBlank() && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_QUEUE_NAME
				&& name.chars().noneMatch(Character::isISOControl);
	}

	/**
	 * Only if a key or pattern leads to one work queue: others may have queues on the
	 * same exchange, and an empty key is that of a fanout.
	 */
	private Optional<String> leadingTo(String exchange, String routingKey) {
		if (exchange.isEmpty()) {
			return Optional.of(routingKey).filter(this.byWorkQueue::containsKey);
		}
		Set<String> matching = this.bindings.get()
			.stream()
			.filter((binding) -> binding.exchange().equals(exchange) && !binding.routingKey().isEmpty()
					&& TopicPattern.matches(binding.routingKey(), routingKey))
			.map(BindingDefinition::destination)
			.collect(Collectors.toSet());
		return (matching.size() == 1) ? matching.stream().findFirst() : Optional.empty();
	}

	/**
	 * A translated message.
	 *
	 * @param policy how it is stored
	 * @param properties its properties, with the headers of a parked message
	 */
	record Adopted(LedgerPolicy policy, BasicProperties properties) {
	}

}
