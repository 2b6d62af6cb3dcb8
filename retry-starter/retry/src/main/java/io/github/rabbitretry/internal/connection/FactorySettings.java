/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;

import com.rabbitmq.client.Address;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.amqp.rabbit.connection.ConnectionNameStrategy;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.util.Assert;

/**
 * Settings of a connection factory that Spring AMQP has no public getters for.
 */
final class FactorySettings {

	private final AbstractConnectionFactory factory;

	private final DirectFieldAccessor fields;

	FactorySettings(AbstractConnectionFactory factory) {
		this.factory = factory;
		this.fields = new DirectFieldAccessor(factory);
	}

	/** Those of its resolver, if it has one. */
	@Nullable List<Address> addresses() {
		List<Address> addresses = ProtectedGetter.call(AbstractConnectionFactory.class, "getAddresses", this.factory);
		return (addresses != null) ? List.copyOf(addresses) : null;
	}

	/** Spring AMQP tries them in the same order each time, by default. */
	void rotateAddresses() {
		if (this.fields.getPropertyValue("addressShuffleMode") == AddressShuffleMode.NONE
				&& this.fields.getPropertyValue("addresses") instanceof List<?> own && own.size() > 1) {
			List<String> rotated = new ArrayList<>(own.stream().map(Object::toString).toList());
			Collections.rotate(rotated, -1);
			this.factory.setAddresses(rotated);
		}
	}

	boolean shuffled() {
		return this.fields.getPropertyValue("addressShuffleMode") == AddressShuffleMode.RANDOM;
	}

	@Nullable ExecutorService executor() {
		return (ExecutorService) this.fields.getPropertyValue("executorService");
	}

	int closeTimeout() {
		return (Integer) required("closeTimeout");
	}

	ConnectionNameStrategy nameStrategy() {
		return (ConnectionNameStrategy) required("connectionNameStrategy");
	}

	private Object required(String field) {
		Object value = this.fields.getPropertyValue(field);
		Assert.state(value != null, () -> "%s of a connection factory must not be null".formatted(field));
		return value;
	}

}
