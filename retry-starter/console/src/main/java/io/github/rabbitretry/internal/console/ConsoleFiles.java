/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.MimeType;

/**
 * The files that the page consists of. Only those named here are ever served.
 */
final class ConsoleFiles {

	/** Where they are on the class path. */
	static final String FOLDER = "io/github/rabbitretry/console/";

	static final String PAGE = "index.html";

	static final List<String> NAMES = List.of("act.js", "api.js", "app.js", "audit.js", "difference.js", "groups.js",
			"icon.svg", "jobs.js", "lit-html.js", "message.js", "messages.js", "outage.js", "parts.js", "style.css",
			"text.js", "topology.js");

	/** What stands in the page for the last segment of its own path. */
	private static final String PLACEHOLDER = "{{console}}";

	private static final Map<String, MimeType> TYPES = Map.of("html", type("text", "html"), "js",
			type("text", "javascript"), "css", type("text", "css"), "svg", type("image", "svg+xml"));

	private final Map<String, File> files = new LinkedHashMap<>();

	ConsoleFiles() {
		NAMES.forEach((name) -> this.files.put(name, new File(read(name), typeOf(name))));
	}

	/**
	 * The page itself. It has no trailing slash, so that its links begin with the last
	 * segment of its path, which path-mapping may change.
	 * @param segment that segment
	 * @return the page
	 */
	File page(String segment) {
		String page = new String(read(PAGE), StandardCharsets.UTF_8).replace(PLACEHOLDER, segment);
		return new File(page.getBytes(StandardCharsets.UTF_8), typeOf(PAGE));
	}

	@Nullable File find(String name) {
		return this.files.get(name);
	}

	private static byte[] read(String name) {
		try (InputStream file = Objects
			.requireNonNull(ConsoleFiles.class.getClassLoader().getResourceAsStream(FOLDER + name), name)) {
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static MimeType typeOf(String name) {
		return Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
	}

	private static MimeType type(String type, String subtype) {
		return new MimeType(type, subtype, StandardCharsets.UTF_8);
	}

	/**
	 * A file.
	 *
	 * @param content its bytes
	 * @param type its type
	 */
	record File(byte[] content, MimeType type) {
	}

}
