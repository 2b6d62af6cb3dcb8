/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of all handlers. One thread looks at all calls, if any policy has a
 * timeout.
 */
public final class HandlerTimeouts {

	private final Map<String, HandlerTimeout> byType = new ConcurrentHashMap<>();

	private final ScheduledExecutorService executor = Executors
		.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-timeout"));

	/** One for all listeners of a message type. */
	public @Nullable HandlerTimeout of(MessagePolicy policy) {
		HandlerTime time = policy.handlerTime();
		return (time != null) ? this.byType.computeIfAbsent(policy.messageType(), (type) -> begin(type, time)) : null;
	}

	private HandlerTimeout begin(String messageType, HandlerTime time) {
		HandlerTimeout timeout = new HandlerTimeout(messageType, time);
		long period = timeout.period().toNanos();
		this.executor.scheduleWithFixedDelay(timeout::look, period, period, TimeUnit.NANOSECONDS);
		return timeout;
	}

	public int overdue(String messageType) {
		HandlerTimeout timeout = this.byType.get(messageType);
		return (timeout != null) ? timeout.overdue() : 0;
	}

	public List<HealthProblem> problems() {
		return this.byType.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().overdue() > 0)
			.map((entry) -> new HealthProblem("handler-overdue", entry.getKey(),
					"handler calls still running after handler-timeout although they were interrupted: %s; the log shows their stack traces"
						.formatted(entry.getValue().overdue())))
			.toList();
	}

	public void close() {
		this.executor.shutdownNow();
	}

}
