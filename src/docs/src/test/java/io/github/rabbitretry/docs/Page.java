/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of Markdown.
 *
 * @param path where it is
 * @param text what it says
 */
record Page(Path path, String text) {

	static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*```(\\w*)\\n(.*?)^\\s*```\\s*$");

	private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	static Page of(String path) {
		return read(ROOT.resolve(path));
	}

	/**
	 * The pages of this folder.
	 * @return in the order of their names
	 */
	static List<Page> documentation() {
		return in("src/docs");
	}

	/**
	 * All pages that a reader may get to.
	 * @return the documentation and the READMEs
	 */
	static List<Page> all() {
		return Stream
			.of(Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
					"sample-order-worker/README.md", "src/benchmarks/README.md")
				.map(Page::of), in("src/testbed").stream(), documentation().stream())
			.flatMap((pages) -> pages)
			.toList();
	}

	private static List<Page> in(String folder) {
		try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().map(Page::read).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Page read(Path path) {
		try {
			return new Page(path, Files.readString(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String name() {
		return ROOT.relativize(this.path).toString();
	}

	/**
	 * The code blocks of a language.
	 * @param language as it stands behind the fence
	 * @return their content, in the order of the page
	 */
	List<String> blocks(String language) {
		return BLOCK.matcher(this.text)
			.results()
			.filter((block) -> block.group(1).equals(language))
			.map((block) -> block.group(2))
			.toList();
	}

	/**
	 * What is said between the code blocks.
	 * @return without comments
	 */
	String prose() {
		return COMMENT.matcher(BLOCK.matcher(this.text).replaceAll("\n")).replaceAll("");
	}

	List<String> links() {
		return LINK.matcher(prose()).results().map((link) -> link.group(1)).toList();
	}

	/**
	 * What can be linked to.
	 * @return the headings, as GitHub makes anchors of them
	 */
	List<String> anchors() {
		List<String> anchors = new ArrayList<>();
		prose().lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("#+ ", "")
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\w\\- ]", "")
				.replace(' ', '-'))
			.forEach(anchors::add);
		return anchors;
	}

}
