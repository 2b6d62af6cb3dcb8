/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Where a failure comes from, short enough for a header: the frames that its fingerprint
 * is made of, and the handler's own.
 */
public final class TopFrames {

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
		for (StackTraceElement frame : StackTraces.of(failure)) {
			if (frame.getClassName().equals(INVOKER)) {
				if (last != null) {
					frames.putIfAbsent(FingerprintFrames.method(last), text(last));
				}
				break;
			}
			if (FingerprintFrames.isOurs(frame.getClassName())) {
				last = frame;
				if (frames.size() < FingerprintFrames.TOP) {
					frames.putIfAbsent(FingerprintFrames.method(frame), text(frame));
				}
			}
		}
		return new ArrayList<>(frames.values());
	}

	private static String text(StackTraceElement frame) {
		String file = (frame.getFileName() != null) ? frame.getFileName() : "unknown";
		String line = (frame.getLineNumber() >= 0) ? ":" + frame.getLineNumber() : "";
		return "%s.%s(%s%s)".formatted(frame.getClassName(), frame.getMethodName(), file, line);
	}

}
