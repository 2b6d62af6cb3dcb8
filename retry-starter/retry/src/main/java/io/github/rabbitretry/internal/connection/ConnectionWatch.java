/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Has the application's connections watched from the first one on.
 */
public final class ConnectionWatch implements BeanPostProcessor {

	private final ObjectProvider<ConnectionAborter> aborter;

	private final ObjectProvider<ConsumerCancellations> cancellations;

	/**
	 * Creates the watch.
	 * @param aborter what closes connections at the end of a stop
	 * @param cancellations what reports cancelled consumers
	 */
	public ConnectionWatch(ObjectProvider<ConnectionAborter> aborter,
			ObjectProvider<ConsumerCancellations> cancellations) {
		this.aborter = aborter;
		this.cancellations = cancellations;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AbstractConnectionFactory factory) {
			FatalErrors.watch(factory);
			BlockedConnections.watch(factory);
			this.aborter.ifAvailable((atStop) -> atStop.watch(factory));
			this.cancellations.ifAvailable((ofConsumers) -> ofConsumers.watch(factory));
		}
		return bean;
	}

}
