/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;

/**
 * Properties whose bytes no client that encodes text as UTF-8 would send: a message id
 * and a header's name, each of any bytes.
 */
final class RawProperties extends BasicProperties {

	private final byte[] headerName;

	private final byte[] messageId;

	/**
	 * Creates the properties.
	 * @param headerName the name of a header whose value is {@code value}
	 * @param messageId the message id
	 */
	RawProperties(byte[] headerName, byte[] messageId) {
		this.headerName = headerName;
		this.messageId = messageId;
	}

	@Override
	public void writePropertiesTo(ContentHeaderPropertyWriter writer) throws IOException {
		// content type, encoding, headers, delivery mode, priority, correlation id, reply
		// to, expiration, message id, timestamp, type, user id, app id, cluster id
		boolean[] present = { false, false, true, true, false, false, false, false, true, false, false, false, false,
				false };
		for (boolean property : present) {
			writer.writePresence(property);
		}
		writer.finishPresence();
		byte[] value = "value".getBytes(StandardCharsets.UTF_8);
		writer.writeLong(1 + this.headerName.length + 1 + 4 + value.length);
		writeShort(writer, this.headerName);
		writer.writeOctet('S');
		writer.writeLong(value.length);
		write(writer, value);
		writer.writeOctet(2);
		writeShort(writer, this.messageId);
	}

	private static void writeShort(ContentHeaderPropertyWriter writer, byte[] bytes) throws IOException {
		writer.writeOctet(bytes.length);
		write(writer, bytes);
	}

	private static void write(ContentHeaderPropertyWriter writer, byte[] bytes) throws IOException {
		for (byte octet : bytes) {
			writer.writeOctet(octet);
		}
	}

}
