/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.BrokerInspector;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMonitor;
import io.github.rabbitretry.internal.existingqueue.ExistingQueueCheck;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.topology.MessageTopology;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Looks after the policies and the existing queues of each broker that the application
 * declares its topology on.
 */
final class ManagementInspector implements BrokerInspector, SmartInitializingSingleton, HealthSource, AutoCloseable {

	private final BrokerPolicySettings settings;

	private final List<BrokerPolicyMonitor> policies = new CopyOnWriteArrayList<>();

	private final List<ExistingQueueCheck> queues = new CopyOnWriteArrayList<>();

	private final List<ScheduledThreadPoolExecutor> threads = new CopyOnWriteArrayList<>();

	ManagementInspector(BrokerPolicySettings settings) {
		this.settings = settings;
	}

	@Override
	public void beforeDeclaration(BrokerAccess broker, Collection<MessageTopology> topologies) {
		CustomizableThreadFactory daemon = new CustomizableThreadFactory("rabbit-retry-broker-policies-");
		daemon.setDaemon(true);
		ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, daemon, new DiscardPolicy());
		this.threads.add(thread);
		BrokerPolicyMonitor monitor = new BrokerPolicyMonitor(broker, topologies, this.settings, thread);
		this.policies.add(monitor);
		monitor.start();
		if (this.settings.existingQueues()) {
			this.queues.add(new ExistingQueueCheck(broker, topologies, this.settings, thread));
		}
	}

	/** After the declaration, since its beans come before this one. */
	@Override
	public void afterSingletonsInstantiated() {
		this.queues.forEach(ExistingQueueCheck::start);
	}

	/**
	 * How many keys of policies are unsafe, each counted for each queue.
	 * @return the number on the brokers of which it is known, or {@link Double#NaN} if it
	 * is known of none
	 */
	double unsafePolicies() {
		return this.policies.stream()
			.mapToDouble(BrokerPolicyMonitor::unsafePolicies)
			.filter((number) -> !Double.isNaN(number))
			.reduce(Double::sum)
			.orElse(Double.NaN);
	}

	@Override
	public List<HealthProblem> problems() {
		return Stream.<HealthSource>concat(this.policies.stream(), this.queues.stream())
			.flatMap((source) -> source.problems().stream())
			.toList();
	}

	@Override
	public void close() {
		this.threads.forEach(ScheduledThreadPoolExecutor::shutdownNow);
	}

}
