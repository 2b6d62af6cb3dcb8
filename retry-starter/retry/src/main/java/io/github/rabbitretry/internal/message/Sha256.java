/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256, which every Java platform has.
 */
public final class Sha256 {

	private Sha256() {
	}

	/**
	 * Begins a hash.
	 * @return to be updated and ended
	 */
	public static MessageDigest digest() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Hashes bytes.
	 * @param bytes the bytes
	 * @return 64 lower case hexadecimal characters
	 */
	public static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(digest().digest(bytes));
	}

}
