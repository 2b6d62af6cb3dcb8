/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Looks at the broker's policies before listeners start, and then from time to time on a
 * thread of its own. What can't be found out never fails startup.
 */
public final class BrokerPolicyMonitor implements SmartInitializingSingleton, HealthSource, DisposableBean {

	private static final Log logger = LogFactory.getLog(BrokerPolicyMonitor.class);

	private static final long STARTUP_SECONDS = 5;

	private static final int MOST_LOOKS = 6;

	private final ConnectionFactory connectionFactory;

	private final BrokerPolicySettings settings;

	private final ManagementLocator locator;

	private final BrokerPolicyEvaluation evaluation;

	private final BrokerPolicyRequirements requirements;

	private final ExistingQueueTimeouts timeouts;

	private final BrokerPolicyLog log;

	private final BringBackCommand bringBack;

	private final WithheldQueues withheld;

	private final StandingQueues standing;

	private final ScheduledThreadPoolExecutor thread;

	private volatile @Nullable BrokerPolicyReport report;

	private volatile boolean unreachable;

	private volatile String unknown = "it gave no answer within %s s".formatted(STARTUP_SECONDS);

	/**
	 * Creates the monitor.
	 * @param connectionFactory leads to the broker
	 * @param topologies the queues to look after
	 * @param settings how
	 * @param publishers are notified after each look to which retry queues nothing is to
	 * be published
	 */
	public BrokerPolicyMonitor(ConnectionFactory connectionFactory, Collection<MessageTopology> topologies,
			BrokerPolicySettings settings, Consumer<Set<String>> publishers) {
		this.connectionFactory = connectionFactory;
		this.settings = settings;
		this.locator = new ManagementLocator(connectionFactory, settings.management());
		this.evaluation = new BrokerPolicyEvaluation(topologies);
		this.requirements = new BrokerPolicyRequirements(settings.required() ? topologies : List.of());
		this.timeouts = new ExistingQueueTimeouts(topologies);
		this.log = new BrokerPolicyLog(settings);
		this.bringBack = new BringBackCommand(this.requirements.queues());
		this.withheld = new WithheldQueues(publishers, this.bringBack, System::nanoTime);
		this.standing = new StandingQueues(this.requirements.queues(), System::nanoTime);
		this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("rabbit-retry-broker-policies"));
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.settings.mode() == BrokerPolicyMode.IGNORE) {
			return;
		}
		long deadline = System.nanoTime()
				+ TimeUnit.SECONDS.toNanos(this.settings.required() ? MOST_LOOKS * STARTUP_SECONDS : STARTUP_SECONDS);
		BrokerPolicyReport first = await(this.thread.submit(this::look), deadline);
		if (this.settings.required()) {
			// a broker that is busy answers late, and startup depends on the answer
			for (int looks = 1; first == null && looks < MOST_LOOKS; looks++) {
				first = await(this.thread.submit(this::look), deadline);
			}
			require(first);
		}
		if (first != null && this.settings.mode() == BrokerPolicyMode.FAIL) {
			refuse(first);
		}
		// behind the first look, if that takes longer
		this.thread.execute(this::report);
		scheduleNext();
		if (this.unreachable) {
			// both may be there with the first connection
			this.connectionFactory.addConnectionListener((connection) -> lookIfUnknown());
		}
	}

	private void require(@Nullable BrokerPolicyReport found) {
		if (found == null) {
			destroy();
			throw new InvalidConfigurationException("rabbit-retry.topology.arguments", "minimal",
					"needs the management API, which reports whether policies give the queues their other arguments: %s"
						.formatted(this.unknown),
					"Set rabbit-retry.broker.management-url, and management-username and management-password of a user with the tag 'management'; or set arguments to 'full'.");
		}
		if (!found.missing().isEmpty()) {
			destroy();
			throw new UnsafeBrokerPolicyException(found.lines(true), found.commands(), true);
		}
		logger
			.warn("rabbit-retry.topology.arguments: minimal may lose messages. If a policy of higher priority matches a"
					+ " retry queue, what waits there is deleted at the end of its delay. See 'Arguments or policies'"
					+ " (operating-the-topology.md) in the docs");
	}

	private void refuse(BrokerPolicyReport found) {
		if (found.unsafeKeys() > 0) {
			destroy();
			throw new UnsafeBrokerPolicyException(found.lines(true), found.commands(), false);
		}
		if (!found.tooSlow().isEmpty()) {
			destroy();
			throw found.tooSlow().get(0);
		}
	}

	private static @Nullable BrokerPolicyReport await(Future<@Nullable BrokerPolicyReport> look, long deadline) {
		try {
			return look.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Broker policies are not known yet", ex);
		}
		return null;
	}

	private void lookIfUnknown() {
		if (this.report == null && !this.thread.isShutdown()) {
			this.thread.execute(this::lookAndTell);
		}
	}

	private void scheduleNext() {
		long interval = this.settings.interval().toMillis();
		long jittered = interval - interval / 10 + ThreadLocalRandom.current().nextLong(interval / 5 + 1);
		if (!this.thread.isShutdown()) {
			this.thread.schedule(this::lookAgain, jittered, TimeUnit.MILLISECONDS);
		}
	}

	private void lookAgain() {
		try {
			lookAndTell();
		}
		finally {
			scheduleNext();
		}
	}

	private void lookAndTell() {
		if (look() != null) {
			report();
		}
	}

	private void report() {
		BrokerPolicyReport last = this.report;
		if (last != null) {
			this.log.found(last);
		}
	}

	/**
	 * What stands in a queue that lost its policy, or has it for seconds only, must not
	 * be dead-lettered yet: RabbitMQ would delete it.
	 */
	private void lookForStandingQueues(BrokerPolicyReport found, ManagementApi api, ManagementClient management) {
		Set<String> looked = new HashSet<>(this.standing.queues());
		looked.removeAll(found.noWayBack(this.requirements, true));
		looked.removeAll(this.withheld.all());
		try {
			this.standing.found(looked.isEmpty() ? Map.of() : api.ready(looked))
				.forEach((queue) -> logger.warn(
						"Queue '%s' has only become fuller for longer than its delay. If no message comes back from it, the one at its head has no time to live, since it came in while no policy gave the queue one. This command dead-letters all its messages, which brings them back, and does nothing while no policy gives the queue its dead-letter exchange:%n    %s"
							.formatted(queue, this.bringBack.command(queue, management))));
		}
		catch (ManagementUnavailableException ex) {
			logger.debug("How many messages wait is not known", ex);
		}
	}

	/**
	 * Looks once. What was found before stays true as long as nothing else is known.
	 * @return what was found, or {@code null} if nothing could be
	 */
	private @Nullable BrokerPolicyReport look() {
		try {
			ManagementClient management = this.locator.locate();
			ManagementApi api = new ManagementApi(management);
			BrokerPolicies policies = api.policies();
			// before anything else is asked, which may fail
			this.withheld.found(BrokerPolicyReport
				.of(this.evaluation, this.requirements, policies, List.of(), management.virtualHost())
				.noWayBack(this.requirements, this.settings.mode() == BrokerPolicyMode.FAIL), management);
			BrokerPolicyReport found = BrokerPolicyReport.of(this.evaluation, this.requirements, policies,
					this.timeouts.tooShort(policies, api::findQueue), management.virtualHost());
			this.report = found;
			lookForStandingQueues(found, api, management);
			return found;
		}
		catch (ManagementUnavailableException ex) {
			this.unreachable = ex.getCause() instanceof IOException;
			this.unknown = String.valueOf(ex.getMessage());
			this.log.unknown(ex);
		}
		catch (AmqpException ex) {
			this.unreachable = true;
			this.unknown = "the broker can't be reached (%s)".formatted(ex.getMessage());
			logger.debug("The broker can't be reached, its policies neither", ex);
		}
		catch (RuntimeException | Error ex) {
			this.unknown = String.valueOf(ex);
			logger.warn("Broker policies could not be looked at", ex);
		}
		return null;
	}

	/**
	 * How many keys of policies are unsafe or missing, each counted for each queue.
	 * @return the number, or {@link Double#NaN} if nothing is known
	 */
	public double unsafePolicies() {
		BrokerPolicyReport last = this.report;
		return (last != null) ? last.unsafeKeys() : Double.NaN;
	}

	@Override
	public List<HealthProblem> problems() {
		BrokerPolicyReport last = this.report;
		if (last == null) {
			return List.of();
		}
		// what was not declared because a policy gives it is a problem in every mode
		List<String> lines = (this.settings.mode() == BrokerPolicyMode.FAIL) ? last.lines(true) : last.missingLines();
		return lines.stream().map((line) -> new HealthProblem("unsafe-policy", "broker policies", line)).toList();
	}

	@Override
	public void destroy() {
		this.thread.shutdownNow();
	}

}
