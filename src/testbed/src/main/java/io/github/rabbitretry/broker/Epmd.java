/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks Erlang's port mapper for the names it knows; it answers with its own port first.
 */
final class Epmd {

	private static final byte[] NAMES_REQUEST = { 0, 1, 'n' };

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private Epmd() {
	}

	static void awaitAnswer(int port) throws NodeStartException {
		long deadline = System.nanoTime() + TIMEOUT.toNanos();
		while (!answers(port)) {
			if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
				throw new NodeStartException("No epmd answers on port " + port);
			}
			LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
		}
	}

	private static boolean answers(int port) {
		try (Socket socket = new Socket()) {
			socket.setSoTimeout(2000);
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2000);
			socket.getOutputStream().write(NAMES_REQUEST);
			return new DataInputStream(socket.getInputStream()).readInt() == port;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
