/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.multiconnection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMonitor;
import io.github.rabbitretry.internal.existingqueue.ExistingQueueCheck;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.declaration.TopologyInitializer;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.MessageTopology;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Has each policy's topology declared where its listener consumes, and nowhere else.
 */
public final class TopologyPerConnection implements SmartInitializingSingleton, HealthSource, DisposableBean {

	private final PolicyConnections connections;

	private final RabbitRetryProperties properties;

	private final ConfigurableListableBeanFactory beans;

	private final List<TopologyInitializer> initializers = new CopyOnWriteArrayList<>();

	private final List<BrokerPolicyMonitor> monitors = new ArrayList<>();

	private final List<ExistingQueueCheck> checks = new ArrayList<>();

	/**
	 * Creates the topology.
	 * @param connections which connection factory leads where
	 * @param properties how to declare and verify
	 * @param beans the application's
	 */
	public TopologyPerConnection(PolicyConnections connections, RabbitRetryProperties properties,
			ConfigurableListableBeanFactory beans) {
		this.connections = connections;
		this.properties = properties;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<ConnectionFactory, MessagePolicies> groups = this.connections.groups();
		Map<ConnectionFactory, TopologyInitializer> initializers = new LinkedHashMap<>();
		try {
			groups.forEach((factory, policies) -> initializers.put(factory, initializer(factory, policies)));
			groups.forEach((factory, policies) -> {
				BrokerPolicyMonitor monitor = new BrokerPolicyMonitor(factory, policies.topologies(),
						this.properties.brokerPolicies());
				this.monitors.add(monitor);
				monitor.afterSingletonsInstantiated();
			});
			groups.forEach((factory, policies) -> declare(factory, initializers.get(factory), policies.topologies()));
		}
		catch (RuntimeException ex) {
			// not destroyed by the container: its own creation succeeded, the context's
			// did
			// not
			destroy();
			throw ex;
		}
	}

	/** Nothing is connected yet, so that nothing of the application is declared. */
	private TopologyInitializer initializer(ConnectionFactory factory, MessagePolicies policies) {
		TopologyInitializer initializer = new TopologyInitializer(factory, policies, this.properties.topology().mode(),
				this.beans);
		initializer.prepare();
		this.initializers.add(initializer);
		return initializer;
	}

	private void declare(ConnectionFactory factory, TopologyInitializer initializer, List<MessageTopology> topologies) {
		TopologyMode mode = this.properties.topology().mode();
		if (mode == TopologyMode.DECLARE) {
			declareAgain(factory, initializer);
		}
		initializer.afterSingletonsInstantiated();
		if (mode != TopologyMode.NONE) {
			ExistingQueueCheck check = new ExistingQueueCheck(factory, topologies, this.properties.brokerPolicies());
			this.checks.add(check);
			check.afterSingletonsInstantiated();
		}
	}

	/**
	 * After a reconnect. The application's admins must not do so: each declares all there
	 * is, wherever it is connected.
	 */
	private void declareAgain(ConnectionFactory factory, TopologyInitializer initializer) {
		GenericApplicationContext declarables = new GenericApplicationContext();
		declarables.getBeanFactory().registerSingleton("declarables", initializer.declarables());
		declarables.refresh();
		RabbitAdmin admin = new RabbitAdmin(factory);
		admin.setApplicationContext(declarables);
		admin.afterPropertiesSet();
	}

	/**
	 * The keys of broker policies that would lose messages.
	 * @return how many, for each queue; not a number if that is not known
	 */
	public double unsafePolicies() {
		return this.monitors.stream().mapToDouble(BrokerPolicyMonitor::unsafePolicies).sum();
	}

	/** To be called now and then, see {@link TopologyInitializer#check()}. */
	public void check() {
		this.initializers.forEach(TopologyInitializer::check);
	}

	@Override
	public List<HealthProblem> problems() {
		return Stream.of(this.initializers, this.monitors, this.checks)
			.flatMap(List::stream)
			.map(HealthSource.class::cast)
			.flatMap((source) -> source.problems().stream())
			.toList();
	}

	@Override
	public void destroy() {
		this.monitors.forEach(BrokerPolicyMonitor::destroy);
		this.checks.forEach(ExistingQueueCheck::destroy);
	}

}
