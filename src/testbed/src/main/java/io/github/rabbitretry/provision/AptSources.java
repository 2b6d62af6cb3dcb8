/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads apt's configuration, in both of its formats, for the Debian mirror that this
 * machine uses.
 */
public final class AptSources {

	private static final Pattern ONE_LINE = Pattern
		.compile("deb\\s+(?:\\[[^\\]]*\\]\\s+)?(?<uri>\\S+)\\s+(?<suite>\\S+)\\s*(?<components>.*)");

	private AptSources() {
	}

	/**
	 * The Debian mirror.
	 * @param apt the folder of apt's configuration
	 * @return the mirror's address, empty if there is none
	 */
	public static Optional<String> debianMirror(Path apt) {
		List<AptSource> sources = new ArrayList<>();
		for (Path file : files(apt)) {
			String text = read(file);
			sources.addAll(file.toString().endsWith(".sources") ? parseStanzas(text) : parseLines(text));
		}
		return sources.stream()
			.filter(AptSource::isDebian)
			.min(Comparator.comparing((source) -> !source.hasUsualPath()))
			.map(AptSource::uri);
	}

	private static List<Path> files(Path apt) {
		List<Path> files = new ArrayList<>();
		Path main = apt.resolve("sources.list");
		if (Files.isReadable(main)) {
			files.add(main);
		}
		Path parts = apt.resolve("sources.list.d");
		if (Files.isDirectory(parts)) {
			try (Stream<Path> found = Files.list(parts)) {
				found.filter((file) -> file.toString().matches(".*\\.(list|sources)"))
					.filter(Files::isReadable)
					.sorted()
					.forEach(files::add);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return files;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<AptSource> parseLines(String text) {
		return text.lines()
			.map((line) -> ONE_LINE.matcher(line.replaceFirst("#.*", "").strip()))
			.filter(Matcher::matches)
			.map((matcher) -> new AptSource(matcher.group("uri"), matcher.group("suite"),
					words(matcher.group("components"))))
			.toList();
	}

	static List<AptSource> parseStanzas(String text) {
		String withoutComments = text.replaceAll("(?m)^#.*(\\R|$)", "");
		return Stream.of(withoutComments.split("\\R\\s*\\R")).flatMap((stanza) -> sources(fields(stanza))).toList();
	}

	private static Stream<AptSource> sources(Map<String, String> fields) {
		boolean disabled = "no".equalsIgnoreCase(fields.getOrDefault("enabled", "yes"));
		if (disabled || !words(fields.getOrDefault("types", "")).contains("deb")) {
			return Stream.empty();
		}
		Set<String> components = words(fields.getOrDefault("components", ""));
		return words(fields.getOrDefault("uris", "")).stream()
			.flatMap((uri) -> words(fields.getOrDefault("suites", "")).stream()
				.map((suite) -> new AptSource(uri, suite, components)));
	}

	private static Map<String, String> fields(String stanza) {
		Map<String, String> fields = new HashMap<>();
		// a line that starts with a space goes on with the field above
		for (String field : stanza.strip().split("\\R(?!\\s)")) {
			String[] parts = field.split(":", 2);
			if (parts.length == 2) {
				fields.put(parts[0].strip().toLowerCase(Locale.ROOT), parts[1].strip());
			}
		}
		return fields;
	}

	private static Set<String> words(String text) {
		return new LinkedHashSet<>(List.of(text.strip().split("\\s+")));
	}

}
