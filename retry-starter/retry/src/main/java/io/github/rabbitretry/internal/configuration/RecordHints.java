/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;

/**
 * What a native image has to keep of records that configuration is bound to.
 */
public final class RecordHints {

	private RecordHints() {
	}

	/**
	 * Registers what a native image has to keep of a record: its components are read, and
	 * it is made.
	 * @param reflection where to register it
	 * @param type the record, or a list or map of records
	 */
	public static void register(ReflectionHints reflection, Type type) {
		if (type instanceof ParameterizedType parameterized) {
			for (Type argument : parameterized.getActualTypeArguments()) {
				register(reflection, argument);
			}
		}
		else if (type instanceof Class<?> record && record.isRecord()) {
			reflection.registerType(record, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
					MemberCategory.INVOKE_PUBLIC_METHODS);
			for (RecordComponent component : record.getRecordComponents()) {
				register(reflection, component.getGenericType());
			}
		}
	}

}
