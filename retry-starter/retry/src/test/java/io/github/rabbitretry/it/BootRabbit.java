/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Imports Spring Boot's auto-configuration of RabbitMQ. Spring Boot 4.2 moves it to
 * another package, so tests name it here only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration(RabbitAutoConfiguration.class)
public @interface BootRabbit {

	/** The auto-configuration. */
	Class<?> AUTO_CONFIGURATION = RabbitAutoConfiguration.class;

}
