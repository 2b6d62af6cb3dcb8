/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;

/**
 * As much of {@code curl} as the pages use, for machines that have none.
 */
final class Curl {

	private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

	private Curl() {
	}

	/**
	 * Runs a command.
	 * @param command with port 8080
	 * @param port the port to take in its place
	 * @return the answer's body
	 */
	static String run(String command, int port) throws IOException, InterruptedException {
		List<String> words = WORD.matcher(command)
			.results()
			.map((word) -> (word.group(1) != null) ? word.group(1) : word.group(2))
			.toList();
		HttpRequest.Builder request = HttpRequest.newBuilder();
		for (int i = 1; i < words.size(); i++) {
			switch (words.get(i)) {
				case "-d" -> request.POST(BodyPublishers.ofString(words.get(++i)));
				case "-X" -> request.method(words.get(++i), BodyPublishers.noBody());
				case "-H" -> {
					String[] header = words.get(++i).split(": ", 2);
					request.header(header[0], header[1]);
				}
				default -> request.uri(URI.create(words.get(i).replace(":8080/", ":" + port + "/")));
			}
		}
		return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
	}

}
