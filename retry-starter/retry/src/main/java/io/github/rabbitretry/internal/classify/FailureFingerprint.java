/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A short hash that is the same for failures that most likely have the same origin, so
 * that they can be counted and handled together. It is stable between runs, between
 * versions of the JDK, and through edits that only move lines.
 */
public final class FailureFingerprint {

	private static final int HEX_CHARACTERS = 16;

	private FailureFingerprint() {
	}

	/**
	 * The fingerprint of an exception: of the innermost cause's class, of the five top
	 * methods of its stack trace outside the JDK, and of the message type. Line numbers,
	 * messages and the numbers of generated classes and methods don't count.
	 * @param failure the failure, wrappers of Spring AMQP included
	 * @param messageType the name of the message policy
	 * @return 16 lower case hexadecimal characters
	 */
	public static String of(Throwable failure, String messageType) {
		Throwable root = CauseChain.innermost(failure);
		return of(root.getClass().getName(), TopFrames.trace(root), messageType);
	}

	/**
	 * The fingerprint of an exception that is known by its stack trace's text; the same
	 * as of the exception itself.
	 * @param exception the innermost cause's class
	 * @param frames its stack trace, the top first
	 * @param messageType the name of the message policy
	 * @return 16 lower case hexadecimal characters
	 */
	public static String of(String exception, List<StackTraceElement> frames, String messageType) {
		return of(exception, frames.toArray(StackTraceElement[]::new), messageType);
	}

	private static String of(String exception, StackTraceElement[] frames, String messageType) {
		List<String> parts = new ArrayList<>();
		parts.add("exception");
		parts.add(messageType);
		parts.add(TopFrames.className(exception));
		parts.addAll(TopFrames.top(frames));
		return hash(parts);
	}

	/**
	 * The fingerprint of a failure without an exception, as of a message that the broker
	 * gave up.
	 * @param reason the reason of the failure
	 * @param messageType the name of the message policy
	 * @return 16 lower case hexadecimal characters
	 */
	public static String of(String reason, String messageType) {
		return hash(List.of("reason", messageType, reason));
	}

	private static String hash(List<String> parts) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest).substring(0, HEX_CHARACTERS);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform must have SHA-256", ex);
		}
	}

}
