/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.multiconnection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.internal.broker.BrokerInspector;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.declaration.TopologyInitializer;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Has each policy's topology declared where its listener consumes, and nowhere else.
 */
public final class TopologyPerConnection implements SmartInitializingSingleton, HealthSource {

	private final PolicyConnections connections;

	private final RabbitRetryProperties properties;

	private final BrokerInspector inspector;

	private final ConfigurableListableBeanFactory beans;

	private final List<TopologyInitializer> initializers = new CopyOnWriteArrayList<>();

	/**
	 * Creates the topology.
	 * @param connections which connection factory leads where
	 * @param properties how to declare and verify
	 * @param inspector inspects each broker
	 * @param beans the application's
	 */
	public TopologyPerConnection(PolicyConnections connections, RabbitRetryProperties properties,
			BrokerInspector inspector, ConfigurableListableBeanFactory beans) {
		this.connections = connections;
		this.properties = properties;
		this.inspector = inspector;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<ConnectionFactory, MessagePolicies> groups = this.connections.groups();
		Map<ConnectionFactory, TopologyInitializer> initializers = new LinkedHashMap<>();
		groups.forEach((factory, policies) -> initializers.put(factory, initializer(factory, policies)));
		groups.forEach((factory, policies) -> this.inspector.beforeDeclaration(
				new DeclaredBrokerAccess(factory, factory, this.properties.broker().management()),
				policies.topologies()));
		initializers.forEach(this::declare);
	}

	/** Nothing is connected yet, so that nothing of the application is declared. */
	private TopologyInitializer initializer(ConnectionFactory factory, MessagePolicies policies) {
		TopologyInitializer initializer = new TopologyInitializer(factory, policies, this.properties.topology().mode(),
				this.beans);
		initializer.prepare();
		this.initializers.add(initializer);
		return initializer;
	}

	private void declare(ConnectionFactory factory, TopologyInitializer initializer) {
		if (this.properties.topology().mode() == TopologyMode.DECLARE && isOnlyOne()) {
			this.beans.registerSingleton("rabbitRetryDeclarables", initializer.declarables());
		}
		else if (this.properties.topology().mode() == TopologyMode.DECLARE) {
			declareAgain(factory, initializer);
		}
		initializer.afterSingletonsInstantiated();
	}

	/**
	 * Whether Spring's containers and admin may declare all there is again: those do too
	 * once a queue that they consume is missing.
	 */
	private boolean isOnlyOne() {
		return !this.connections.several() && this.beans.getBeanNamesForType(AmqpAdmin.class, false, false).length > 0;
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

	/** To be called now and then, see {@link TopologyInitializer#check()}. */
	public void check() {
		this.initializers.forEach(TopologyInitializer::check);
	}

	@Override
	public List<HealthProblem> problems() {
		return this.initializers.stream().flatMap((initializer) -> initializer.problems().stream()).toList();
	}

}
