/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The order worker.
 */
@SpringBootApplication
public class OrderWorkerApplication {

	/**
	 * Starts the worker.
	 * @param arguments Spring Boot's
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(OrderWorkerApplication.class, arguments);
	}

}
