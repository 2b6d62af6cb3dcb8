/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.broker.Broker;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

/**
 * The page of the documentation, taken apart, so that what it says is what is run.
 */
final class MigrationGuide {

	private static final Path PAGE = Path.of("..", "..", "src", "docs", "migration.md");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

	private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

	private final Map<String, Section> sections = new LinkedHashMap<>();

	private MigrationGuide(String text) {
		for (String section : text.split("(?m)^## ")) {
			int end = section.indexOf('\n');
			this.sections.put(section.substring(0, end), new Section(section.substring(end)));
		}
	}

	static MigrationGuide read() {
		try {
			return new MigrationGuide(Files.readString(PAGE));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Section section(String heading) {
		if (!this.sections.containsKey(heading)) {
			throw new IllegalArgumentException("no section '" + heading + "' in " + this.sections.keySet());
		}
		return this.sections.get(heading);
	}

	/**
	 * The headings of the sections that a test has to run.
	 * @return those with a command or a configuration
	 */
	List<String> headings() {
		return this.sections.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue().blocks("sh").isEmpty() || !entry.getValue().blocks("yaml").isEmpty())
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * One way to migrate.
	 */
	static final class Section {

		private final String text;

		private final List<String> toRun = new ArrayList<>();

		private Section(String text) {
			this.text = text;
			blocks("sh").forEach((block) -> this.toRun.addAll(block.lines().toList()));
		}

		private List<String> blocks(String language) {
			Matcher matcher = BLOCK.matcher(this.text);
			return matcher.results()
				.filter((block) -> block.group(1).equals(language))
				.map((block) -> block.group(2))
				.toList();
		}

		/**
		 * The numbered changes.
		 * @return their lines
		 */
		List<String> changes() {
			return this.text.lines().filter((line) -> line.matches("\\d+\\. .*")).toList();
		}

		/**
		 * A configuration.
		 * @param index which of the section, from 0
		 * @return properties, {@code key=value}
		 */
		String[] configuration(int index) {
			YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
			yaml.setResources(new ByteArrayResource(blocks("yaml").get(index).getBytes()));
			Properties properties = yaml.getObject();
			// numbers are no strings
			return properties.entrySet()
				.stream()
				.map((property) -> property.getKey() + "=" + property.getValue())
				.toArray(String[]::new);
		}

		/**
		 * The commands of one block.
		 * @param index which of the section, from 0
		 * @return the lines
		 */
		List<String> commands(int index) {
			return blocks("sh").get(index).lines().toList();
		}

		/**
		 * Runs a command of the page.
		 * @param command one of {@link #commands(int)}
		 * @return what it printed
		 */
		String run(String command) {
			String[] words = WORD.matcher(command)
				.results()
				.map((word) -> (word.group(1) != null) ? word.group(1) : word.group(2))
				.toArray(String[]::new);
			if (!words[0].equals("rabbitmqctl")) {
				throw new IllegalArgumentException("what is " + command);
			}
			String printed = Broker.shared().ctl(Arrays.copyOfRange(words, 1, words.length));
			this.toRun.remove(command);
			return printed;
		}

		/**
		 * What was forgotten.
		 * @return the commands that were not run
		 */
		List<String> notRun() {
			return this.toRun;
		}

	}

}
