/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;

/**
 * Kinds that consume several queues.
 */
final class QueueKinds {

	private static final String COVERED = "kinds.several-queues-with-policies";

	private static final String MIXED = "kinds.queues-with-and-without-a-policy";

	private QueueKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(
				new ListenerKind("several queues with policies", AnnotatedApplication.APPLICATION,
						"rabbit-retry.message-policies.First.queue=" + COVERED + ".first"),
				new ListenerKind("queues with and without a policy", AnnotatedApplication.APPLICATION));
	}

	static class Listeners {

		@Bean
		static Queue withoutPolicy() {
			return new Queue(MIXED + ".without");
		}

		@RabbitListener(queues = { COVERED + ".first", COVERED })
		void several(Order order) {
			HandlerCalls.handle(order.id());
		}

		@RabbitListener(queues = { MIXED + ".without", MIXED })
		void mixed(Order order) {
			HandlerCalls.handle(order.id());
		}

	}

}
