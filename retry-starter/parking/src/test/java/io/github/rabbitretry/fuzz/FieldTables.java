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
 * AMQP 0-9-1 field tables with every field type that RabbitMQ knows.
 */
final class FieldTables {

	private static final String TYPES = "tbBsuIilfdDSATFVx";

	/** Names that mean something to the broker, to Spring or to us. */
	static final List<String> KNOWN = List.of("x-death", "x-first-death-exchange", "x-first-death-queue",
			"x-first-death-reason", "x-last-death-queue", "x-last-death-reason", "x-delivery-count", "x-acquired-count",
			"x-match", "x-delay", "x-stream-offset", "__TypeId__", "__ContentTypeId__", "amqp_batchSize", "contentType",
			"spring_listener_return_correlation", "spring_returned_message_correlation", "amqp_deliveryMode",
			"traceparent", "baggage", "x-schema-version", "x-producer-version", "x-aggregate-id", "x-correlation-id",
			"x-causation-id");

	/** Our own. */
	static final List<String> OURS = List.of("x-app-retry-attempt", "x-app-retry-max", "x-app-retry-reason",
			"x-app-retry-class", "x-app-first-failure-at", "x-app-last-failure-at", "x-app-retry-delay",
			"x-app-retry-level", "x-app-retry-not-before", "x-app-message-type", "x-app-consumer", "x-app-owner",
			"x-app-origin-exchange", "x-app-origin-routing-key", "x-app-origin-queue", "x-app-origin-message-id",
			"x-app-exception", "x-app-exception-message", "x-app-root-exception", "x-app-root-exception-message",
			"x-app-exception-frames", "x-app-failure-fingerprint", "x-app-payload-hash", "x-app-handler-version",
			"x-app-parked-at", "x-app-replay-policy", "x-app-handover-id", "x-app-downstream-calls", "x-app-cost",
			"x-replayed", "x-replay-id", "x-replayed-by", "x-replay-reason", "x-original-death-count", "x-replay-item");

	private final Random random;

	private final RandomBytes bytes;

	FieldTables(Random random) {
		this.random = random;
		this.bytes = new RandomBytes(random);
	}

	byte[] name() {
		return switch (this.random.nextInt(8)) {
			case 0 -> KNOWN.get(this.random.nextInt(KNOWN.size())).getBytes(StandardCharsets.UTF_8);
			case 1 -> OURS.get(this.random.nextInt(OURS.size())).getBytes(StandardCharsets.UTF_8);
			case 2 -> this.bytes.string(255);
			case 3 -> this.bytes.string(128);
			default -> ("h" + this.random.nextInt(50)).getBytes(StandardCharsets.UTF_8);
		};
	}

	/** A table without its length. */
	byte[] table(int fields, int depth) {
		Wire wire = new Wire();
		for (int field = 0; field < fields; field++) {
			wire.shortString(name()).bytes(value(depth));
		}
		return wire.toBytes();
	}

	/** A type and a value of it, no NaN: the broker refuses those. */
	byte[] value(int depth) {
		char type = TYPES.charAt(this.random.nextInt(TYPES.length()));
		if (depth <= 0 && (type == 'F' || type == 'A')) {
			type = 'S';
		}
		Wire wire = new Wire().u8(type);
		switch (type) {
			case 't', 'b', 'B' -> wire.u8(this.random.nextInt(256));
			case 's', 'u' -> wire.u16(this.random.nextInt(65536));
			case 'I', 'i' -> wire.u32(this.bytes.number());
			case 'f' -> wire.u32(Float.floatToIntBits(this.random.nextFloat() * Float.MAX_VALUE));
			case 'd' -> wire.u64(Double.doubleToLongBits(this.random.nextDouble() * Double.MAX_VALUE));
			case 'l', 'T' -> wire.u64(this.bytes.number());
			case 'D' -> wire.u8(this.random.nextInt(256)).u32(this.bytes.number());
			case 'S', 'x' -> wire.longString(this.bytes.string(this.random.nextInt(10) == 0 ? 2000 : 255));
			case 'F' -> wire.longString(table(this.random.nextInt(4), depth - 1));
			case 'A' -> wire.longString(array(this.random.nextInt(4), depth - 1));
			default -> {
			}
		}
		return wire.toBytes();
	}

	private byte[] array(int values, int depth) {
		Wire wire = new Wire();
		for (int value = 0; value < values; value++) {
			wire.bytes(value(depth));
		}
		return wire.toBytes();
	}

	/** A table in a table in a table, or an array in an array. */
	byte[] nested(int depth) {
		byte[] inner = new byte[0];
		boolean arrays = this.random.nextBoolean();
		for (int level = 0; level < depth; level++) {
			Wire wire = new Wire();
			if (!arrays || level == depth - 1) {
				wire.shortString("d");
			}
			inner = wire.u8(arrays ? 'A' : 'F').longString(inner).toBytes();
		}
		return inner;
	}

}
