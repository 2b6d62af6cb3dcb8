/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Fills the gaps of one record with the values of another: a component that is
 * {@code null} is taken from the other, and records within are merged alike.
 */
public final class RecordMerge {

	private RecordMerge() {
	}

	/**
	 * Merges two records.
	 * @param <T> their type
	 * @param first the one whose components count where they are not {@code null}
	 * @param second what fills the gaps
	 * @return the whole
	 */
	@SuppressWarnings("unchecked")
	public static <T extends Record> T merge(T first, T second) {
		RecordComponent[] components = first.getClass().getRecordComponents();
		Object[] values = Arrays.stream(components)
			.map((component) -> either(value(component, first), value(component, second)))
			.toArray();
		return (T) BeanUtils.instantiateClass(constructor(first.getClass(), components), values);
	}

	private static @Nullable Object either(@Nullable Object first, @Nullable Object second) {
		if (first instanceof Record one && second instanceof Record other) {
			return merge(one, other);
		}
		return (first != null) ? first : second;
	}

	private static @Nullable Object value(RecordComponent component, Record record) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), record);
	}

	private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
		try {
			return type
				.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("a record has its canonical constructor", ex);
		}
	}

	/**
	 * Registers what a native image has to keep for a record that is bound and merged:
	 * its components are read, and it is made again.
	 * @param reflection where to register it
	 * @param type the record, or a list or map of records
	 */
	public static void registerHints(ReflectionHints reflection, Type type) {
		if (type instanceof ParameterizedType parameterized) {
			for (Type argument : parameterized.getActualTypeArguments()) {
				registerHints(reflection, argument);
			}
		}
		else if (type instanceof Class<?> record && record.isRecord()) {
			reflection.registerType(record, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
					MemberCategory.INVOKE_PUBLIC_METHODS);
			for (RecordComponent component : record.getRecordComponents()) {
				registerHints(reflection, component.getGenericType());
			}
		}
	}

}
