/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.function.Supplier;

import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Refuses containers of Spring Cloud Stream's binder on policies' queues. They are no
 * beans and in no registry, so they can't be taken over. The binder logs what it is
 * refused with and tries the binding again later, so startup fails once all bindings were
 * made.
 */
public final class BinderContainers implements SmartLifecycle {

	private final MessagePolicies policies;

	private volatile @Nullable UnsupportedListenerException refused;

	private volatile boolean running;

	/**
	 * Creates it.
	 * @param policies whose queues are managed
	 */
	public BinderContainers(MessagePolicies policies) {
		this.policies = policies;
	}

	/**
	 * Refuses a binding if it consumes a policy's queue.
	 * @param queues the queues that it consumes, before it does
	 * @param binding how to name it in errors
	 * @throws UnsupportedListenerException if it does
	 */
	public void check(String[] queues, Supplier<String> binding) {
		for (String queue : queues) {
			MessagePolicy policy = this.policies.ofQueue(queue).orElse(null);
			if (policy != null) {
				this.refused = new UnsupportedListenerException(binding.get(), queue,
						"its container is Spring Cloud Stream's, to which message policy '%s' can't apply"
							.formatted(policy.messageType()),
						"Consume the queue with a @RabbitListener method instead of the binding, or remove message policy '%s'."
							.formatted(policy.messageType()));
				throw this.refused;
			}
		}
	}

	@Override
	public void start() {
		if (this.refused != null) {
			throw this.refused;
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.AFTER_BINDINGS;
	}

}
