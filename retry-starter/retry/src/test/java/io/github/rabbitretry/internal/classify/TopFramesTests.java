/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopFramesTests {

	@Test
	void areThoseOfTheFingerprintAndTheListeners() {
		Exception failure = new IllegalStateException();
		failure.setStackTrace(new StackTraceElement[] { frame("java.net.Socket", "read", 1),
				frame("org.acme.Http", "get", 2), frame("org.acme.Http", "get", 3), frame("org.acme.A", "a", 4),
				frame("org.acme.B", "b", 5), frame("org.acme.C", "c", 6), frame("org.acme.D", "d", 7),
				frame("org.acme.E", "e", 8), frame("com.acme.OrderListener", "handle", 42),
				frame("jdk.internal.reflect.DirectMethodHandleAccessor", "invoke", 104),
				frame("java.lang.reflect.Method", "invoke", 565),
				frame("org.springframework.messaging.handler.invocation.InvocableHandlerMethod", "doInvoke", 165),
				frame("org.springframework.Other", "x", 1) });
		assertThat(TopFrames.of(failure)).containsExactly("org.acme.Http.get(Http.java:2)", "org.acme.A.a(A.java:4)",
				"org.acme.B.b(B.java:5)", "org.acme.C.c(C.java:6)", "org.acme.D.d(D.java:7)",
				"com.acme.OrderListener.handle(OrderListener.java:42)");
	}

	@Test
	void areNoneWhereThereIsNoTrace() {
		Exception failure = new IllegalStateException();
		failure.setStackTrace(new StackTraceElement[0]);
		assertThat(TopFrames.of(failure)).isEmpty();
	}

	private static StackTraceElement frame(String type, String method, int line) {
		return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", line);
	}

}
