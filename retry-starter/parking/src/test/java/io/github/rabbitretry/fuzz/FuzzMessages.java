/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import io.github.rabbitretry.internal.message.HeaderDepth;

/**
 * Messages made from a seed, each from the seed and its number alone.
 */
final class FuzzMessages {

	/** Fragments of a batch of Spring's. */
	static final int PARTS = 3;

	private final long seed;

	private final String queue;

	FuzzMessages(long seed, String queue) {
		this.seed = seed;
		this.queue = queue;
	}

	static String marker(int id) {
		return "~id:" + id + "~";
	}

	static String part(int id, int part) {
		return "~part:" + id + "." + part + "~";
	}

	FuzzMessage message(int id, String target) {
		Random random = new Random(this.seed * 1_000_003 + id);
		random.nextInt();
		FieldTables tables = new FieldTables(random);
		FuzzProperties properties = new FuzzProperties(random);
		int roll = random.nextInt(1000);
		if (roll < 480) {
			byte[] table = tables.table(random.nextInt(12), 3);
			// only a work queue dead-letters what expires
			byte[] content = properties.wild(table, !target.matches(".*\\.(parking-lot|dlq|quarantine)"));
			return new FuzzMessage(id, target, "wild", false, content, body(id, random), properties.refusable());
		}
		if (roll < 580) {
			return new FuzzMessage(id, target, "plain", false, FuzzProperties.headers(new byte[0]), body(id, random),
					false);
		}
		if (roll < 700) {
			return new FuzzMessage(id, target, "our headers", false, properties.ours(), body(id, random), false);
		}
		if (roll < 750) {
			return new FuzzMessage(id, target, "batch", false, properties.text("springBatchFormat", "lengthHeader4"),
					batch(id, random), false);
		}
		if (roll < 755) {
			return new FuzzMessage(id, target, "broken batch", false,
					properties.text("springBatchFormat", "lengthHeader4"), body(id, random), false);
		}
		if (roll < 775) {
			return new FuzzMessage(id, target, "malformed", false, properties.malformed(), body(id, random), true);
		}
		if (roll < 785) {
			return new FuzzMessage(id, target, "nested", false,
					FuzzProperties.headers(tables.nested(1 + random.nextInt(HeaderDepth.DEEPEST))), body(id, random),
					false);
		}
		if (roll < 790) {
			return new FuzzMessage(id, target, "large header", false, properties.large(), body(id, random), true);
		}
		if (roll < 792) {
			byte[] large = new Wire().bytes(body(id, random)).bytes(new byte[random.nextInt(2_000_000)]).toBytes();
			return new FuzzMessage(id, target, "large body", false, FuzzProperties.headers(new byte[0]), large, false);
		}
		if (target.endsWith(".parking-lot") || target.endsWith(".quarantine")) {
			// only copies of ours are there
			return new FuzzMessage(id, target, "plain", false, FuzzProperties.headers(new byte[0]), body(id, random),
					false);
		}
		return new FuzzMessage(id, target, "AMQP 1.0", true, new Amqp10Message(random).encode(body(id, random)),
				new byte[0], true);
	}

	FuzzMessage message(int id) {
		return message(id, this.queue);
	}

	FuzzMessage plain(int id) {
		return new FuzzMessage(id, this.queue, "plain", false, FuzzProperties.headers(new byte[0]),
				body(id, new Random(this.seed * 1_000_003 + id)), false);
	}

	/** What the broker can't convert for an AMQP 0-9-1 consumer. */
	FuzzMessage unconvertible(int id) {
		Random random = new Random(this.seed * 1_000_003 + id);
		return new FuzzMessage(id, this.queue, "unconvertible", true,
				new Amqp10Message(random).unconvertible(body(id, random)), new byte[0], true);
	}

	/** What is deeper than the stack of a consumer's thread. */
	FuzzMessage tooDeep(int id) {
		Random random = new Random(this.seed * 1_000_003 + id);
		return new FuzzMessage(id, this.queue, "too deep", false,
				FuzzProperties.headers(new FieldTables(random).nested(5_000 + random.nextInt(9_000))), body(id, random),
				true);
	}

	private static byte[] body(int id, Random random) {
		RandomBytes bytes = new RandomBytes(random);
		byte[] before = bytes.any(random.nextInt(10));
		byte[] after = bytes.any(random.nextInt(random.nextInt(50) == 0 ? 50_000 : 200));
		return new Wire().bytes(before).bytes(marker(id).getBytes(StandardCharsets.US_ASCII)).bytes(after).toBytes();
	}

	private static byte[] batch(int id, Random random) {
		Wire wire = new Wire();
		for (int part = 0; part < PARTS; part++) {
			String text = (part == 0) ? marker(id) : part(id, part);
			wire.longString(new Wire().bytes(text.getBytes(StandardCharsets.US_ASCII))
				.bytes(new byte[random.nextInt(50)])
				.toBytes());
		}
		return wire.toBytes();
	}

}
