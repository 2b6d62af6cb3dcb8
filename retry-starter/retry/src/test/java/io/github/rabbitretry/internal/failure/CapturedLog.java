/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/**
 * What the log of decisions has got, or another one.
 */
public final class CapturedLog implements AutoCloseable {

	private final Logger logger;

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	public CapturedLog(Level level) {
		this(FailureLog.NAME, level);
	}

	public CapturedLog(String name, Level level) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		this.logger.setLevel(level);
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	/**
	 * The lines, each as level and message.
	 * @return the lines so far
	 */
	public List<String> lines() {
		return events().stream().map((event) -> event.getLevel() + " " + event.getFormattedMessage()).toList();
	}

	/**
	 * The traces.
	 * @param level of which level
	 * @return the trace of each line, empty for one without
	 */
	public List<String> traces(Level level) {
		return events().stream()
			.filter((event) -> event.getLevel() == level)
			.map((event) -> (event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy())
					: "")
			.toList();
	}

	private List<ILoggingEvent> events() {
		return List.copyOf(this.appender.list);
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

}
