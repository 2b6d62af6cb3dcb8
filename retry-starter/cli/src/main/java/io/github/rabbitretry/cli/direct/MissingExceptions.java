/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.objenesis.ObjenesisException;
import org.springframework.objenesis.SpringObjenesis;

/**
 * Has an exception class for each name of one, also where the class itself is the
 * service's and is not here. Such a class is known by its name and nothing else: what it
 * extends, the service knows.
 */
final class MissingExceptions extends ClassLoader {

	private static final Pattern NAME = Pattern.compile("[\\w$]{1,100}(\\.[\\w$]{1,100}){0,30}");

	private final SpringObjenesis objenesis = new SpringObjenesis();

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	MissingExceptions() {
		super(MissingExceptions.class.getClassLoader());
	}

	/**
	 * Adds a name; other classes that are not here stay missing.
	 * @param name the name of an exception's class
	 */
	void add(String name) {
		if (NAME.matcher(name).matches()) {
			this.names.add(name);
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		if (!this.names.contains(name)) {
			throw new ClassNotFoundException(name);
		}
		ClassWriter type = new ClassWriter(0);
		type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name.replace('.', '/'), null,
				"java/lang/Exception", null);
		type.visitEnd();
		byte[] bytes = type.toByteArray();
		return defineClass(name, bytes, 0, bytes.length);
	}

	/**
	 * Makes an exception that is thrown nowhere.
	 * @param name the name of its class
	 * @return the exception, or empty if the class is none
	 */
	Optional<Throwable> make(String name) {
		add(name);
		try {
			Class<?> type = Class.forName(name, false, this);
			if (!Throwable.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) {
				return Optional.empty();
			}
			return Optional.of((Throwable) this.objenesis.newInstance(type, false));
		}
		catch (ClassNotFoundException | LinkageError | ObjenesisException ex) {
			return Optional.empty();
		}
	}

}
