/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;

/**
 * Asks an application as a browser would: one that keeps cookies and sends headers.
 *
 * @param base the address of the endpoints, which ends with a slash
 * @param user who has logged in, if anybody has
 * @param http keeps the cookies
 */
record Client(URI base, @Nullable String user, HttpClient http) {

	static final String PASSWORD = "secret";

	static Client of(String base) {
		return new Client(URI.create(base), null, HttpClient.newBuilder().cookieHandler(new CookieManager()).build());
	}

	Client as(String name) {
		return new Client(this.base, name, HttpClient.newBuilder().cookieHandler(new CookieManager()).build());
	}

	Answer get(String path, String... headers) {
		return send("GET", path, null, headers);
	}

	Answer post(String path, String json, String... headers) {
		return send("POST", path, json, headers);
	}

	Answer send(String method, String path, @Nullable String json, String... headers) {
		// not resolved, so that dots and escapes are sent as they are
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.base + path))
			.method(method, (json != null) ? BodyPublishers.ofString(json) : BodyPublishers.noBody());
		if (json != null) {
			request.header("Content-Type", "application/json");
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		if (this.user != null) {
			request.header("Authorization", "Basic " + HttpHeaders.encodeBasicAuth(this.user, PASSWORD, null));
		}
		try {
			return new Answer(this.http.send(request.build(), BodyHandlers.ofString()));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** An answer. */
	record Answer(HttpResponse<String> response) {

		int status() {
			return this.response.statusCode();
		}

		String text() {
			return this.response.body();
		}

		JsonNode json() {
			return JsonMapper.shared().readTree(text());
		}

		Optional<String> header(String name) {
			return this.response.headers().firstValue(name);
		}

	}

}
