/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback interface. They come from below the range that systems give
 * to outgoing connections: a client that reconnects while its server is down could
 * otherwise be given that very port, and keep the server from coming back.
 */
public final class LoopbackPorts {

	private static final int LOWEST = 20000;

	private static final int HIGHEST = 32000;

	private static final int TRIES = 500;

	private LoopbackPorts() {
	}

	/**
	 * Chooses ports.
	 * @param count how many
	 * @return no two are the same
	 */
	public static int[] free(int count) {
		List<ServerSocket> held = new ArrayList<>();
		try {
			// held until all are chosen, so that no two are the same
			while (held.size() < count) {
				held.add(bind());
			}
			return held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port on the loopback interface: " + ex.getMessage(), ex);
		}
		finally {
			held.forEach(LoopbackPorts::release);
		}
	}

	private static ServerSocket bind() throws IOException {
		for (int attempt = 0; attempt < TRIES; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
			ServerSocket socket = new ServerSocket();
			try {
				socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
				return socket;
			}
			catch (IOException ex) {
				release(socket);
			}
		}
		return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
	}

	private static void release(ServerSocket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
