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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Looks at the broker's policies before listeners start, and then from time to time, on
 * another thread. What can't be found out never fails startup.
 */
public final class BrokerPolicyMonitor implements HealthSource {

	private static final Log logger = LogFactory.getLog(BrokerPolicyMonitor.class);

	private static final long STARTUP_SECONDS = 5;

	private final BrokerAccess broker;

	private final BrokerPolicySettings settings;

	private final PolicyExamination examination;

	private final BrokerPolicyLog log;

	private final ScheduledExecutorService thread;

	private volatile @Nullable BrokerPolicyReport report;

	private volatile boolean unreachable;

	/**
	 * Creates the monitor.
	 * @param broker the broker
	 * @param topologies the queues to look after
	 * @param settings how
	 * @param thread where; after its end, it takes tasks and drops them
	 */
	public BrokerPolicyMonitor(BrokerAccess broker, Collection<MessageTopology> topologies,
			BrokerPolicySettings settings, ScheduledExecutorService thread) {
		this.broker = broker;
		this.settings = settings;
		this.examination = new PolicyExamination(topologies);
		this.log = new BrokerPolicyLog(settings.mode(), broker.management().url() != null);
		this.thread = thread;
	}

	/**
	 * Begins to look.
	 * @throws UnsafeBrokerPolicyException if the application must not start
	 * @throws io.github.rabbitretry.internal.topology.InvalidConfigurationException if a
	 * handler may take longer than the broker waits
	 */
	public void start() {
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
			this.broker.onConnection(this::lookIfUnknown);
		}
	}

	private void refuse(BrokerPolicyReport found) {
		if (found.unsafeKeys() > 0) {
			throw new UnsafeBrokerPolicyException(found.lines(true), found.commands());
		}
		if (!found.tooSlow().isEmpty()) {
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
		if (this.report == null) {
			this.thread.execute(this::lookAndTell);
		}
	}

	private void scheduleNext() {
		long interval = this.settings.interval().toMillis();
		long jittered = interval - interval / 10 + ThreadLocalRandom.current().nextLong(interval / 5 + 1);
		this.thread.schedule(this::lookAgain, jittered, TimeUnit.MILLISECONDS);
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
			ManagementClient management = new ManagementClient(ManagementSettings.of(this.broker));
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

}
