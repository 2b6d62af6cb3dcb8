/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Bytes as they stand in strings: mostly such as nobody expects.
 */
final class RandomBytes {

	private static final List<String> TEXTS = List.of("", "0", "-1", "null", "application/json", "UTF-8", "\u0000",
			"a\nb\r\n2026-01-01 ERROR forged", "\u0085next\u009bline\u001b[31m", "\u202egnirts",
			"\u00e4\u20ac\ud83d\ude00", "2147483647", "9223372036854775807", "9999-12-31T23:59:59Z",
			"-999999999-01-01T00:00:00Z", "PT-1S", "x".repeat(255), "amq.rabbitmq.reply-to.x",
			"java.lang.ProcessBuilder", "%s%n${jndi:ldap://x}", "' or 1=1 --");

	private final Random random;

	RandomBytes(Random random) {
		this.random = random;
	}

	/** At most so many bytes. */
	byte[] string(int most) {
		byte[] bytes = switch (this.random.nextInt(6)) {
			case 0, 1 -> TEXTS.get(this.random.nextInt(TEXTS.size())).getBytes(StandardCharsets.UTF_8);
			case 2 -> any(this.random.nextInt(20));
			case 3 -> any(this.random.nextInt(most + 1));
			case 4 -> filled((byte) 0xFF, this.random.nextBoolean() ? most : this.random.nextInt(most + 1));
			default -> ("n" + this.random.nextInt(1000)).getBytes(StandardCharsets.UTF_8);
		};
		return (bytes.length > most) ? java.util.Arrays.copyOf(bytes, most) : bytes;
	}

	byte[] any(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private static byte[] filled(byte value, int length) {
		byte[] bytes = new byte[length];
		java.util.Arrays.fill(bytes, value);
		return bytes;
	}

	/** Numbers at the ends of their ranges as often as others. */
	long number() {
		return switch (this.random.nextInt(8)) {
			case 0 -> 0;
			case 1 -> -1;
			case 2 -> Long.MAX_VALUE;
			case 3 -> Long.MIN_VALUE;
			case 4 -> Integer.MAX_VALUE;
			case 5 -> Integer.MIN_VALUE;
			case 6 -> this.random.nextInt(100);
			default -> this.random.nextLong();
		};
	}

}
