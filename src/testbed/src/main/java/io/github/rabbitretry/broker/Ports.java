/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Free ports of the loopback interface. They come from below the range that systems give
 * to outgoing connections: a client that reconnects while its broker is down could
 * otherwise be given that very port, and keep the broker from coming back.
 */
record Ports(int amqp, int distribution, int management, int prometheus, int epmd) {

	private static final int LOWEST = 20000;

	private static final int HIGHEST = 32000;

	private static final int TRIES = 500;

	static Ports choose() {
		return choose(1).get(0);
	}

	/** The ports of nodes that share one epmd. */
	static List<Ports> choose(int nodes) {
		List<ServerSocket> held = new ArrayList<>();
		try {
			// held until all are chosen, so that no two are the same
			while (held.size() < 1 + 4 * nodes) {
				held.add(bind());
			}
			int[] ports = held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
			return IntStream.range(0, nodes)
				.map((node) -> 1 + 4 * node)
				.mapToObj((first) -> new Ports(ports[first], ports[first + 1], ports[first + 2], ports[first + 3],
						ports[0]))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port on the loopback interface: " + ex.getMessage(), ex);
		}
		finally {
			held.forEach(Ports::release);
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
