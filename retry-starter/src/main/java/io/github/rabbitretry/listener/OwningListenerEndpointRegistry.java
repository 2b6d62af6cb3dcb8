/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;

/**
 * The registry of all listeners, Boot's container factory, the user's own and endpoints
 * registered later alike: the one place where every container passes by before it is
 * initialized.
 */
public class OwningListenerEndpointRegistry extends ContextProvidingRegistry {

	private final ContainerOwner owner;

	/**
	 * Creates the registry.
	 * @param owner takes containers over
	 */
	public OwningListenerEndpointRegistry(ContainerOwner owner) {
		this.owner = owner;
	}

	@Override
	protected MessageListenerContainer createListenerContainer(RabbitListenerEndpoint endpoint,
			RabbitListenerContainerFactory<?> factory) {
		return super.createListenerContainer(endpoint, owning(factory, ListenerDescription.of(endpoint)));
	}

	private <C extends MessageListenerContainer> RabbitListenerContainerFactory<C> owning(
			RabbitListenerContainerFactory<C> factory, ListenerDescription listener) {
		return (endpoint) -> {
			C container = factory.createListenerContainer(endpoint);
			this.owner.own(container, listener);
			return container;
		};
	}

	@Override
	public void stop() {
		quiesced(super::stop);
	}

	@Override
	public void stop(Runnable callback) {
		quiesced(() -> super.stop(callback));
	}

	private void quiesced(Runnable stop) {
		this.owner.quiesce();
		try {
			stop.run();
		}
		finally {
			this.owner.resume();
		}
	}

}
