/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLSocketFactory;

/**
 * The first two words of AMQP 0-9-1: the client's header and the server's
 * {@code connection.start}, which carries the version. An open port alone proves nothing,
 * as a container's port is open before its broker is up.
 */
final class AmqpGreeting {

	private static final byte[] HEADER = { 'A', 'M', 'Q', 'P', 0, 0, 9, 1 };

	/** The field {@code version} of a field table, a long string below 256 bytes. */
	private static final Pattern VERSION = Pattern.compile("\\x07versionS\\x00\\x00\\x00.([0-9][0-9A-Za-z.+-]*)",
			Pattern.DOTALL);

	private static final int METHOD_FRAME = 1;

	private static final int MAX_FRAME = 1 << 16;

	private AmqpGreeting() {
	}

	static String version(AmqpAddress address, Duration timeout) throws IOException {
		try (Socket socket = address.tls() ? SSLSocketFactory.getDefault().createSocket() : new Socket()) {
			int millis = (int) timeout.toMillis();
			socket.setSoTimeout(millis);
			socket.connect(new InetSocketAddress(address.host(), address.port()), millis);
			socket.getOutputStream().write(HEADER);
			return versionIn(new DataInputStream(socket.getInputStream()), address);
		}
	}

	private static String versionIn(DataInputStream in, AmqpAddress address) throws IOException {
		int type = in.readUnsignedByte();
		in.readUnsignedShort();
		int size = in.readInt();
		if (type != METHOD_FRAME || size < 0 || size > MAX_FRAME) {
			throw new IOException(address.endpoint() + " does not speak AMQP 0-9-1");
		}
		byte[] payload = new byte[size];
		in.readFully(payload);
		Matcher matcher = VERSION.matcher(new String(payload, StandardCharsets.ISO_8859_1));
		if (!matcher.find()) {
			throw new IOException(address.endpoint() + " speaks AMQP 0-9-1 but does not report its version");
		}
		return matcher.group(1);
	}

}
