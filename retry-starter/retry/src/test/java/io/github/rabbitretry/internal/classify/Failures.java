/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.lang.reflect.Modifier;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;

import org.springframework.amqp.core.MessageProperties;

/**
 * What the tests of this package share.
 */
final class Failures {

	static final Clock NOON = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

	static final FailedDelivery DELIVERY = new FailedDelivery("CreateOrder", 0, new MessageProperties());

	private Failures() {
	}

	static FailureClassification classify(Throwable failure) {
		return new ClassificationChain(List.of(), ClassificationRules.of(List.of(), null), NOON).classify(failure,
				DELIVERY);
	}

	static RuntimeException causedBy(Throwable cause) {
		return new RuntimeException("a wrapper that says nothing", cause);
	}

	/**
	 * An exception with the name and the getters of one whose library is not there.
	 */
	static Throwable ofLibrary(String type, Map<String, Object> getters) {
		DynamicType.Builder<? extends Throwable> builder = new ByteBuddy().subclass(RuntimeException.class).name(type);
		for (Map.Entry<String, Object> getter : getters.entrySet()) {
			Class<?> result = (getter.getValue() instanceof Integer) ? int.class : getter.getValue().getClass();
			builder = builder.defineMethod(getter.getKey(), result, Modifier.PUBLIC)
				.intercept(FixedValue.value(getter.getValue()));
		}
		try (DynamicType.Unloaded<? extends Throwable> made = builder.make()) {
			return made.load(Failures.class.getClassLoader()).getLoaded().getConstructor().newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Throwable ofLibrary(String type) {
		return ofLibrary(type, Map.of());
	}

}
