/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.declaration;

import java.util.Optional;

import com.rabbitmq.client.AMQP;
import io.github.rabbitretry.topology.BindingModel;
import io.github.rabbitretry.topology.ExchangeModel;
import io.github.rabbitretry.topology.QueueModel;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Declares or verifies one thing after the other on one channel.
 */
final class PartDeclarer {

	private static final Log logger = LogFactory.getLog(PartDeclarer.class);

	private final DeclaringChannel channel;

	private final boolean verifying;

	PartDeclarer(DeclaringChannel channel, TopologyMode mode) {
		this.channel = channel;
		this.verifying = mode == TopologyMode.VERIFY;
	}

	Optional<TopologyProblem> exchange(ExchangeModel model) {
		String what = "exchange '%s'".formatted(model.name());
		return check(what, (channel) -> channel.exchangeDeclarePassive(model.name()),
				(channel) -> channel.exchangeDeclare(model.name(), model.type(), true));
	}

	Optional<TopologyProblem> queue(QueueModel model) {
		String what = "queue '%s'".formatted(model.name());
		return check(what, (channel) -> channel.queueDeclarePassive(model.name()),
				(channel) -> channel.queueDeclare(model.name(), true, false, false, model.arguments()));
	}

	Optional<TopologyProblem> binding(BindingModel model) {
		boolean queue = model.type() == DestinationType.QUEUE;
		return this.channel.attempt((channel) -> {
			if (queue) {
				channel.queueBind(model.destination(), model.exchange(), model.routingKey());
			}
			else {
				channel.exchangeBind(model.destination(), model.exchange(), model.routingKey());
			}
		})
			.map((refusal) -> problem("binding of %s '%s' to exchange '%s' with key '%s'".formatted(
					queue ? "queue" : "exchange", model.destination(), model.exchange(), model.routingKey()), refusal));
	}

	private Optional<TopologyProblem> check(String what, DeclaringChannel.Operation exists,
			DeclaringChannel.Operation declare) {
		if (this.verifying) {
			Optional<DeclaringChannel.Refusal> missing = this.channel.attempt(exists);
			if (missing.isPresent()) {
				return missing.map((refusal) -> problem(what, refusal));
			}
		}
		// declaring what exists compares its arguments and changes nothing
		Optional<DeclaringChannel.Refusal> refusal = this.channel.attempt(declare);
		if (this.verifying && refusal.isPresent() && refusal.get().code() == AMQP.ACCESS_REFUSED) {
			logger.info("The arguments of %s can't be verified without permission to configure it".formatted(what));
			return Optional.empty();
		}
		return refusal.map((why) -> problem(what, why));
	}

	private static TopologyProblem problem(String what, DeclaringChannel.Refusal refusal) {
		return TopologyProblem.refused(what, refusal.code(), refusal.text());
	}

}
