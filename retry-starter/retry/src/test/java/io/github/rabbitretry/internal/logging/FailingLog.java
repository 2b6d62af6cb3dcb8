/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.logging;

import java.lang.reflect.Proxy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import org.slf4j.LoggerFactory;

/**
 * Has loggers throw, as an appender may whose disk is full.
 */
public final class FailingLog implements AutoCloseable {

	private final Logger logger;

	@SuppressWarnings("unchecked")
	private final Appender<ILoggingEvent> appender = (Appender<ILoggingEvent>) Proxy.newProxyInstance(
			FailingLog.class.getClassLoader(), new Class<?>[] { Appender.class }, (proxy, method, arguments) -> {
				switch (method.getName()) {
					case "doAppend" -> throw new IllegalStateException("no space left on device");
					case "equals" -> {
						return proxy == arguments[0];
					}
					case "hashCode" -> {
						return 1;
					}
					default -> {
						return null;
					}
				}
			});

	/**
	 * Begins.
	 * @param name what the loggers' names begin with
	 */
	public FailingLog(String name) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		this.logger.addAppender(this.appender);
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
	}

}
