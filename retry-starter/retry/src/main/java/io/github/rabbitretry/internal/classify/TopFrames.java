/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Where a failure comes from, short enough for a header: the frames that its fingerprint
 * is made of, and the handler's own.
 */
public final class TopFrames {

	static final int TOP = 5;

	private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final Pattern PROXY = Pattern.compile("(.*\\.)?\\$Proxy\\d+");

	/**
	 * {@code Foo$$Lambda$14/0x0f}, {@code Foo$$Lambda/0x0f}, {@code Foo$$SpringCGLIB$$0}.
	 */
	private static final Pattern GENERATED = Pattern.compile("\\$\\$.*|/0x.*");

	/** {@code Foo$1}, {@code lambda$foo$3}. */
	private static final Pattern NUMBER = Pattern.compile("\\$\\d+");

	private static final StackTraceElement[] NONE = {};

	/** Beneath it, and the JDK's reflection, is the handler. */
	private static final String INVOKER = "org.springframework.messaging.handler.invocation.InvocableHandlerMethod";

	private TopFrames() {
	}

	/**
	 * The frames.
	 * @param failure the exception, of which causes are not looked at
	 * @return the five top methods of its stack trace outside the JDK, innermost first,
	 * and the listener method if it is not among them
	 */
	public static List<String> of(Throwable failure) {
		Map<String, String> frames = new LinkedHashMap<>();
		@Nullable StackTraceElement last = null;
		for (StackTraceElement frame : trace(failure)) {
			if (frame.getClassName().equals(INVOKER)) {
				if (last != null) {
					frames.putIfAbsent(method(last), text(last));
				}
				break;
			}
			if (isOurs(frame.getClassName())) {
				last = frame;
				if (frames.size() < TOP) {
					frames.putIfAbsent(method(frame), text(frame));
				}
			}
		}
		return new ArrayList<>(frames.values());
	}

	private static String text(StackTraceElement frame) {
		String file = (frame.getFileName() != null) ? frame.getFileName() : "unknown";
		String line = (frame.getLineNumber() >= 0) ? ":" + frame.getLineNumber() : "";
		// a format string takes several times as long, for each frame of each parked
		// message
		return frame.getClassName() + "." + frame.getMethodName() + "(" + file + line + ")";
	}

	/**
	 * The frames of an exception, which may override how they are told.
	 * @param failure the exception
	 * @return its frames, none where it gives none
	 */
	public static StackTraceElement[] trace(Throwable failure) {
		try {
			@Nullable StackTraceElement @Nullable [] frames = failure.getStackTrace();
			return (frames != null && Arrays.stream(frames).allMatch(Objects::nonNull)) ? frames : NONE;
		}
		catch (RuntimeException | StackOverflowError ex) {
			return NONE;
		}
	}

	/**
	 * The top of a stack trace as {@code class#method}, without whatever differs between
	 * two runs or two versions of the JDK: the JDK's own frames, proxies, the numbers of
	 * lambdas, anonymous and generated classes.
	 */
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
