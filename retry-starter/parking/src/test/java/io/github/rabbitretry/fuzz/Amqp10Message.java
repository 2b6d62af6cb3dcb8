/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.util.Random;

/**
 * AMQP 1.0 messages in the type system's own encodings.
 */
final class Amqp10Message {

	private final Random random;

	private final RandomBytes bytes;

	Amqp10Message(Random random) {
		this.random = random;
		this.bytes = new RandomBytes(random);
	}

	/**
	 * A message that the broker takes and can't convert: whoever consumes it with AMQP
	 * 0-9-1 loses the connection (4.0.5).
	 */
	byte[] unconvertible(byte[] body) {
		Wire wire = new Wire();
		byte[] name = new Wire().u8(0xA1).shortString("order-id").toBytes();
		byte[] uuid = new Wire().u8(0x98).bytes(this.bytes.any(16)).toBytes();
		section(wire, 0x74,
				new Wire().u8(0xD1).longString(new Wire().u32(2).bytes(name).bytes(uuid).toBytes()).toBytes());
		section(wire, 0x75, binary(body));
		return wire.toBytes();
	}

	/**
	 * Sections in their order, each there or not. No UUID, NaN or long in a list: see
	 * {@link #unconvertible}.
	 */
	byte[] encode(byte[] body) {
		Wire wire = new Wire();
		if (this.random.nextBoolean()) {
			section(wire, 0x70, list(bool(), new Wire().u8(0x50).u8(this.random.nextInt(256)).toBytes()));
		}
		if (this.random.nextInt(4) == 0) {
			section(wire, 0x71, map(true));
		}
		if (this.random.nextBoolean()) {
			section(wire, 0x72, map(true));
		}
		if (this.random.nextInt(4) > 0) {
			section(wire, 0x73, properties());
		}
		if (this.random.nextInt(4) > 0) {
			section(wire, 0x74, map(false));
		}
		body(wire, body);
		if (this.random.nextInt(8) == 0) {
			section(wire, 0x78, map(true));
		}
		return wire.toBytes();
	}

	private void body(Wire wire, byte[] body) {
		switch (this.random.nextInt(5)) {
			case 0 -> section(wire, 0x77, binary(body));
			case 1 -> section(wire, 0x76, list(binary(body), value(2)));
			case 2 -> section(wire, 0x77, list(value(1), binary(body)));
			default -> section(wire, 0x75, binary(body));
		}
	}

	private static void section(Wire wire, int code, byte[] value) {
		wire.u8(0).u8(0x53).u8(code).bytes(value);
	}

	private byte[] properties() {
		byte[] empty = { 0x40 };
		return list(id(), maybe(binary(this.bytes.any(5)), 20), empty, text(0xA1, 255), replyTo(), id(),
				maybe(text(0xA3, 255)), maybe(text(0xA3, 255)),
				maybe(new Wire().u8(0x83).u64(this.bytes.number()).toBytes()),
				maybe(new Wire().u8(0x83).u64(this.bytes.number()).toBytes()), maybe(text(0xA1, 255)),
				maybe(new Wire().u8(0x70).u32(this.bytes.number()).toBytes()), maybe(text(0xA1, 255)));
	}

	private byte[] replyTo() {
		return switch (this.random.nextInt(4)) {
			case 0 -> new Wire().u8(0xA1).shortString("/queues/amq.rabbitmq.reply-to").toBytes();
			case 1 -> new Wire().u8(0xA1).shortString("amq.rabbitmq.reply-to").toBytes();
			case 2 -> text(0xA1, 255);
			default -> new byte[] { 0x40 };
		};
	}

	private byte[] maybe(byte[] value) {
		return maybe(value, 2);
	}

	private byte[] maybe(byte[] value, int oneIn) {
		return (this.random.nextInt(oneIn) == 0) ? value : new byte[] { 0x40 };
	}

	private byte[] id() {
		return switch (this.random.nextInt(5)) {
			case 0 -> new Wire().u8(0x80).u64(this.bytes.number()).toBytes();
			case 1 -> new Wire().u8(0x98).bytes(this.bytes.any(16)).toBytes();
			case 2 -> binary(this.bytes.string(300));
			case 3 -> text(0xB1, 300);
			default -> new byte[] { 0x40 };
		};
	}

	/** UTF-8 of characters that no terminal likes, as long as said. */
	private byte[] text(int code, int most) {
		StringBuilder text = new StringBuilder();
		int length = this.random.nextInt(most);
		int first = this.random.nextBoolean() ? 0 : 0x20;
		int last = this.random.nextBoolean() ? 0x7F : 0x3FF;
		while (text.length() < length) {
			text.append((char) (first + this.random.nextInt(last - first)));
		}
		byte[] encoded = text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
		if (code == 0xB1) {
			return new Wire().u8(code).longString(encoded).toBytes();
		}
		return (encoded.length < 256) ? new Wire().u8(code).shortString(encoded).toBytes()
				: new Wire().u8(code).shortString("short").toBytes();
	}

	private byte[] symbol() {
		byte[] name = ("x-opt-" + Integer.toString(this.random.nextInt(1000), 36)).getBytes();
		return new Wire().u8(0xA3).shortString(name).toBytes();
	}

	private static byte[] binary(byte[] value) {
		return new Wire().u8(0xB0).longString(value).toBytes();
	}

	private byte[] bool() {
		return new byte[] { (byte) (this.random.nextBoolean() ? 0x41 : 0x42) };
	}

	private static byte[] list(byte[]... values) {
		Wire wire = new Wire().u32(values.length);
		for (byte[] value : values) {
			wire.bytes(value);
		}
		return new Wire().u8(0xD0).longString(wire.toBytes()).toBytes();
	}

	private byte[] map(boolean annotations) {
		int pairs = this.random.nextInt(8);
		Wire wire = new Wire().u32(2L * pairs);
		for (int pair = 0; pair < pairs; pair++) {
			wire.bytes(annotations ? symbol() : key()).bytes(value(annotations ? 2 : 0));
		}
		return new Wire().u8(0xD1).longString(wire.toBytes()).toBytes();
	}

	private byte[] key() {
		String known = FieldTables.OURS.get(this.random.nextInt(FieldTables.OURS.size()));
		return (this.random.nextInt(4) == 0) ? new Wire().u8(0xA1).shortString(known).toBytes() : text(0xA1, 255);
	}

	private byte[] value(int depth) {
		int kind = this.random.nextInt((depth > 0) ? 17 : 15);
		return switch (kind) {
			case 0 -> new byte[] { 0x40 };
			case 1 -> bool();
			case 2 -> new Wire().u8(0x50).u8(this.random.nextInt(256)).toBytes();
			case 3 -> new Wire().u8(0x60).u16(this.random.nextInt(65536)).toBytes();
			case 4 -> new Wire().u8(0x70).u32(this.bytes.number()).toBytes();
			case 5 -> new Wire().u8(0x80).u64(this.bytes.number()).toBytes();
			case 6 -> new Wire().u8(0x51).u8(this.random.nextInt(256)).toBytes();
			case 7 -> new Wire().u8(0x61).u16(this.random.nextInt(65536)).toBytes();
			case 8 -> new Wire().u8(0x71).u32(this.bytes.number()).toBytes();
			case 9 -> new Wire().u8(0x81).u64(this.bytes.number()).toBytes();
			case 10 -> new Wire().u8(0x72).u32(Float.floatToIntBits(this.random.nextFloat())).toBytes();
			case 11 -> new Wire().u8(0x82).u64(Double.doubleToLongBits(this.random.nextDouble())).toBytes();
			case 12 -> new Wire().u8(0x83).u64(this.bytes.number()).toBytes();
			case 13 -> binary(this.bytes.string(400));
			case 14 -> text(this.random.nextBoolean() ? 0xA1 : 0xB1, 600);
			case 15 -> list(text(0xA1, 50), bool());
			default -> map(true);
		};
	}

}
