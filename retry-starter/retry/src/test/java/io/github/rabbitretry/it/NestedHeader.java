/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;

/**
 * Properties with a header {@value #NAME} whose value is a table in a table in a table,
 * or an array in an array. The client writes them recursively; here they are bytes, and
 * as deep as a frame has room for.
 */
public final class NestedHeader extends BasicProperties {

	/** The header. */
	static final String NAME = "n";

	/** Enough to overflow the stack of a thread of the client that reads it. */
	private static final int UNREADABLE = 8_000;

	private final byte[] value;

	private NestedHeader(String id, byte[] value) {
		super("application/json", null, Map.of(), 2, null, null, null, null, id, null, null, null, null, null);
		this.value = value;
	}

	/**
	 * Publishes a message that no consumer with threads of the usual kind can receive.
	 * @param broker the broker
	 * @param queue the queue
	 * @param id the message id
	 */
	public static void send(TestBroker broker, String queue, String id) {
		broker.send(queue, ofTables(id, UNREADABLE), "{}");
	}

	static NestedHeader ofTables(String id, int depth) {
		return new NestedHeader(id, nested(depth, 'F', new byte[] { 1, 'n' }));
	}

	static NestedHeader ofArrays(String id, int depth) {
		return new NestedHeader(id, nested(depth, 'A', new byte[0]));
	}

	private static byte[] nested(int depth, char type, byte[] name) {
		try {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			DataOutputStream out = new DataOutputStream(bytes);
			for (int inner = depth - 1; inner >= 0; inner--) {
				out.write(type);
				out.writeInt(inner * (name.length + 1 + Integer.BYTES));
				out.write((inner > 0) ? name : new byte[0]);
			}
			return bytes.toByteArray();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void writePropertiesTo(ContentHeaderPropertyWriter writer) throws IOException {
		// content type, encoding, headers, delivery mode, priority, correlation id, reply
		// to, expiration, message id, timestamp, type, user id, app id, cluster id
		boolean[] present = { true, false, true, true, false, false, false, false, true, false, false, false, false,
				false };
		for (boolean property : present) {
			writer.writePresence(property);
		}
		writer.finishPresence();
		writer.writeShortstr(getContentType());
		writer.writeLong(1 + NAME.length() + this.value.length);
		writer.writeShortstr(NAME);
		for (byte octet : this.value) {
			writer.writeOctet(octet);
		}
		writer.writeOctet(getDeliveryMode());
		writer.writeShortstr(getMessageId());
	}

}
