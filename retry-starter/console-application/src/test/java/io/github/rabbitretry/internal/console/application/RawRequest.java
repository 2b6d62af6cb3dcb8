/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A request with a host of one's choice, which HTTP clients do not let send.
 */
final class RawRequest {

	private RawRequest() {
	}

	static int status(RunningConsole console, String host) {
		URI address = URI.create(console.address("/actuator/parkinglot"));
		try (Socket socket = new Socket(address.getHost(), address.getPort())) {
			socket.getOutputStream()
				.write("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(address.getPath(), host)
					.getBytes(StandardCharsets.US_ASCII));
			BufferedReader answer = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
			return Integer.parseInt(answer.readLine().split(" ")[1]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
