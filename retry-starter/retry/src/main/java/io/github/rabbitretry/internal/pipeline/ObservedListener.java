/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.support.micrometer.RabbitListenerObservationConvention;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * A listener whose container does not observe it any more, since its messages are handled
 * by other threads, later.
 *
 * @param container the container
 * @param convention how its observations are named, or {@code null} for Spring AMQP's way
 */
public record ObservedListener(AbstractMessageListenerContainer container,
		@Nullable RabbitListenerObservationConvention convention) {

	/**
	 * Ends the observations of a container.
	 * @param container the container, not yet initialized
	 * @return what is to be observed in its place, or {@code null} if nothing is
	 */
	public static @Nullable ObservedListener takeOver(AbstractMessageListenerContainer container) {
		ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(container);
		if (!Boolean.TRUE.equals(fields.getPropertyValue("observationEnabled"))) {
			return null;
		}
		container.setObservationEnabled(false);
		// which is made where nothing is observed
		container.setMicrometerEnabled(false);
		return new ObservedListener(container,
				(RabbitListenerObservationConvention) fields.getPropertyValue("observationConvention"));
	}

	/**
	 * The listener's name in observations.
	 * @return its id
	 */
	public String id() {
		return this.container.getListenerId();
	}

}
