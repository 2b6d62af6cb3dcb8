/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

import io.github.rabbitretry.internal.message.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of what is stored.
 */
final class Hashes {

	private Hashes() {
	}

	/** Parts that are {@code null} differ from empty ones. */
	static byte[] of(@Nullable String... parts) {
		MessageDigest digest = Sha256.digest();
		for (String part : parts) {
			digest.update((byte) ((part != null) ? 1 : 0));
			digest.update(((part != null) ? part : "").getBytes(StandardCharsets.UTF_8));
			digest.update((byte) 0);
		}
		return digest.digest();
	}

}
