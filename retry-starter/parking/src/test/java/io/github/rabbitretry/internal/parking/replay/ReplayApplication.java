/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.parking.publication.ReplaySettings;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application whose handler can be broken and mended.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReplayApplication {

	private final List<Message> handled = Collections.synchronizedList(new ArrayList<>());

	private volatile Predicate<Message> broken = (message) -> false;

	@Bean
	static ReplaySettings smallBatchesSoon() {
		return new ReplaySettings(Duration.ofSeconds(30), 20, Duration.ofMillis(50), 4, Duration.ofSeconds(30),
				Duration.ofDays(90), true);
	}

	@RabbitListener(queues = "${test.queue}")
	void handle(Message message) {
		this.handled.add(message);
		if (this.broken.test(message)) {
			throw new IllegalStateException("still broken");
		}
	}

	/** All deliveries so far. */
	List<Message> handled() {
		synchronized (this.handled) {
			return List.copyOf(this.handled);
		}
	}

	List<String> handledIds() {
		return handled().stream().map((message) -> message.getMessageProperties().getMessageId()).toList();
	}

	void breakFor(Predicate<Message> which) {
		this.broken = which;
	}

}
