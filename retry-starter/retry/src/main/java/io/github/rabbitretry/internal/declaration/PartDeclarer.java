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
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.connection.RefusableChannel;
import io.github.rabbitretry.internal.connection.RefusableChannel.Refusal;
import io.github.rabbitretry.internal.connection.StreamProbe;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Verifies and declares parts of a topology, one after the other on one channel. To
 * verify creates nothing, and finds out whether a missing part may be declared: RabbitMQ
 * (4.0 to 4.3) checks permissions and compares what exists before it refuses an argument.
 * For queues that is an argument which is compared and allowed for streams only, for
 * exchanges one of a wrong type.
 */
final class PartDeclarer {

	private static final Log logger = LogFactory.getLog(PartDeclarer.class);

	private static final String FOR_STREAMS_ONLY = "x-max-age";

	private static final Map<String, Object> NO_EXCHANGE = Map.of("alternate-exchange", 0);

	private static final Map<String, Object> NO_BINDING = Map.of("x-rabbit-retry", "verification");

	private final RefusableChannel channel;

	private final boolean declaring;

	/** Whether the last exchange was missing, as at a first start. */
	private boolean exchangesMissing;

	PartDeclarer(RefusableChannel channel, TopologyMode mode) {
		this.channel = channel;
		this.declaring = mode == TopologyMode.DECLARE;
	}

	Verification verify(ExchangeDefinition model) {
		String what = name(model);
		if (!this.exchangesMissing) {
			Optional<Refusal> passive = this.channel.attempt((open) -> open.exchangeDeclarePassive(model.name()));
			if (passive.isEmpty()) {
				// declaring what exists compares and changes nothing
				return compared(what, refusal(model, model.arguments()));
			}
			if (!this.declaring) {
				return absent(what, passive.get());
			}
		}
		// RabbitMQ logs each refusal as an error: those after this one are asked for once
		this.exchangesMissing = true;
		Optional<Refusal> refusal = refusal(model, NO_EXCHANGE);
		if (refusal.filter((why) -> why.text().contains("inequivalent arg 'alternate-exchange'")).isPresent()) {
			// it is there after all, or another instance has declared it meanwhile
			this.exchangesMissing = false;
			return compared(what, refusal(model, model.arguments()));
		}
		return missing(what, refusal);
	}

	Verification verify(QueueDefinition model) {
		String what = name(model);
		if (model.existing()) {
			return existing(what, model);
		}
		Map<String, Object> neverCreating = new HashMap<>(model.arguments());
		neverCreating.put(FOR_STREAMS_ONLY, "1s");
		Optional<Refusal> refusal = refusal(model, neverCreating);
		if (refusal.filter(PartDeclarer::isInvalid).isPresent()) {
			return missing(what, refusal);
		}
		Optional<Refusal> passive = (!this.declaring && isForbidden(refusal)) ? passive(model) : Optional.empty();
		return passive.map((why) -> absent(what, why)).orElseGet(() -> compared(what, refusal));
	}

	private Verification existing(String what, QueueDefinition model) {
		Optional<Refusal> passive = passive(model);
		if (passive.isEmpty() && StreamProbe.isStream(model.name(), this.channel)) {
			return new Verification(false, Optional.of(TopologyProblem.stream(what)));
		}
		if (passive.filter((why) -> why.code() == AMQP.NOT_FOUND && !TopologyProblem.isUnavailable(why.text()))
			.isPresent()) {
			return new Verification(false, Optional.of(TopologyProblem.missingExisting(what)));
		}
		return isForbidden(passive) ? absent(what, passive.get()) : new Verification(false, problem(what, passive));
	}

	/**
	 * Finds out whether a binding is allowed, by removing one that does not exist:
	 * RabbitMQ checks the same permissions, and does not mind if there is no such queue,
	 * exchange or binding.
	 * @param model the binding
	 * @return why it can't be declared
	 */
	Optional<TopologyProblem> verify(BindingDefinition model) {
		return problem(name(model), this.channel.attempt((open) -> {
			if (model.type() == DestinationType.QUEUE) {
				open.queueUnbind(model.destination(), model.exchange(), model.routingKey(), NO_BINDING);
			}
			else {
				open.exchangeUnbind(model.destination(), model.exchange(), model.routingKey(), NO_BINDING);
			}
		}));
	}

	Optional<TopologyProblem> declare(ExchangeDefinition model) {
		return problem(name(model), refusal(model, model.arguments()));
	}

	Optional<TopologyProblem> declare(QueueDefinition model) {
		return problem(name(model), refusal(model, model.arguments()));
	}

	Optional<TopologyProblem> declare(BindingDefinition model) {
		return problem(name(model), this.channel.attempt((open) -> {
			if (model.type() == DestinationType.QUEUE) {
				open.queueBind(model.destination(), model.exchange(), model.routingKey());
			}
			else {
				open.exchangeBind(model.destination(), model.exchange(), model.routingKey());
			}
		}));
	}

	private Optional<Refusal> refusal(ExchangeDefinition model, Map<String, Object> arguments) {
		return this.channel.attempt((open) -> open.exchangeDeclare(model.name(), model.type(), true, false, arguments));
	}

	private Optional<Refusal> refusal(QueueDefinition model, Map<String, Object> arguments) {
		return this.channel.attempt((open) -> open.queueDeclare(model.name(), true, false, false, arguments));
	}

	private Optional<Refusal> passive(QueueDefinition model) {
		return this.channel.attempt((open) -> open.queueDeclarePassive(model.name()));
	}

	private Verification compared(String what, Optional<Refusal> refusal) {
		if (!this.declaring && isForbidden(refusal)) {
			logger.info("The arguments of %s can't be verified without permission to configure it".formatted(what));
			return new Verification(false, Optional.empty());
		}
		return new Verification(false, problem(what, refusal));
	}

	private Verification missing(String what, Optional<Refusal> refusal) {
		return new Verification(true, this.declaring ? problem(what, refusal.filter((why) -> !isInvalid(why)))
				: Optional.of(TopologyProblem.missing(what)));
	}

	/**
	 * What a passive declaration did not find. RabbitMQ 4.2.6 and 4.3.0 answer only users
	 * who may configure it, later ones those with any permission on it, earlier ones
	 * everybody.
	 */
	private static Verification absent(String what, Refusal passive) {
		if (passive.code() == AMQP.ACCESS_REFUSED) {
			logger.info("Whether %s exists can't be verified: %s".formatted(what, passive.text()));
			return new Verification(false, Optional.empty());
		}
		return new Verification(true, problem(what, Optional.of(passive)));
	}

	private static boolean isForbidden(Optional<Refusal> refusal) {
		return refusal.isPresent() && refusal.get().code() == AMQP.ACCESS_REFUSED;
	}

	/** Whether only the argument that is there for the refusal was refused. */
	private static boolean isInvalid(Refusal refusal) {
		String text = refusal.text();
		return refusal.code() == AMQP.PRECONDITION_FAILED
				&& (text.contains("invalid arg '" + FOR_STREAMS_ONLY + "'") || text.contains("invalid type "));
	}

	private static Optional<TopologyProblem> problem(String what, Optional<Refusal> refusal) {
		return refusal.map((why) -> TopologyProblem.refused(what, why.code(), why.text()));
	}

	static String name(ExchangeDefinition model) {
		return "exchange '%s'".formatted(model.name());
	}

	static String name(QueueDefinition model) {
		return "queue '%s'".formatted(model.name());
	}

	static String name(BindingDefinition model) {
		return "binding of %s '%s' to exchange '%s' with key '%s'".formatted(
				(model.type() == DestinationType.QUEUE) ? "queue" : "exchange", model.destination(), model.exchange(),
				model.routingKey());
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
