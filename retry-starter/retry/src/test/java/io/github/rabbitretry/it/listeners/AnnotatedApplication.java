/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.validation.Validator;

/**
 * An application whose listeners are annotated methods.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableAsync(proxyTargetClass = true)
@Import({ PayloadKinds.Listeners.class, PayloadKinds.HandlerClass.class, ReplyKinds.Listeners.class,
		AsyncKinds.Listeners.class, KotlinKinds.Listeners.class, QueueKinds.Listeners.class, DeliveryRecord.class })
class AnnotatedApplication {

	static final KindsApplication APPLICATION = new KindsApplication(AnnotatedApplication.class);

	@Bean
	static JacksonJsonMessageConverter json() {
		return new JacksonJsonMessageConverter(Order.class.getPackageName());
	}

	@Bean
	static RabbitListenerConfigurer validation() {
		Validator validator = Validator.forInstanceOf(Order.class, (order, errors) -> {
			if (order.quantity() < 1) {
				errors.reject("quantity", "must be 1 or more");
			}
		});
		return (registrar) -> registrar.setValidator(validator);
	}

}
