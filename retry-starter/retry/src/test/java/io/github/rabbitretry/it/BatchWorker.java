/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that takes some time for each message of a producer's batch, fails with those
 * that say so, and can be killed meanwhile.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class BatchWorker {

	/** The work queue. */
	static final String QUEUE = "batches.killed";

	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(BatchWorker.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			if (application.isActive()) {
				System.in.read();
			}
		}
	}

	@RabbitListener(queues = QUEUE)
	void handle(Message message) {
		String what = new String(message.getBody());
		long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
		while (until - System.nanoTime() > 0) {
			LockSupport.parkNanos(until - System.nanoTime());
		}
		System.out.println("CALLED " + message.getMessageProperties().getMessageId());
		if (what.startsWith("fail")) {
			throw new IllegalStateException("no");
		}
		System.out.println("HANDLED " + message.getMessageProperties().getMessageId());
	}

}
