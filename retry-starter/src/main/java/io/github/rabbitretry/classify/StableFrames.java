/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The top of a stack trace as {@code class#method}, without whatever differs between two
 * runs or two versions of the JDK: the JDK's own frames, proxies, the numbers of lambdas,
 * anonymous and generated classes.
 */
final class StableFrames {

	private static final int TOP = 5;

	private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

	private static final Pattern PROXY = Pattern.compile("(.*\\.)?\\$Proxy\\d+");

	/**
	 * {@code Foo$$Lambda$14/0x0f}, {@code Foo$$Lambda/0x0f}, {@code Foo$$SpringCGLIB$$0}.
	 */
	private static final Pattern GENERATED = Pattern.compile("\\$\\$.*|/0x.*");

	/** {@code Foo$1}, {@code lambda$foo$3}. */
	private static final Pattern NUMBER = Pattern.compile("\\$\\d+");

	private StableFrames() {
	}

	static List<String> top(Throwable failure) {
		return Arrays.stream(failure.getStackTrace())
			.filter((frame) -> !JDK.matcher(frame.getClassName()).matches())
			.filter((frame) -> !PROXY.matcher(frame.getClassName()).matches())
			.map((frame) -> className(frame.getClassName()) + "#" + methodName(frame.getMethodName()))
			// a generated subclass, a bridge and a recursion repeat a method
			.distinct()
			.limit(TOP)
			.toList();
	}

	static String className(String name) {
		return NUMBER.matcher(GENERATED.matcher(name).replaceFirst("")).replaceAll("");
	}

	private static String methodName(String name) {
		return NUMBER.matcher(name).replaceAll("");
	}

}
