/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes in network order. Checks nothing: what is wrong is to be sent.
 */
final class Wire {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	Wire u8(int value) {
		this.out.write(value);
		return this;
	}

	Wire u16(int value) {
		return u8(value >> 8).u8(value);
	}

	Wire u32(long value) {
		return u16((int) (value >> 16)).u16((int) value);
	}

	Wire u64(long value) {
		return u32(value >> 32).u32(value);
	}

	Wire bytes(byte[] bytes) {
		this.out.writeBytes(bytes);
		return this;
	}

	/** A length of one byte, then the bytes. */
	Wire shortString(byte[] bytes) {
		return u8(bytes.length).bytes(bytes);
	}

	Wire shortString(String text) {
		return shortString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** A length of four bytes, then the bytes. */
	Wire longString(byte[] bytes) {
		return u32(bytes.length).bytes(bytes);
	}

	int size() {
		return this.out.size();
	}

	byte[] toBytes() {
		return this.out.toByteArray();
	}

}
