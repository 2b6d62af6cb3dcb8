/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.connection.RefusableChannel;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.ServerVersion;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyDeclarables;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AbstractDeclarable;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Sees to the topology before any listener starts. Everything is verified before the
 * first declaration, so a start that fails leaves nothing behind. A broker that can't be
 * reached does not fail startup, as with Spring's listeners: the topology is verified and
 * declared on the first connection then, and what is wrong is logged as an error.
 */
public final class TopologyInitializer implements SmartInitializingSingleton, HealthSource {

	private static final Log logger = LogFactory.getLog(TopologyInitializer.class);

	private static final RateLimitedLog notUnbound = new RateLimitedLog(logger, Duration.ofMinutes(10));

	private final ConnectionFactory connectionFactory;

	private final MessagePolicies policies;

	private final TopologyParts parts;

	private final TopologyMode mode;

	private final Declarables declarables;

	private final ApplicationDeclarables application;

	private final DeclarationConflicts conflicts;

	private final MissingPartsCheck missingParts;

	private List<BindingDefinition> formerBindings = List.of();

	private volatile boolean unbound;

	private volatile List<HealthProblem> unsupported = List.of();

	private final OtherNames names;

	/** A look may take as long as an alarm blocks the connection. */
	private final TopologyMonitor monitor = new TopologyMonitor(this::look,
			(task) -> DaemonThreads.start("rabbit-retry-topology", task), System::nanoTime);

	/**
	 * Creates the initializer.
	 * @param connectionFactory leads to the broker
	 * @param policies whose topology must be there
	 * @param mode what to do about it
	 * @param beans the application's beans, some of which are queues and exchanges
	 */
	public TopologyInitializer(ConnectionFactory connectionFactory, MessagePolicies policies, TopologyMode mode,
			ConfigurableListableBeanFactory beans) {
		this.connectionFactory = connectionFactory;
		this.policies = policies;
		this.parts = TopologyParts.of(policies.topologies());
		this.mode = mode;
		this.names = new OtherNames(policies);
		this.declarables = TopologyDeclarables.of(this.parts);
		this.application = new ApplicationDeclarables(beans, this.declarables);
		this.conflicts = new DeclarationConflicts(this.application, new DeclarationOrigins(beans));
		this.missingParts = new MissingPartsCheck(this.parts, mode);
		adminDeclares(false);
	}

	/**
	 * The topology for Spring AMQP's {@code RabbitAdmin}, which declares it again after a
	 * reconnect. It skips them until they were declared here: one by one and before that,
	 * hundreds of message types would take it many seconds.
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

	/**
	 * To be called once all singletons are there and before anything connects to the
	 * broker: compares what the application itself declares with its policies, and holds
	 * it back, since it would be declared with the first connection.
	 * @throws TopologyMismatchException if they don't agree
	 */
	public void prepare() {
		if (this.mode == TopologyMode.NONE) {
			return;
		}
		List<TopologyProblem> problems = this.conflicts.find(this.policies);
		if (!problems.isEmpty()) {
			throw TopologyMismatchException.ofApplication(problems, this.names);
		}
		List<BindingDefinition> former = this.policies.topologies()
			.stream()
			.flatMap((topology) -> topology.formerBindings().stream())
			.toList();
		warnOfFormerQueues(former);
		if (this.mode == TopologyMode.DECLARE) {
			this.formerBindings = former;
			// to verify is to expect what the application declares too
			this.application.hold();
		}
	}

	private void warnOfFormerQueues(List<BindingDefinition> former) {
		if (this.mode == TopologyMode.VERIFY) {
			former.forEach((binding) -> logger.warn(
					"rabbit-retry.topology.mode: verify removes no %s. Remove it once the policy's queue is bound, or messages are in two queues and are handled twice"
						.formatted(PartDeclarer.name(binding))));
		}
		for (ApplicationDeclarables.DeclaredBean bean : this.application.all()) {
			if (bean.declarable() instanceof Binding binding) {
				this.policies.ofQueue(binding.getDestination())
					.filter((policy) -> !policy.queue().equals(binding.getDestination()))
					.ifPresent((policy) -> logger.warn(
							"Bean '%s' binds former queue '%s' of message policy '%s' to exchange '%s': what is published there is in '%s' too if that is bound, and is handled twice. Bind '%s' instead"
								.formatted(bean.name(), binding.getDestination(), policy.messageType(),
										binding.getExchange(), policy.queue(), policy.queue())));
			}
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == TopologyMode.NONE) {
			logger.warn("rabbit-retry.topology.mode: none guarantees nothing about queues, exchanges and bindings:"
					+ " retries are lost if a retry queue does not lead back to its work queue. 'verify' checks that at startup");
			// on the first connection, since this mode opens none at startup
			this.connectionFactory.addConnectionListener(this::supported);
			return;
		}
		boolean later = false;
		try {
			Connection connection = this.connectionFactory.createConnection();
			TopologyDeclarer declarer = declarer(connection);
			Set<String> own = this.application.queueNames();
			refuse(declarer.run(parts((queue) -> !queue.existing() || !own.contains(queue.name())), false));
			this.application.releaseAndDeclare(this.connectionFactory);
			refuse(declarer.run(new TopologyParts(List.of(), parts((queue) -> queue.existing()).queues(), List.of()),
					false));
			adminDeclares(true);
			unbindFormerQueues(connection);
		}
		catch (AmqpException ex) {
			logger.warn("Cannot reach the broker. The topology is verified and declared on the first connection (%s)"
				.formatted(BrokerText.of(ex)));
			// the application's own declarations wait too: a binding to what is not there
			// yet
			// would fail, and keep connection listeners that come after it from being
			// called
			later = true;
			this.connectionFactory.addConnectionListener(new Later());
		}
		finally {
			if (!later) {
				this.application.release();
			}
		}
	}

	/**
	 * To be called now and then, whether health is asked for or not: an instance with a
	 * former queue may bind it again. Waits for nothing.
	 */
	public void check() {
		if (this.unbound) {
			this.monitor.problems();
		}
	}

	@Override
	public List<HealthProblem> problems() {
		List<HealthProblem> unsupported = this.unsupported;
		if (this.mode == TopologyMode.NONE || !unsupported.isEmpty()) {
			return unsupported;
		}
		return this.monitor.problems()
			.stream()
			.map((problem) -> new HealthProblem("topology-missing", problem.what(),
					"%s. %s".formatted(problem.problem(), problem.remedy())))
			.toList();
	}

	/** Too late to fail startup. */
	private boolean supported(Connection connection) {
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		try {
			if (delegate != null) {
				requireSupported(delegate);
			}
			this.unsupported = List.of();
			return true;
		}
		catch (InvalidConfigurationException ex) {
			logger.error("This broker is not supported", ex);
			this.unsupported = List
				.of(new HealthProblem("broker-unsupported", "broker", String.valueOf(ex.getMessage())));
			return false;
		}
	}

	private List<TopologyProblem> look(List<TopologyProblem> known) {
		try (Connection connection = ClientConnection.open(this.connectionFactory)) {
			List<TopologyProblem> problems = this.missingParts.problems(ClientConnection.delegate(connection), known);
			if (problems.isEmpty()) {
				// an instance with the former queue may have bound it again
				unbindFormerQueues(connection);
			}
			return problems;
		}
	}

	/** To be called once the new bindings are there, so that each message has a queue. */
	private void unbindFormerQueues(Connection connection) {
		this.unbound = !this.formerBindings.isEmpty();
		try (RefusableChannel channel = new RefusableChannel(ClientConnection.delegate(connection))) {
			for (BindingDefinition binding : this.formerBindings) {
				channel
					.attempt(
							(open) -> open.queueUnbind(binding.destination(), binding.exchange(), binding.routingKey()))
					.ifPresent((refusal) -> notUnbound
						.warn(() -> "%s of a former work queue can't be removed, so that messages are in two queues: %s"
							.formatted(PartDeclarer.name(binding), refusal.text())));
			}
		}
	}

	private TopologyParts parts(Predicate<QueueDefinition> queues) {
		return new TopologyParts(this.parts.exchanges(), this.parts.queues().stream().filter(queues).toList(),
				this.parts.bindings());
	}

	private void refuse(List<TopologyProblem> problems) {
		if (!problems.isEmpty()) {
			throw TopologyMismatchException.ofBroker(problems, this.names);
		}
	}

	private TopologyDeclarer declarer(Connection connection) {
		com.rabbitmq.client.Connection delegate = ClientConnection.delegate(connection);
		requireSupported(delegate);
		return new TopologyDeclarer(delegate, this.mode);
	}

	private static void requireSupported(com.rabbitmq.client.Connection connection) {
		ServerVersion.of(connection).requireSupported();
		int frameMax = connection.getFrameMax();
		// zero is no limit
		if (frameMax > 0 && frameMax < OutboundProperties.SMALLEST_FRAME) {
			throw new InvalidConfigurationException("frame_max of the connection, in bytes", frameMax,
					"must be 0 or at least %s: the headers of a retried message must fit into one frame"
						.formatted(OutboundProperties.SMALLEST_FRAME),
					"Raise frame_max in rabbitmq.conf (its default is 131072), or the connection factory's requestedFrameMax.");
		}
	}

	/** Listeners are running then, so whatever can be declared is. */
	private final class Later implements ConnectionListener {

		private volatile boolean done;

		@Override
		public void onCreate(Connection connection) {
			if (this.done || !supported(connection)) {
				return;
			}
			try {
				List<TopologyProblem> problems = declarer(connection).run(TopologyInitializer.this.parts, true);
				// what is wrong now may be fixed when the next connection is opened
				this.done = problems.isEmpty();
				TopologyInitializer.this.monitor.found(problems);
				adminDeclares(true);
				if (this.done) {
					unbindFormerQueues(connection);
				}
				TopologyInitializer.this.application.releaseAndDeclare(TopologyInitializer.this.connectionFactory);
				problems.forEach((problem) -> logger
					.error("%s: %s. %s".formatted(problem.what(), problem.problem(), problem.remedy())));
			}
			catch (AmqpException ex) {
				logger.debug("The broker went away again", ex);
			}
		}

	}

}
