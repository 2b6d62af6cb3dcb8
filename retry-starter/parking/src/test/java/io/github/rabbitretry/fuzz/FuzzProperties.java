/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * AMQP 0-9-1 property lists: flags, then those properties that the flags announce.
 */
final class FuzzProperties {

	private static final int HEADERS = 1 << 13;

	private final Random random;

	private final RandomBytes bytes;

	private final FieldTables tables;

	private boolean refusable;

	FuzzProperties(Random random) {
		this.random = random;
		this.bytes = new RandomBytes(random);
		this.tables = new FieldTables(random);
	}

	/** Whether the broker may refuse what was made last. */
	boolean refusable() {
		return this.refusable;
	}

	/** No property but these headers. */
	static byte[] headers(byte[] table) {
		return new Wire().u16(HEADERS | 1 << 12).longString(table).u8(2).toBytes();
	}

	/**
	 * Any of the properties with anything in them; an expiration only if it may expire.
	 */
	byte[] wild(byte[] table, boolean mayExpire) {
		this.refusable = false;
		int flags = this.random.nextInt(1 << 16) & 0xFFFC | HEADERS;
		if (this.random.nextInt(20) > 0) {
			// the user must be the connection's, an expiration a number
			flags &= ~(1 << 4 | 1 << 8);
		}
		if (!mayExpire) {
			flags &= ~(1 << 8);
		}
		Wire wire = new Wire().u16(flags);
		for (int bit = 15; bit >= 2; bit--) {
			if ((flags & 1 << bit) != 0) {
				property(wire, bit, table);
			}
		}
		return wire.toBytes();
	}

	private void property(Wire wire, int bit, byte[] table) {
		switch (bit) {
			case 13 -> wire.longString(table);
			case 12 -> wire.u8(this.random.nextBoolean() ? 2 : this.random.nextInt(256));
			case 11 -> wire.u8(this.random.nextInt(256));
			case 8 -> expiration(wire);
			case 6 -> wire.u64(this.bytes.number());
			case 4 -> user(wire);
			default -> wire.shortString(this.bytes.string(255));
		}
	}

	private void expiration(Wire wire) {
		if (this.random.nextInt(4) == 0) {
			this.refusable = true;
			wire.shortString(this.bytes.string(255));
		}
		else {
			wire.shortString(String.valueOf(this.random.nextInt(3000)));
		}
	}

	private void user(Wire wire) {
		if (this.random.nextInt(4) == 0) {
			this.refusable = true;
			wire.shortString(this.bytes.string(255));
		}
		else {
			wire.shortString("guest");
		}
	}

	/** Properties that end too early, go on too long or announce what is not there. */
	byte[] malformed() {
		byte[] table = this.tables.table(1 + this.random.nextInt(5), 2);
		byte[] whole = wild(table, false);
		this.refusable = true;
		return switch (this.random.nextInt(6)) {
			case 0 -> java.util.Arrays.copyOf(whole, this.random.nextInt(whole.length));
			case 1 -> new Wire().bytes(whole).bytes(this.bytes.any(1 + this.random.nextInt(20))).toBytes();
			case 2 -> new Wire().u16(HEADERS).u32(table.length + 1 + this.random.nextInt(1000)).bytes(table).toBytes();
			case 3 -> new Wire().u16(HEADERS).u32(Math.max(0, table.length - 1)).bytes(table).toBytes();
			case 4 -> new Wire().u16(HEADERS).longString(this.bytes.any(this.random.nextInt(100))).toBytes();
			default -> new Wire().u16(HEADERS | 1).u16(HEADERS).longString(table).longString(table).toBytes();
		};
	}

	/** Our own headers with values of their types at the ends of their ranges. */
	byte[] ours() {
		this.refusable = false;
		Wire table = new Wire();
		for (int header = 1 + this.random.nextInt(6); header > 0; header--) {
			table.shortString(FieldTables.OURS.get(this.random.nextInt(FieldTables.OURS.size())));
			switch (this.random.nextInt(4)) {
				case 0 -> table.u8('I').u32(this.bytes.number());
				case 1 -> table.u8('l').u64(this.bytes.number());
				case 2 -> table.bytes(this.tables.value(2));
				default -> table.u8('S').longString(this.bytes.string(255));
			}
		}
		return headers(table.toBytes());
	}

	/** A table almost as large as a frame. */
	byte[] large() {
		this.refusable = true;
		int size = 131_072 - 8 - 14 - 7 - this.random.nextInt(2_000);
		Wire table = new Wire();
		while (table.size() < size - 700) {
			table.shortString("large-" + table.size()).u8('S').longString(this.bytes.any(this.random.nextInt(500)));
		}
		return headers(table.shortString("rest").u8('x').longString(new byte[size - table.size() - 10]).toBytes());
	}

	byte[] text(String headerName, String value) {
		return headers(new Wire().shortString(headerName)
			.u8('S')
			.longString(value.getBytes(StandardCharsets.UTF_8))
			.toBytes());
	}

}
