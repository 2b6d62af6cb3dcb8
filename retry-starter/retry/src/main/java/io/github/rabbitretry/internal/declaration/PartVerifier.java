/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP;
import io.github.rabbitretry.internal.connection.StreamProbe;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Finds out what is on the broker, one part after the other on one channel, and creates
 * nothing. Works with declarations that RabbitMQ compares with what is there but refuses
 * to carry out, after it has checked the permissions (4.0 to 4.3): those of queues have
 * an argument that is compared for streams only and allowed for streams only, those of
 * exchanges an argument of a wrong type.
 */
final class PartVerifier {

	private static final Log logger = LogFactory.getLog(PartVerifier.class);

	private static final String FOR_STREAMS_ONLY = "x-max-age";

	private static final Map<String, Object> NO_EXCHANGE = Map.of("alternate-exchange", 0);

	private static final Map<String, Object> NO_BINDING = Map.of("x-rabbit-retry", "verification");

	private final DeclaringChannel channel;

	private final boolean declaring;

	/** Whether the last exchange was not there, as at a first start. */
	private boolean exchangesMissing;

	PartVerifier(DeclaringChannel channel, TopologyMode mode) {
		this.channel = channel;
		this.declaring = mode == TopologyMode.DECLARE;
	}

	Verification exchange(ExchangeDefinition model) {
		String what = PartDeclarer.name(model);
		// RabbitMQ logs each refusal as an error, and at a first start this one would be
		// the
		// first of two
		if (!(this.declaring && this.exchangesMissing)) {
			Optional<DeclaringChannel.Refusal> passive = this.channel
				.attempt((channel) -> channel.exchangeDeclarePassive(model.name()));
			if (passive.isEmpty()) {
				// declaring what exists compares and changes nothing
				return compared(what, this.channel.attempt((channel) -> channel.exchangeDeclare(model.name(),
						model.type(), true, false, model.arguments())));
			}
			if (!this.declaring && isForbidden(passive)) {
				return unknown(what, passive.get());
			}
		}
		Optional<DeclaringChannel.Refusal> refusal = this.channel
			.attempt((channel) -> channel.exchangeDeclare(model.name(), model.type(), true, false, NO_EXCHANGE));
		if (refusal.filter((why) -> why.text().contains("inequivalent arg 'alternate-exchange'")).isPresent()) {
			// it is there after all, or another instance has declared it meanwhile
			this.exchangesMissing = false;
			return compared(what, this.channel.attempt(
					(channel) -> channel.exchangeDeclare(model.name(), model.type(), true, false, model.arguments())));
		}
		this.exchangesMissing = true;
		return missing(what, refusal);
	}

	Verification queue(QueueDefinition model) {
		String what = PartDeclarer.name(model);
		if (model.existing()) {
			return existing(what, model);
		}
		Optional<DeclaringChannel.Refusal> refusal = this.channel
			.attempt((channel) -> channel.queueDeclare(model.name(), true, false, false, neverCreating(model)));
		if (refusal.isEmpty() || !isForbidden(refusal) && !isInvalid(refusal.get())) {
			return compared(what, refusal);
		}
		if (isForbidden(refusal)) {
			Optional<DeclaringChannel.Refusal> passive = passive(model);
			if (passive.isEmpty()) {
				return compared(what, refusal);
			}
			if (!this.declaring && isForbidden(passive)) {
				return unknown(what, passive.get());
			}
		}
		return missing(what, refusal);
	}

	/**
	 * Arguments that the broker compares with those of a queue that is there, and that it
	 * refuses to make one with.
	 * @param model the queue
	 * @return its arguments and one more
	 */
	static Map<String, Object> neverCreating(QueueDefinition model) {
		Map<String, Object> arguments = new HashMap<>(model.arguments());
		arguments.put(FOR_STREAMS_ONLY, "1s");
		return arguments;
	}

	private Verification existing(String what, QueueDefinition model) {
		Optional<DeclaringChannel.Refusal> refusal = passive(model);
		if (isForbidden(refusal)) {
			return unknown(what, refusal.get());
		}
		if (refusal.isEmpty() && isStream(model.name())) {
			return new Verification(false, Optional.of(TopologyProblem.stream(what)));
		}
		return new Verification(false,
				refusal.map((why) -> (why.code() == AMQP.NOT_FOUND && !TopologyProblem.isUnavailable(why.text()))
						? TopologyProblem.missingExisting(what) : PartDeclarer.problem(what, why)));
	}

	private boolean isStream(String queue) {
		return this.channel.attempt((channel) -> {
			StreamProbe.consume(channel, queue);
			channel.abort();
		}).filter((refusal) -> StreamProbe.isOfStream(refusal.text())).isPresent();
	}

	private Optional<DeclaringChannel.Refusal> passive(QueueDefinition model) {
		return this.channel.attempt((channel) -> channel.queueDeclarePassive(model.name()));
	}

	/**
	 * RabbitMQ 4.2.6 and 4.3.0 answer only users who may configure it, later ones those
	 * with any permission on it, earlier ones everybody.
	 */
	private static Verification unknown(String what, DeclaringChannel.Refusal refusal) {
		logger.info("Whether %s exists can't be verified: %s".formatted(what, refusal.text()));
		return new Verification(false, Optional.empty());
	}

	private static boolean isForbidden(Optional<DeclaringChannel.Refusal> refusal) {
		return refusal.isPresent() && refusal.get().code() == AMQP.ACCESS_REFUSED;
	}

	/**
	 * Finds out whether a binding is allowed, by removing one that does not exist:
	 * RabbitMQ checks the same permissions, and does not mind if there is no such queue,
	 * exchange or binding.
	 * @param model the binding
	 * @return why it can't be declared
	 */
	Optional<TopologyProblem> binding(BindingDefinition model) {
		return this.channel.attempt((channel) -> {
			if (model.type() == DestinationType.QUEUE) {
				channel.queueUnbind(model.destination(), model.exchange(), model.routingKey(), NO_BINDING);
			}
			else {
				channel.exchangeUnbind(model.destination(), model.exchange(), model.routingKey(), NO_BINDING);
			}
		}).map((refusal) -> PartDeclarer.problem(PartDeclarer.name(model), refusal));
	}

	private Verification compared(String what, Optional<DeclaringChannel.Refusal> refusal) {
		if (isForbidden(refusal)) {
			if (this.declaring) {
				return new Verification(false, refusal.map((why) -> PartDeclarer.problem(what, why)));
			}
			logger.info("The arguments of %s can't be verified without permission to configure it".formatted(what));
			return new Verification(false, Optional.empty());
		}
		return new Verification(false, refusal.map((why) -> PartDeclarer.problem(what, why)));
	}

	private Verification missing(String what, Optional<DeclaringChannel.Refusal> refusal) {
		if (!this.declaring) {
			return new Verification(true, Optional.of(TopologyProblem.missing(what)));
		}
		return new Verification(true,
				refusal.filter((why) -> !isInvalid(why)).map((why) -> PartDeclarer.problem(what, why)));
	}

	/** Whether only the argument that is there for the refusal was refused. */
	private static boolean isInvalid(DeclaringChannel.Refusal refusal) {
		String text = refusal.text();
		return refusal.code() == AMQP.PRECONDITION_FAILED
				&& (text.contains("invalid arg '" + FOR_STREAMS_ONLY + "'") || text.contains("invalid type "));
	}

	/**
	 * What was found out about one part.
	 *
	 * @param missing whether it is not there
	 * @param problem why it can't stay or become what it must be
	 */
	record Verification(boolean missing, Optional<TopologyProblem> problem) {
	}

}
