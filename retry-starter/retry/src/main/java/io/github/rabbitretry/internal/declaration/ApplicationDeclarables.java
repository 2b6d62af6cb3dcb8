/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AbstractDeclarable;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The queues, exchanges and bindings that the application itself has as beans; Spring
 * AMQP makes beans of those in {@code @RabbitListener} annotations too.
 * {@code RabbitAdmin} declares them with the first connection. They are held back until
 * the topology is verified, so that a start that fails leaves nothing behind.
 */
final class ApplicationDeclarables {

	private static final Log logger = LogFactory.getLog(ApplicationDeclarables.class);

	private final ListableBeanFactory beans;

	private final Set<Declarable> ours;

	private final List<AbstractDeclarable> held = new ArrayList<>();

	ApplicationDeclarables(ListableBeanFactory beans, Declarables ours) {
		this.beans = beans;
		this.ours = Collections.newSetFromMap(new IdentityHashMap<>());
		this.ours.addAll(ours.getDeclarables());
	}

	/**
	 * All of them.
	 * @return each with its bean's name
	 */
	List<DeclaredBean> all() {
		List<DeclaredBean> all = new ArrayList<>();
		this.beans.getBeansOfType(Declarable.class, false, false)
			.forEach((name, declarable) -> all.add(new DeclaredBean(name, declarable)));
		this.beans.getBeansOfType(Declarables.class, false, false)
			.forEach((name, several) -> several.getDeclarables()
				.forEach((declarable) -> all.add(new DeclaredBean(name, declarable))));
		all.removeIf((bean) -> this.ours.contains(bean.declarable()));
		return all;
	}

	Set<String> queueNames() {
		return all().stream()
			.map(DeclaredBean::declarable)
			.filter(Queue.class::isInstance)
			.map((queue) -> ((Queue) queue).getName())
			.collect(Collectors.toSet());
	}

	/** Holds them back from every {@code RabbitAdmin}. */
	void hold() {
		for (DeclaredBean bean : all()) {
			if (bean.declarable() instanceof AbstractDeclarable declarable && declarable.shouldDeclare()) {
				declarable.setShouldDeclare(false);
				this.held.add(declarable);
			}
		}
	}

	/** Leaves them to {@code RabbitAdmin} again, from the next connection on. */
	void release() {
		this.held.forEach((declarable) -> declarable.setShouldDeclare(true));
		this.held.clear();
	}

	/**
	 * Has those declared that were held back during a connection's opening. What the
	 * broker refuses fails the containers that need it, as it does without us.
	 * @param connectionFactory whose connection that was
	 */
	void releaseAndDeclare(ConnectionFactory connectionFactory) {
		boolean any = !this.held.isEmpty();
		release();
		if (!any) {
			return;
		}
		Map<String, RabbitAdmin> admins = this.beans.getBeansOfType(RabbitAdmin.class, false, false);
		admins.forEach((name, admin) -> {
			if (admin.isAutoStartup() && admin.getRabbitTemplate().getConnectionFactory() == connectionFactory) {
				try {
					admin.initialize();
				}
				catch (AmqpException ex) {
					logger.warn("'%s' could not declare the application's own queues and exchanges".formatted(name),
							ex);
				}
			}
		});
	}

	/**
	 * A queue, an exchange or a binding of the application.
	 *
	 * @param name the bean's name
	 * @param declarable what is declared
	 */
	record DeclaredBean(String name, Declarable declarable) {
	}

}
