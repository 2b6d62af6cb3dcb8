/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The top of a stack trace as {@code class#method}, without whatever differs between two
 * runs or two versions of the JDK: the JDK's own frames, proxies, the numbers of lambdas,
 * anonymous and generated classes.
 */
final class FingerprintFrames {

	static final int TOP = 5;

	private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final Pattern PROXY = Pattern.compile("(.*\\.)?\\$Proxy\\d+");

	/**
	 * {@code Foo$$Lambda$14/0x0f}, {@code Foo$$Lambda/0x0f}, {@code Foo$$SpringCGLIB$$0}.
	 */
	private static final Pattern GENERATED = Pattern.compile("\\$\\$.*|/0x.*");

	/** {@code Foo$1}, {@code lambda$foo$3}. */
	private static final Pattern NUMBER = Pattern.compile("\\$\\d+");

	private FingerprintFrames() {
	}

	static List<String> top(StackTraceElement[] trace) {
		// a generated subclass, a bridge and a recursion repeat a method
		Set<String> top = new LinkedHashSet<>();
		for (StackTraceElement frame : trace) {
			if (isOurs(frame.getClassName())) {
				top.add(method(frame));
			}
			if (top.size() == TOP) {
				break;
			}
		}
		return List.copyOf(top);
	}

	static String method(StackTraceElement frame) {
		return className(frame.getClassName()) + "#" + methodName(frame.getMethodName());
	}

	static boolean isOurs(String className) {
		for (String jdk : JDK) {
			if (className.startsWith(jdk)) {
				return false;
			}
		}
		return !isNumbered(className) || !PROXY.matcher(className).matches();
	}

	static String className(String name) {
		return (isNumbered(name) || name.indexOf('/') >= 0)
				? NUMBER.matcher(GENERATED.matcher(name).replaceFirst("")).replaceAll("") : name;
	}

	private static String methodName(String name) {
		return isNumbered(name) ? NUMBER.matcher(name).replaceAll("") : name;
	}

	/** Most names are not, and a pattern takes its time for each failure. */
	private static boolean isNumbered(String name) {
		return name.indexOf('$') >= 0;
	}

}
