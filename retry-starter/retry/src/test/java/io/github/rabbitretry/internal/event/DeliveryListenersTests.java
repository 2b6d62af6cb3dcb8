/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.ReplayReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryListenersTests {

	@ParameterizedTest
	@MethodSource("callbacks")
	void everyCallbackReachesEveryListenerInOrder(Method callback) throws ReflectiveOperationException {
		List<String> told = new ArrayList<>();
		DeliveryListener listeners = DeliveryListeners.of(List.of(recording("a", told), recording("b", told)));
		callback.invoke(listeners, arguments(callback));
		assertThat(told).containsExactly("a " + callback.getName(), "b " + callback.getName());
	}

	@ParameterizedTest
	@MethodSource("callbacks")
	void aFailingListenerKeepsNothingFromTheOthers(Method callback) throws ReflectiveOperationException {
		List<String> told = new ArrayList<>();
		DeliveryListener failing = proxy((method) -> {
			throw new NoClassDefFoundError("gone");
		});
		DeliveryListener listeners = DeliveryListeners.of(List.of(failing, recording("b", told)));
		callback.invoke(listeners, arguments(callback));
		assertThat(told).containsExactly("b " + callback.getName());
	}

	@Test
	void everyCallbackMayBeLeftOut() {
		DeliveryListener nothing = new DeliveryListener() {
		};
		DeliveryListeners.of(List.of(nothing)).retried("Order", "WHY", FailureClass.UNKNOWN, Duration.ZERO);
		DeliveryListeners.of(List.of()).received("Order");
	}

	static Stream<Method> callbacks() {
		return Arrays.stream(DeliveryListener.class.getMethods());
	}

	private static DeliveryListener recording(String name, List<String> told) {
		return proxy((method) -> told.add(name + " " + method));
	}

	private static DeliveryListener proxy(Consumer<String> called) {
		return (DeliveryListener) Proxy.newProxyInstance(DeliveryListener.class.getClassLoader(),
				new Class<?>[] { DeliveryListener.class }, (proxy, method, arguments) -> {
					if (method.getDeclaringClass() == DeliveryListener.class) {
						called.accept(method.getName());
					}
					return null;
				});
	}

	private static Object[] arguments(Method callback) {
		List<Object> samples = List.of("text", Duration.ZERO, FailureClass.UNKNOWN,
				new EscalatedMessage("Order", "team-orders", "1", 3, Duration.ZERO, "WHY"), new ReplayReference("r", 1),
				ReplayReference.Outcome.SUCCEEDED,
				new Outage("gateway", List.of("Order"), "WHY", Instant.EPOCH, null, 0));
		return Arrays.stream(callback.getParameterTypes())
			.map((type) -> samples.stream().filter(type::isInstance).findFirst().orElseThrow())
			.toArray();
	}

}
