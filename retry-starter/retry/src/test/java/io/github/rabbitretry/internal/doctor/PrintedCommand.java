/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.github.rabbitretry.broker.Broker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a command as it is printed, as a shell would.
 */
final class PrintedCommand {

	private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private PrintedCommand() {
	}

	static void run(String command) {
		List<String> words = words(command);
		switch (words.remove(0)) {
			case "rabbitmqctl" -> Broker.shared().ctl(words.toArray(String[]::new));
			case "curl" -> curl(words);
			default -> throw new IllegalArgumentException(command);
		}
	}

	private static void curl(List<String> words) {
		assertThat(words.subList(0, 5)).containsExactly("-sS", "--fail-with-body", "-u", "$RABBITMQ_ADMIN", "-X");
		String method = words.get(5);
		int body = words.indexOf("-d");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(words.get(6)))
			.method(method, (body > 0) ? BodyPublishers.ofString(words.get(body + 1)) : BodyPublishers.noBody())
			.header("Authorization",
					"Basic " + Base64.getEncoder()
						.encodeToString((Broker.shared().username() + ":" + Broker.shared().password())
							.getBytes(StandardCharsets.UTF_8)));
		if (body > 0) {
			assertThat(words).containsSequence("-H", "content-type: application/json");
			request.header("Content-Type", "application/json");
		}
		try {
			HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
			assertThat(response.statusCode() / 100).as(words + ": " + response.body()).isEqualTo(2);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static List<String> words(String command) {
		List<String> words = new ArrayList<>();
		StringBuilder word = new StringBuilder();
		char quote = 0;
		for (int index = 0; index < command.length(); index++) {
			char next = command.charAt(index);
			if (quote != 0) {
				quote = (next == quote) ? 0 : quote;
				word.append((quote == 0) ? "" : String.valueOf(next));
			}
			else if (next == '\'' || next == '"') {
				quote = next;
			}
			else if (next == '\\') {
				word.append(command.charAt(++index));
			}
			else if (next == ' ') {
				words.add(word.toString());
				word.setLength(0);
			}
			else {
				word.append(next);
			}
		}
		words.add(word.toString());
		return words;
	}

}
