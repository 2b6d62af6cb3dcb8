/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.samples;

import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts applications with message policies, or the same without.
 */
final class Samples {

	private Samples() {
	}

	/**
	 * Starts an application beside the tests' broker.
	 * @param application its configuration
	 * @param policies whether the queues have policies, which retry once
	 * @param queues the application's queues, which are there already
	 * @return the running application
	 */
	static ConfigurableApplicationContext start(Class<?> application, boolean policies, String... queues) {
		List<String> properties = new ArrayList<>(List.of("spring.rabbitmq.addresses=" + Broker.shared().amqpUri()));
		for (String queue : queues) {
			declare(queue);
			if (policies) {
				String policy = "rabbit-retry.message-policies." + queue.replace('.', '-') + ".";
				properties.addAll(List.of(policy + "queue=" + queue, policy + "work-queue=existing",
						policy + "broker-attempts=1", policy + "local-attempts=1", policy + "initial-delay=100ms"));
			}
		}
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	private static void declare(String queue) {
		com.rabbitmq.client.ConnectionFactory factory = new com.rabbitmq.client.ConnectionFactory();
		try {
			factory.setUri(Broker.shared().amqpUri());
			try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
				channel.queueDeclare(queue, true, false, false, null);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("Queue " + queue + " can't be declared", ex);
		}
	}

}
