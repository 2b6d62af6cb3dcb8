/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.event;

import org.springframework.amqp.core.TopicExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The exchange of events. Who wants them binds a queue to it.
 */
@Configuration(proxyBeanMethods = false)
class EventConfiguration {

	@Bean
	TopicExchange orderEventsExchange() {
		return new TopicExchange(OrderEvents.EXCHANGE);
	}

}
