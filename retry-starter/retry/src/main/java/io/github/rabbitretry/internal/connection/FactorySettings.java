/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutorService;

import com.rabbitmq.client.Address;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.amqp.rabbit.connection.ConnectionNameStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Settings of a connection factory that Spring AMQP has no public getters for.
 */
final class FactorySettings {

	private final AbstractConnectionFactory factory;

	FactorySettings(AbstractConnectionFactory factory) {
		this.factory = factory;
	}

	@SuppressWarnings("unchecked")
	@Nullable List<Address> addresses() {
		List<Address> addresses = (List<Address>) get("getAddresses");
		return (addresses != null) ? List.copyOf(addresses) : null;
	}

	boolean shuffled() {
		return field("addressShuffleMode") == AddressShuffleMode.RANDOM;
	}

	@Nullable ExecutorService executor() {
		return (ExecutorService) get("getExecutorService");
	}

	int closeTimeout() {
		return (Integer) field("closeTimeout");
	}

	ConnectionNameStrategy nameStrategy() {
		return (ConnectionNameStrategy) field("connectionNameStrategy");
	}

	private @Nullable Object get(String getter) {
		Method method = ReflectionUtils.findMethod(AbstractConnectionFactory.class, getter);
		if (method == null) {
			throw missing(getter);
		}
		ReflectionUtils.makeAccessible(method);
		return ReflectionUtils.invokeMethod(method, this.factory);
	}

	private Object field(String name) {
		Field field = ReflectionUtils.findField(AbstractConnectionFactory.class, name);
		if (field == null) {
			throw missing(name);
		}
		ReflectionUtils.makeAccessible(field);
		Object value = ReflectionUtils.getField(field, this.factory);
		if (value == null) {
			throw new IllegalStateException("%s of a connection factory must not be null".formatted(name));
		}
		return value;
	}

	private static IllegalStateException missing(String member) {
		return new IllegalStateException(
				"this version of Spring AMQP has no AbstractConnectionFactory#%s".formatted(member));
	}

}
