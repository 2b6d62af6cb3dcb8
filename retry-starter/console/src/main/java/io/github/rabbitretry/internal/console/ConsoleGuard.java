/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * What the filters of both web stacks have in common: the headers of the console's
 * answers, and which writes are refused.
 */
final class ConsoleGuard {

	private static final Map<String, String> HEADERS = Map.of("Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
					+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
					+ "require-trusted-types-for 'script'; trusted-types lit-html",
			"X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer");

	/** Headers of the session: the name and value of the header that writes must have. */
	static final String CSRF_HEADER = "X-Console-Csrf-Header";

	static final String CSRF_TOKEN = "X-Console-Csrf-Token";

	/** In the language of the endpoints that are guarded. */
	static final byte[] REFUSAL = "{\"error\":\"Refused: this was sent by the page of another site.\"}"
		.getBytes(StandardCharsets.UTF_8);

	/** What browsers say of the page that sends a request; programs say nothing. */
	static final String SITE = "Sec-Fetch-Site";

	private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

	/** {@code none} is what a user did, not a page. */
	private static final Set<String> OWN = Set.of("same-origin", "none");

	private final Supplier<ConsolePaths> paths;

	ConsoleGuard(Supplier<ConsolePaths> paths) {
		this.paths = paths;
	}

	/** Sets headers of an answer, if the console or an endpoint of its data gives it. */
	void setHeaders(PathContainer path, BiConsumer<String, String> headers) {
		if (this.paths.get().isConsole(path)) {
			HEADERS.forEach(headers);
			// the files are the same for everybody, who is logged in is not
			headers.accept("Cache-Control", isSession(path) ? "no-store" : "no-cache");
		}
		else if (this.paths.get().isData(path)) {
			// as Spring Security does, where there is one: bodies of messages are among
			// it
			headers.accept("X-Content-Type-Options", "nosniff");
			headers.accept("Cache-Control", "no-store");
		}
	}

	/**
	 * Where the page is if it was requested with a slash at its end. Relative, whatever
	 * prefix a proxy strips.
	 */
	@Nullable String redirect(PathContainer path) {
		ConsolePaths known = this.paths.get();
		return known.isSlashed(path) ? "../" + known.segment() : null;
	}

	boolean isSession(PathContainer path) {
		return this.paths.get().isSession(path);
	}

	/**
	 * Whether another site's page sends a write. Without Spring Security nothing else
	 * would keep any page that an operator opens from it.
	 */
	boolean refuses(String method, PathContainer path, @Nullable String site) {
		return site != null && !OWN.contains(site) && !READS.contains(method) && this.paths.get().isData(path);
	}

}
