/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Counts what is logged while it is open.
 */
final class LogVolume extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private static final int MOST_KEPT = 200;

	private final Map<String, Integer> lines = new ConcurrentHashMap<>();

	private final Map<String, String> examples = new ConcurrentHashMap<>();

	private volatile int count;

	LogVolume() {
		setContext(root().getLoggerContext());
		start();
		root().addAppender(this);
	}

	private static Logger root() {
		return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.count++;
		String text = event.getFormattedMessage();
		String kind = "%s %s %s".formatted(event.getLevel(),
				event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1),
				text.substring(0, Math.min(60, text.length())).replaceAll("\\d+|[^ -~]+", "_"));
		if (this.lines.size() < MOST_KEPT || this.lines.containsKey(kind)) {
			this.lines.merge(kind, 1, Integer::sum);
			this.examples.putIfAbsent(kind,
					text.substring(0, Math.min(500, text.length()))
							+ ((event.getThrowableProxy() != null) ? " <- " + event.getThrowableProxy().getClassName()
									+ ": " + event.getThrowableProxy().getMessage() : ""));
		}
	}

	int count() {
		return this.count;
	}

	@Override
	public void close() {
		root().detachAppender(this);
	}

	@Override
	public String toString() {
		return this.lines.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
			.limit(25)
			.map((line) -> "  %d x %s%n      %s".formatted(line.getValue(), line.getKey(),
					this.examples.get(line.getKey())))
			.collect(Collectors.joining("\n", this.count + " lines logged:\n", ""));
	}

}
