/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.handler.RetryContext;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

class ReportHandler {

	private static final Duration PER_PAGE = Duration.ofSeconds(10);

	@RabbitListener(queues = "order.report.create")
	void handle(List<String> pages, RetryContext context) throws InterruptedException {
		for (String page : pages) {
			context.extendTimeout(PER_PAGE);
			if (Thread.interrupted()) {
				throw new InterruptedException("too late for page " + page);
			}
		}
	}

}
