/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.BrokerText;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Does one step after the other.
 */
final class StepExecutor implements AutoCloseable {

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

	private final Channel channel;

	private final LiveTopologyReader reader;

	private final MessageMover mover;

	private final EmptyQueues emptyQueues;

	private final Duration patience;

	/**
	 * Creates the executor.
	 * @param connection to the broker
	 * @param reader looks at the broker
	 * @param mover moves messages
	 * @param patience how long queues are waited for to become empty
	 */
	StepExecutor(Connection connection, LiveTopologyReader reader, MessageMover mover, Duration patience)
			throws IOException {
		Channel created = connection.createChannel();
		if (created == null) {
			throw new IOException("no channel left on the connection");
		}
		this.channel = created;
		this.reader = reader;
		this.mover = mover;
		this.emptyQueues = new EmptyQueues(created, reader, mover);
		this.patience = patience;
	}

	/**
	 * Makes sure, before the first step, that consumers have paused.
	 * @param plan the plan
	 * @throws MigrationException if a queue is consumed that is deleted in the pause
	 * @throws IOException if the broker does not tell
	 */
	void verifyPaused(MigrationPlan plan) throws IOException {
		new PausedConsumers(this.channel::consumerCount, BETWEEN_LOOKS).verify(plan.pausedQueues());
	}

	/**
	 * Does a step.
	 * @param step the step
	 * @throws MigrationException if it can't be done now, with the broker's words
	 */
	void execute(MigrationStep step) {
		try {
			if (step instanceof MigrationStep.CreateExchange create) {
				this.channel.exchangeDeclare(create.exchange().name(), create.exchange().type(), true, false,
						create.exchange().arguments());
			}
			else if (step instanceof MigrationStep.CreateQueue create) {
				this.channel.queueDeclare(create.queue(), true, false, false, create.arguments());
			}
			else if (step instanceof MigrationStep.Bind bind) {
				bind(bind.route());
			}
			else if (step instanceof MigrationStep.Unbind unbind) {
				unbind(unbind.route());
			}
			else if (step instanceof MigrationStep.Move move) {
				this.emptyQueues.move(move.from(), move.into(), move.rest(), this.patience);
			}
			else if (step instanceof MigrationStep.Drain drain) {
				this.emptyQueues.await(drain.queues(), this.patience);
			}
			else if (step instanceof MigrationStep.DeleteQueue delete) {
				delete(delete.queue(), delete);
			}
			else if (step instanceof MigrationStep.DeleteExchange delete) {
				this.channel.exchangeDelete(delete.exchange(), true);
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			throw new MigrationException("%s %s: %s".formatted(step.action(), step.subject(), BrokerText.of(ex)), ex);
		}
	}

	private void bind(Route route) throws IOException {
		if (route.leadsToQueue()) {
			this.channel.queueBind(route.destination(), route.exchange(), route.key(), route.arguments());
		}
		else {
			this.channel.exchangeBind(route.destination(), route.exchange(), route.key(), route.arguments());
		}
	}

	private void unbind(Route route) throws IOException {
		if (route.leadsToQueue()) {
			this.channel.queueUnbind(route.destination(), route.exchange(), route.key(), route.arguments());
		}
		else {
			this.channel.exchangeUnbind(route.destination(), route.exchange(), route.key(), route.arguments());
		}
	}

	private void delete(String queue, MigrationStep.DeleteQueue step) throws IOException {
		SeenQueue there = this.reader.queue(queue).orElse(null);
		if (there == null) {
			return;
		}
		if (!there.available()) {
			throw new MigrationException(
					"Queue '%s' is not deleted: it does not answer, the node that it is on may be down. Start that, and apply the rest."
						.formatted(queue));
		}
		if (!there.arguments().equals(step.arguments())) {
			throw new MigrationException("Queue '%s' is another one than when the plan was made: %s. Plan again."
				.formatted(queue, SeenQueue.difference(there.arguments(), step.arguments())));
		}
		List<Route> routes = routesTo(queue);
		if (!routes.isEmpty()) {
			throw new MigrationException(("Queue '%s' is bound again (%s): an application of the earlier configuration"
					+ " runs. Stop it, and apply the rest.")
				.formatted(queue, routes.get(0)));
		}
		DeclareOk now = this.channel.queueDeclarePassive(queue);
		if (now.getMessageCount() > 0 || now.getConsumerCount() > 0) {
			throw new MigrationException(
					"Queue '%s' is not deleted: it has %d messages and %s. Stop consumers and producers, and apply the rest."
						.formatted(queue, now.getMessageCount(), PausedConsumers.counted(now.getConsumerCount())));
		}
		delete(queue, "quorum".equals(there.arguments().get("x-queue-type")), step.into());
	}

	private List<Route> routesTo(String queue) {
		try {
			return this.reader.routesTo(queue);
		}
		catch (ManagementUnavailableException ex) {
			throw new MigrationException(
					"Queue '%s' is not deleted: its bindings can't be read. %s".formatted(queue, ex.getMessage()), ex);
		}
	}

	/** RabbitMQ ends the connection that asks for if-empty of a quorum queue. */
	private void delete(String queue, boolean quorum, @Nullable String into) throws IOException {
		if (quorum && into != null) {
			this.mover.delete(queue, into);
		}
		else {
			this.channel.queueDelete(queue, !quorum, !quorum);
		}
	}

	@Override
	public void close() {
		try {
			this.channel.abort();
		}
		catch (IOException ex) {
			// it is closed
		}
	}

}
