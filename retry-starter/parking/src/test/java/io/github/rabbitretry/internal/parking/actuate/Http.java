/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;

/**
 * Asks an application's actuator, as curl would.
 *
 * @param port the application's port
 * @param user who has logged in, if anybody has
 */
record Http(int port, @Nullable String user) {

	static final String PASSWORD = "secret";

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	Http as(String name) {
		return new Http(this.port, name);
	}

	Answer get(String path) {
		return send("GET", path, null, "application/json");
	}

	Answer post(String path, Map<String, ?> body) {
		return send("POST", path, JsonMapper.shared().writeValueAsString(body), "application/json");
	}

	Answer delete(String path) {
		return send("DELETE", path, null, "application/json");
	}

	Answer send(String method, String path, @Nullable String body, String contentType) {
		try {
			HttpRequest.Builder request = HttpRequest
				.newBuilder(URI.create("http://127.0.0.1:%d/actuator/%s".formatted(this.port, path)))
				.header("Content-Type", contentType)
				.method(method, (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody());
			if (this.user != null) {
				request.header("Authorization", "Basic " + HttpHeaders.encodeBasicAuth(this.user, PASSWORD, null));
			}
			HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** An answer. */
	record Answer(int status, String text) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.text);
		}

		String error() {
			return json().path("error").asString();
		}

	}

}
