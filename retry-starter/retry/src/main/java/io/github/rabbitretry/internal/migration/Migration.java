/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementLocator;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Plans a migration, and carries it out.
 */
public final class Migration {

	/** Of one confirm, far beyond what a broker takes. */
	private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(30);

	private final ConnectionFactory connectionFactory;

	private final ManagementLocator locator;

	private final ConfirmedPublishers publishers;

	private final List<MigratedType> types;

	private final Set<String> replaceable;

	private final JudgedPolicies policies;

	/**
	 * Creates the migration.
	 * @param connectionFactory leads to the broker
	 * @param access what is configured about the management API
	 * @param publishers publish what is moved
	 * @param types all message types
	 * @param replaceable queues that may be replaced although their arguments are not
	 * ours
	 * @param policies what is configured to do about policies that would lose messages
	 */
	public Migration(ConnectionFactory connectionFactory, ManagementAccess access, ConfirmedPublishers publishers,
			List<MigratedType> types, Set<String> replaceable, BrokerPolicyMode policies) {
		this.connectionFactory = connectionFactory;
		this.locator = new ManagementLocator(connectionFactory, access);
		this.publishers = publishers;
		this.types = List.copyOf(types);
		this.replaceable = Set.copyOf(replaceable);
		this.policies = new JudgedPolicies(this.types.stream().map(MigratedType::wanted).toList(), policies);
	}

	/**
	 * Plans. Changes nothing.
	 * @return what leads from what is on the broker to what is configured
	 * @throws io.github.rabbitretry.internal.management.ManagementUnavailableException if
	 * the management API can't be used, or is that of another cluster
	 * @throws AmqpException if the broker can't be reached
	 */
	public MigrationPlan plan() {
		ManagementClient client = this.locator.locate();
		SameCluster.verify(connection(), client);
		return plan(client);
	}

	private Connection connection() {
		Connection connection = this.connectionFactory.createConnection().getDelegate();
		if (connection == null) {
			throw new AmqpException("the connection factory gives no access to its connection");
		}
		return connection;
	}

	private MigrationPlan plan(ManagementClient client) {
		return this.policies.judge(
				new MigrationPlanner(this.types, new LiveTopologyReader(client).read(), this.replaceable).plan(),
				client);
	}

	/**
	 * Plans, and carries the plan out.
	 * @param paused whether what has to pause does; if not, it ends before the first step
	 * that needs it
	 * @param patience how long queues are waited for to become empty
	 * @param progress is told of each step before it is done, with its number
	 * @return what is left
	 * @throws io.github.rabbitretry.internal.management.ManagementUnavailableException if
	 * the management API can't be used, or is that of another cluster
	 * @throws AmqpException if the broker can't be reached
	 */
	public Applied apply(boolean paused, Duration patience, BiConsumer<Integer, MigrationStep> progress) {
		ManagementClient client = this.locator.locate();
		Connection connection = connection();
		SameCluster.verify(connection, client);
		try (MigrationLock lock = MigrationLock.take(connection)) {
			return apply(connection, client, paused, patience, progress);
		}
		catch (MigrationException ex) {
			return new Applied(0, plan(client), ex.getMessage());
		}
	}

	private Applied apply(Connection connection, ManagementClient client, boolean paused, Duration patience,
			BiConsumer<Integer, MigrationStep> progress) {
		MigrationPlan plan = plan(client);
		if (!plan.obstacles().isEmpty()) {
			return new Applied(0, plan, plan.obstacles().get(0));
		}
		ConfirmedPublisher publisher = this.publishers.open(this.connectionFactory, "migration", CONFIRM_TIMEOUT);
		MessageMover mover = new MessageMover(connection, publisher, CONFIRM_TIMEOUT.plusSeconds(5));
		int done = 0;
		String stopped = null;
		try (StepExecutor executor = new StepExecutor(connection, new LiveTopologyReader(client), mover, patience)) {
			if (paused) {
				executor.verifyPaused(plan);
			}
			for (MigrationPlan.PlannedStep step : plan.steps()) {
				if (step.paused() && !paused) {
					break;
				}
				progress.accept(done + 1, step.step());
				executor.execute(step.step());
				done++;
			}
		}
		catch (MigrationException ex) {
			stopped = ex.getMessage();
		}
		catch (IOException ex) {
			throw new AmqpException(ex);
		}
		finally {
			this.publishers.release(publisher);
		}
		return new Applied(done, plan(client), stopped);
	}

	/**
	 * What was done, and what is left.
	 *
	 * @param done how many steps were done
	 * @param left the plan of the rest
	 * @param stopped why a step could not be done, or {@code null}
	 */
	public record Applied(int done, MigrationPlan left, @Nullable String stopped) {
	}

}
