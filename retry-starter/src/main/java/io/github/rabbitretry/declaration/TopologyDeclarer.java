/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.declaration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.topology.BindingModel;
import io.github.rabbitretry.topology.ExchangeModel;
import io.github.rabbitretry.topology.QueueModel;
import io.github.rabbitretry.topology.TopologyParts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Declares or verifies topologies, and finds everything that is wrong with them. Not by
 * {@code RabbitAdmin}, which tries a mismatch again and again for seventeen seconds,
 * leaves the rest undeclared and lets the application start.
 */
final class TopologyDeclarer {

	private static final Log logger = LogFactory.getLog(TopologyDeclarer.class);

	private final Connection connection;

	private final TopologyMode mode;

	private final List<TopologyProblem> problems = new ArrayList<>();

	private @Nullable Channel channel;

	TopologyDeclarer(Connection connection, TopologyMode mode) {
		this.connection = connection;
		this.mode = mode;
	}

	List<TopologyProblem> run(TopologyParts parts) {
		try {
			parts.exchanges().forEach(this::exchange);
			parts.queues().forEach(this::queue);
			if (this.mode == TopologyMode.DECLARE) {
				parts.bindings().forEach(this::binding);
			}
			return this.problems;
		}
		finally {
			close();
		}
	}

	private void exchange(ExchangeModel model) {
		String what = "exchange '%s'".formatted(model.name());
		check(what, (channel) -> channel.exchangeDeclarePassive(model.name()),
				(channel) -> channel.exchangeDeclare(model.name(), model.type(), true));
	}

	private void queue(QueueModel model) {
		String what = "queue '%s'".formatted(model.name());
		check(what, (channel) -> channel.queueDeclarePassive(model.name()),
				(channel) -> channel.queueDeclare(model.name(), true, false, false, model.arguments()));
	}

	private void binding(BindingModel model) {
		boolean queue = model.type() == DestinationType.QUEUE;
		attempt((channel) -> {
			if (queue) {
				channel.queueBind(model.destination(), model.exchange(), model.routingKey());
			}
			else {
				channel.exchangeBind(model.destination(), model.exchange(), model.routingKey());
			}
		}).map((close) -> TopologyProblem.refused("binding of %s '%s' to exchange '%s' with key '%s'"
			.formatted(queue ? "queue" : "exchange", model.destination(), model.exchange(), model.routingKey()),
				close.code(), close.text()))
			.ifPresent(this.problems::add);
	}

	private void check(String what, Operation exists, Operation declare) {
		boolean verifying = this.mode == TopologyMode.VERIFY;
		if (verifying) {
			Optional<Refusal> missing = attempt(exists);
			if (missing.isPresent()) {
				this.problems.add(TopologyProblem.refused(what, missing.get().code(), missing.get().text()));
				return;
			}
		}
		// declaring what exists compares its arguments and changes nothing
		Optional<Refusal> refusal = attempt(declare);
		if (verifying && refusal.isPresent() && refusal.get().code() == AMQP.ACCESS_REFUSED) {
			logger.info("The arguments of %s can't be verified without permission to configure it".formatted(what));
			return;
		}
		refusal.map((close) -> TopologyProblem.refused(what, close.code(), close.text())).ifPresent(this.problems::add);
	}

	private Optional<Refusal> attempt(Operation operation) {
		try {
			operation.on(channel());
			return Optional.empty();
		}
		catch (IOException | ShutdownSignalException ex) {
			ShutdownSignalException signal = (ex instanceof ShutdownSignalException thrown) ? thrown
					: (ex.getCause() instanceof ShutdownSignalException cause) ? cause : null;
			Method reason = (signal != null) ? signal.getReason() : null;
			if (reason instanceof AMQP.Channel.Close close) {
				return Optional.of(new Refusal(close.getReplyCode(), close.getReplyText()));
			}
			throw new BrokerLostException(ex);
		}
	}

	private Channel channel() throws IOException {
		Channel current = this.channel;
		if (current == null || !current.isOpen()) {
			current = this.connection.createChannel();
			if (current == null) {
				throw new IOException("no channel left on the connection");
			}
			this.channel = current;
		}
		return current;
	}

	private void close() {
		try {
			if (this.channel != null && this.channel.isOpen()) {
				this.channel.close();
			}
		}
		catch (IOException | TimeoutException | ShutdownSignalException ex) {
			logger.debug("The declaring channel did not close in order", ex);
		}
	}

	private record Refusal(int code, String text) {
	}

	private interface Operation {

		void on(Channel channel) throws IOException;

	}

	/** The connection went away in the middle. */
	static final class BrokerLostException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BrokerLostException(Throwable cause) {
			super("the broker went away while the topology was declared", cause);
		}

	}

}
