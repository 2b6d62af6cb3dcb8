/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration;
import io.github.rabbitretry.it.BootRabbit;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A worker that plays its messages' {@link MessageFate}. Runs in the test's JVM, or in
 * one of its own until its standard input ends, which it does with the test's JVM too.
 */
@SpringBootConfiguration
@BootRabbit
@ImportAutoConfiguration(RabbitRetryAutoConfiguration.class)
class ChaosApplication {

	/** Longer than a stop takes that waits for nothing in vain. */
	static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

	private final Evidence evidence;

	private final long work;

	private final int deadly;

	ChaosApplication(@Value("${chaos.evidence}") Path evidence, @Value("${chaos.work-micros:0}") long micros,
			@Value("${chaos.deadly:-1}") int deadly) {
		this.deadly = deadly;
		this.evidence = new Evidence(evidence);
		this.work = TimeUnit.MICROSECONDS.toNanos(micros);
	}

	public static void main(String[] arguments) throws Exception {
		try (ConfigurableApplicationContext application = run(arguments); Scanner orders = new Scanner(System.in)) {
			while (orders.hasNext()) {
				String order = orders.next();
				if (order.equals(WorkerClock.ORDER)) {
					WorkerClock.set(orders.nextLong());
				}
				else {
					HandoverStep.valueOf(order).haltAt(orders.nextInt());
				}
			}
		}
	}

	static ConfigurableApplicationContext run(String... arguments) {
		return new SpringApplicationBuilder(ChaosApplication.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(arguments);
	}

	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> simpleContainers() {
		return (container) -> {
			container.setShutdownTimeout(SHUTDOWN_TIMEOUT.toMillis());
			container.setRecoveryInterval(100);
		};
	}

	@Bean
	ContainerCustomizer<DirectMessageListenerContainer> directContainers() {
		return (container) -> {
			container.setShutdownTimeout(SHUTDOWN_TIMEOUT.toMillis());
			container.setRecoveryInterval(100);
			container.setMonitorInterval(100);
		};
	}

	@Bean
	ParkedCount parkedCount() {
		return new ParkedCount();
	}

	@RabbitListener(queues = "${chaos.queue}")
	void handle(Message message) throws Exception {
		int number = Integer.parseInt(new String(message.getBody()));
		if (this.work > 0) {
			LockSupport.parkNanos(this.work);
		}
		if (number == this.deadly) {
			Runtime.getRuntime().halt(137);
		}
		Object attempt = message.getMessageProperties().getHeaders().getOrDefault("x-app-retry-attempt", 0);
		MessageFate.of(number).play(((Number) attempt).intValue());
		this.evidence.handled(number);
	}

	/** How many copies the parking lot has taken, as the worker sees it. */
	static final class ParkedCount implements DeliveryListener {

		private final AtomicInteger count = new AtomicInteger();

		int get() {
			return this.count.get();
		}

		@Override
		public void parked(String messageType, String reason, FailureClass failureClass) {
			this.count.incrementAndGet();
		}

	}

}
