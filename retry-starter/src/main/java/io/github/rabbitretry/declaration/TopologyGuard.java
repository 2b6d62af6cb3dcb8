/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.declaration;

import java.util.List;

import io.github.rabbitretry.topology.TopologyDeclarables;
import io.github.rabbitretry.topology.TopologyParts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AbstractDeclarable;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Sees to the topology before any listener starts. A broker that can't be reached does
 * not stop the start, as it does not stop Spring's listeners: the topology is seen to on
 * the first connection then, and what is wrong is logged as an error.
 */
public final class TopologyGuard implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(TopologyGuard.class);

	private final ConnectionFactory connectionFactory;

	private final TopologyParts parts;

	private final TopologyMode mode;

	private final Declarables declarables;

	/**
	 * Creates the guard.
	 * @param connectionFactory leads to the broker
	 * @param parts what must be there
	 * @param mode what to do about it
	 */
	public TopologyGuard(ConnectionFactory connectionFactory, TopologyParts parts, TopologyMode mode) {
		this.connectionFactory = connectionFactory;
		this.parts = parts;
		this.mode = mode;
		this.declarables = TopologyDeclarables.of(parts);
		adminDeclares(false);
	}

	/**
	 * The topology for Spring AMQP's {@code RabbitAdmin}, which declares it again after a
	 * reconnect. It passes over it until the guard has seen to it: one by one and right
	 * before the guard, hundreds of message types would take it many seconds.
	 * @return the same declarables at every call
	 */
	public Declarables declarables() {
		return this.declarables;
	}

	private void adminDeclares(boolean declares) {
		for (Declarable declarable : this.declarables.getDeclarables()) {
			if (declarable instanceof AbstractDeclarable part) {
				part.setShouldDeclare(declares);
			}
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == TopologyMode.NONE) {
			return;
		}
		try {
			List<TopologyProblem> problems = check(this.connectionFactory.createConnection());
			if (!problems.isEmpty()) {
				throw new TopologyMismatchException(problems);
			}
		}
		catch (AmqpException | DeclaringChannel.BrokerLostException ex) {
			logger.warn("The broker can't be reached; the topology will be seen to once it can (%s)"
				.formatted(ex.getMessage()));
			this.connectionFactory.addConnectionListener(new Later());
		}
	}

	private List<TopologyProblem> check(Connection connection) {
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		if (delegate == null) {
			throw new AmqpException("the connection factory gives no access to its connection");
		}
		List<TopologyProblem> problems = new TopologyDeclarer(delegate, this.mode).run(this.parts);
		adminDeclares(true);
		return problems;
	}

	private final class Later implements ConnectionListener {

		private volatile boolean done;

		@Override
		public void onCreate(Connection connection) {
			if (this.done) {
				return;
			}
			try {
				List<TopologyProblem> problems = check(connection);
				this.done = true;
				problems.forEach((problem) -> logger
					.error("%s: %s. %s".formatted(problem.what(), problem.problem(), problem.remedy())));
			}
			catch (DeclaringChannel.BrokerLostException ex) {
				logger.debug("The broker went away again", ex);
			}
		}

	}

}
