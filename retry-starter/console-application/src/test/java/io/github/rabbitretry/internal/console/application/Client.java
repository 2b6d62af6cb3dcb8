/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A browser or a program that asks the application.
 */
final class Client {

	private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

	private final CookieManager cookies = new CookieManager();

	private final HttpClient http = HttpClient.newBuilder().cookieHandler(this.cookies).build();

	private final String base;

	private final @Nullable String user;

	Client(RunningConsole console) {
		this(console, null);
	}

	/** Sends the user's name and password with each request. */
	Client(RunningConsole console, @Nullable String user) {
		this(console.address(""), user);
	}

	Client(String base, @Nullable String user) {
		this.base = base;
		this.user = user;
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, null, headers);
	}

	HttpResponse<String> page(String path) {
		return get(path, "Accept", "text/html");
	}

	HttpResponse<String> post(String path, String json, String... headers) {
		return send("POST", path, json, join(headers, "Content-Type", "application/json"));
	}

	/** Sends the form of a page, with its token. */
	HttpResponse<String> submit(String page, String... fields) {
		Matcher token = TOKEN.matcher(page(page).body());
		if (!token.find()) {
			throw new IllegalStateException("There is no form with a token at " + page);
		}
		StringBuilder form = new StringBuilder("_csrf=" + encoded(token.group(1)));
		for (int i = 0; i < fields.length; i += 2) {
			form.append("&").append(fields[i]).append("=").append(encoded(fields[i + 1]));
		}
		return send("POST", page, form.toString(), "Content-Type", "application/x-www-form-urlencoded", "Accept",
				"text/html");
	}

	HttpResponse<String> logIn(String name) {
		return submit("/login", "username", name, "password", RunningConsole.PASSWORD);
	}

	/** The token that the console's page gets for its writes, by the header's name. */
	String[] token() {
		HttpHeaders headers = new HttpHeaders();
		get("/actuator/retryconsole/session").headers().map().forEach(headers::addAll);
		return new String[] { String.valueOf(headers.getFirst("X-Console-Csrf-Header")),
				String.valueOf(headers.getFirst("X-Console-Csrf-Token")) };
	}

	Optional<HttpCookie> cookie() {
		return this.cookies.getCookieStore().getCookies().stream().findFirst();
	}

	HttpResponse<String> send(String method, String path, @Nullable String body, String... headers) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create(path.startsWith("http") ? path : this.base + path))
			.method(method, (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		if (this.user != null) {
			request.header("Authorization", basic(this.user, RunningConsole.PASSWORD));
		}
		try {
			return this.http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String basic(String user, String password) {
		return "Basic " + HttpHeaders.encodeBasicAuth(user, password, null);
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private static String[] join(String[] headers, String... more) {
		return Stream.of(List.of(headers), List.of(more)).flatMap(List::stream).toArray(String[]::new);
	}

}
