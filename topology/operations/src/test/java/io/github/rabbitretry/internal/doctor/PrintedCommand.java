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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a command as it is printed, as a shell would.
 */
public final class PrintedCommand {

	private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private PrintedCommand() {
	}

	/** A queue's numbers, without which none is deleted, are there seconds after it. */
	public static void run(String command) {
		Awaitility.await()
			.alias(command)
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(500))
			.until(() -> succeeds(command));
	}

	/** What follows {@code &&} is run only if all before it succeeds. */
	static boolean succeeds(String command) {
		for (String part : command.split(" && ")) {
			List<String> pipe = List.of(part.split(" \\| "));
			Result result = start(words(pipe.get(0)));
			for (String filter : pipe.subList(1, pipe.size())) {
				List<String> grep = words(filter);
				assertThat(grep.remove(0)).isEqualTo("grep");
				boolean inverted = grep.remove("-v");
				assertThat(grep).hasSize(1);
				boolean found = Pattern.compile(grep.get(0)).matcher(result.output()).find() != inverted;
				result = new Result(found, found ? result.output() : "");
			}
			if (!result.success()) {
				return false;
			}
		}
		return true;
	}

	private static Result start(List<String> words) {
		return switch (words.remove(0)) {
			case "rabbitmqctl" -> new Result(true, Broker.shared().ctl(words.toArray(String[]::new)));
			case "curl" -> curl(words);
			case "sleep" -> sleep(words);
			default -> throw new IllegalArgumentException(words.toString());
		};
	}

	private static Result sleep(List<String> words) {
		try {
			return new Result(new ProcessBuilder("sleep", words.get(0)).start().waitFor() == 0, "");
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Result curl(List<String> words) {
		assertThat(words.subList(0, 4)).containsExactly("-sS", words.contains("-X") ? "--fail-with-body" : "--fail",
				"-u", "$RABBITMQ_ADMIN");
		int method = words.indexOf("-X");
		String address = words.get((method > 0) ? method + 2 : 4);
		int body = words.indexOf("-d");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
			.method((method > 0) ? words.get(method + 1) : "GET",
					(body > 0) ? BodyPublishers.ofString(words.get(body + 1)) : BodyPublishers.noBody())
			.header("Authorization",
					"Basic " + Base64.getEncoder()
						.encodeToString((Broker.shared().username() + ":" + Broker.shared().password())
							.getBytes(StandardCharsets.UTF_8)));
		if (body > 0) {
			assertThat(words).containsSequence("-H", "content-type: application/json");
			request.header("Content-Type", "application/json");
		}
		try {
			HttpResponse<String> response = send(request.build());
			return new Result(response.statusCode() / 100 == 2, response.body());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A connection that RabbitMQ has closed meanwhile fails once. */
	private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		try {
			return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
		}
	}

	/** What a program ended with. */
	private record Result(boolean success, String output) {
	}

	public static List<String> words(String command) {
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
