/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.startup;

import java.lang.management.ManagementFactory;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/**
 * A service with one listener, which reports what its start took and ends. It runs in a
 * process of its own and names nothing of the starter, so that the control can do
 * without.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
// the database is for other benchmarks
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
public class OneTypeService {

	static final String QUEUE = "start.order";

	/**
	 * Begins the line with milliseconds since the JVM's start, classes and bytes of heap.
	 */
	static final String STARTED = "started:";

	@RabbitListener(queues = QUEUE)
	void handle(byte[] order) {
		// nothing is published
	}

	/**
	 * Starts and ends.
	 * @param arguments the application's
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(OneTypeService.class, arguments);
		long millis = ManagementFactory.getRuntimeMXBean().getUptime();
		int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
		ManagementFactory.getMemoryMXBean().gc();
		long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		System.out.println(STARTED + " " + millis + " " + classes + " " + heap);
		System.exit(0);
	}

}
