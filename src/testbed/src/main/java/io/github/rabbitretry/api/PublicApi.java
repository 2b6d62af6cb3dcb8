/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module, as text: each public type outside of {@code internal}
 * packages with its public and protected members. What the compiler and every class has
 * anyway, such as {@code equals}, is left out.
 */
public final class PublicApi {

	private static final List<String> OF_EVERY_CLASS = List.of("equals", "hashCode", "toString", "values", "valueOf");

	private PublicApi() {
	}

	/**
	 * Reads the API of the module that a class belongs to.
	 * @param member any class of the module
	 * @return a line for each type and each of its members, in the order of their names
	 */
	public static List<String> of(Class<?> member) {
		return types(member).flatMap(PublicApi::lines).toList();
	}

	private static Stream<Class<?>> types(Class<?> member) {
		return names(member).stream()
			.filter((name) -> !name.contains(".internal.") && !name.endsWith("-info"))
			.sorted()
			.<Class<?>>map((name) -> load(name, member))
			.filter(PublicApi::visible);
	}

	private static List<String> names(Class<?> member) {
		Path source = source(member);
		try {
			if (Files.isDirectory(source)) {
				return names(source);
			}
			try (FileSystem jar = FileSystems.newFileSystem(source)) {
				return names(jar.getPath("/"));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path source(Class<?> member) {
		try {
			URI location = member.getProtectionDomain().getCodeSource().getLocation().toURI();
			return Path.of(location);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> names(Path root) throws IOException {
		try (Stream<Path> files = Files.walk(root)) {
			return files.map((file) -> root.relativize(file).toString().replace('\\', '/'))
				.filter((file) -> file.endsWith(".class") && !file.startsWith("META-INF"))
				.map((file) -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
				.toList();
		}
	}

	private static Class<?> load(String name, Class<?> member) {
		try {
			return Class.forName(name, false, member.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean visible(Class<?> type) {
		return Modifier.isPublic(type.getModifiers())
				&& (type.getDeclaringClass() == null || visible(type.getDeclaringClass()));
	}

	private static Stream<String> lines(Class<?> type) {
		Stream<String> members = Stream
			.of(Arrays.stream(type.getDeclaredFields())
				.filter((field) -> exported(field.getModifiers()))
				.map(PublicApi::text),
					Arrays.stream(type.getDeclaredConstructors())
						.filter((constructor) -> exported(constructor.getModifiers()))
						.map(PublicApi::text),
					Arrays.stream(type.getDeclaredMethods())
						.filter((method) -> exported(method.getModifiers()) && !method.isSynthetic()
								&& !OF_EVERY_CLASS.contains(method.getName()))
						.map(PublicApi::text))
			.flatMap(Function.identity())
			.sorted()
			.map((line) -> "  " + line);
		return Stream.concat(Stream.of(header(type)), members);
	}

	private static boolean exported(int modifiers) {
		return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
	}

	private static String header(Class<?> type) {
		String kind = type.isRecord() ? "record" : type.isEnum() ? "enum"
				: type.isAnnotation() ? "@interface" : type.isInterface() ? "interface" : "class";
		String supertypes = Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
			.filter((parent) -> !List.<Class<?>>of(Object.class, Record.class, Enum.class).contains(parent))
			.map(Class::getName)
			.collect(Collectors.joining(", "));
		return "%s %s%s".formatted(kind, type.getName(), supertypes.isEmpty() ? "" : " : " + supertypes);
	}

	private static String text(Field field) {
		return field.isEnumConstant() ? field.getName() : "%s%s %s".formatted(statically(field.getModifiers()),
				field.getGenericType().getTypeName(), field.getName());
	}

	private static String text(Constructor<?> constructor) {
		return "new" + parameters(constructor);
	}

	private static String text(Method method) {
		return "%s%s %s%s".formatted(statically(method.getModifiers()), method.getGenericReturnType().getTypeName(),
				method.getName(), parameters(method));
	}

	private static String statically(int modifiers) {
		return Modifier.isStatic(modifiers) ? "static " : "";
	}

	private static String parameters(Executable executable) {
		return Arrays.stream(executable.getGenericParameterTypes())
			.map((type) -> Objects.toString(type.getTypeName()))
			.collect(Collectors.joining(", ", "(", ")"));
	}

}
