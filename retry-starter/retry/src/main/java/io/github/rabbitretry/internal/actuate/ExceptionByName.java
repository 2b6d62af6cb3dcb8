/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.lang.reflect.Modifier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.objenesis.ObjenesisException;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Makes an exception of a class name. No constructor runs, so that its fields are empty,
 * and no class is initialized that is not an exception.
 */
final class ExceptionByName {

	private static final Pattern NAME = Pattern.compile("[\\w$]+(\\.[\\w$]+)*");

	private static final int LONGEST = 500;

	private final SpringObjenesis objenesis = new SpringObjenesis();

	private final @Nullable ClassLoader classLoader;

	ExceptionByName(@Nullable ClassLoader classLoader) {
		this.classLoader = (classLoader != null) ? classLoader : ClassUtils.getDefaultClassLoader();
	}

	/**
	 * Makes an exception.
	 * @param name the fully qualified class name
	 * @return the exception
	 * @throws IllegalArgumentException with a sentence for the one who asked, if there is
	 * no such exception
	 */
	Throwable make(String name) {
		Class<?> type = load(name);
		Assert.isTrue(Throwable.class.isAssignableFrom(type), () -> "Class '%s' is no exception.".formatted(name));
		Assert.isTrue(!Modifier.isAbstract(type.getModifiers()),
				() -> "Exception '%s' is abstract, so that none is thrown: name a subclass.".formatted(name));
		try {
			return (Throwable) this.objenesis.newInstance(type, false);
		}
		catch (ObjenesisException | LinkageError ex) {
			throw new IllegalArgumentException("Exception '%s' can't be made here.".formatted(name), ex);
		}
	}

	private Class<?> load(String name) {
		Assert.isTrue(name.length() <= LONGEST && NAME.matcher(name).matches(),
				"Parameter 'exception' is no class name.");
		try {
			return Class.forName(name, false, this.classLoader);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw new IllegalArgumentException(
					"Class '%s' can't be loaded: write the fully qualified name of a class that this application has."
						.formatted(name),
					ex);
		}
	}

}
