/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.thread.DaemonThreads;
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

	private final ConnectionFactory connectionFactory;

	private final BrokerPolicySettings settings;

	private final ManagementLocator locator;

	private final PolicyExamination examination;

	private final BrokerPolicyLog log;

	private final ScheduledThreadPoolExecutor thread;

	private volatile @Nullable BrokerPolicyReport report;

	private volatile boolean unreachable;

	/**
	 * Creates the monitor.
	 * @param connectionFactory leads to the broker
	 * @param topologies the queues to look after
	 * @param settings how
	 */
	public BrokerPolicyMonitor(ConnectionFactory connectionFactory, Collection<MessageTopology> topologies,
			BrokerPolicySettings settings) {
		this.connectionFactory = connectionFactory;
		this.settings = settings;
		this.locator = new ManagementLocator(connectionFactory, settings.management());
		this.examination = new PolicyExamination(topologies);
		this.log = new BrokerPolicyLog(settings);
		this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("rabbit-retry-broker-policies"));
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.settings.mode() == BrokerPolicyMode.IGNORE) {
			return;
		}
		BrokerPolicyReport first = await(this.thread.submit(this::look));
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

	private void refuse(BrokerPolicyReport found) {
		if (found.unsafeKeys() > 0) {
			destroy();
			throw new UnsafeBrokerPolicyException(found.lines(true), found.commands());
		}
		if (!found.tooSlow().isEmpty()) {
			destroy();
			throw found.tooSlow().get(0);
		}
	}

	private static @Nullable BrokerPolicyReport await(Future<@Nullable BrokerPolicyReport> look) {
		try {
			return look.get(STARTUP_SECONDS, TimeUnit.SECONDS);
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
	 * Looks once. What was found before stays true as long as nothing else is known.
	 * @return what was found, or {@code null} if nothing could be
	 */
	private @Nullable BrokerPolicyReport look() {
		try {
			ManagementClient management = this.locator.locate();
			ManagementApi api = new ManagementApi(management);
			BrokerPolicies policies = api.policies();
			BrokerPolicyReport found = new BrokerPolicyReport(
					this.examination.effects(policies, management.virtualHost(), (key) -> false),
					this.examination.timeoutsTooShort(policies, api::findQueue),
					policies.unreadable().stream().map(BrokerPolicy::description).toList());
			this.report = found;
			return found;
		}
		catch (ManagementUnavailableException ex) {
			this.unreachable = ex.getCause() instanceof IOException;
			this.log.unknown(ex);
		}
		catch (AmqpException ex) {
			this.unreachable = true;
			logger.debug("The broker can't be reached, its policies neither", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Broker policies could not be looked at", ex);
		}
		return null;
	}

	/**
	 * How many keys of policies are unsafe, each counted for each queue.
	 * @return the number, or {@link Double#NaN} if nothing is known
	 */
	public double unsafePolicies() {
		BrokerPolicyReport last = this.report;
		return (last != null) ? last.unsafeKeys() : Double.NaN;
	}

	@Override
	public List<HealthProblem> problems() {
		BrokerPolicyReport last = this.report;
		if (last == null || this.settings.mode() != BrokerPolicyMode.FAIL) {
			return List.of();
		}
		return last.lines(true)
			.stream()
			.map((line) -> new HealthProblem("unsafe-policy", "broker policies", line))
			.toList();
	}

	@Override
	public void destroy() {
		this.thread.shutdownNow();
	}

}
