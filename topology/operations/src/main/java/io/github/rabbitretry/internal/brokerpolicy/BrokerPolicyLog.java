/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs what was found when it changes, and from time to time what is still unsafe.
 */
final class BrokerPolicyLog {

	private static final Log logger = LogFactory.getLog(BrokerPolicyMonitor.class);

	private static final long AGAIN = Duration.ofMinutes(30).toNanos();

	private final BrokerPolicyMode mode;

	private final boolean expected;

	private List<String> unsafe = List.of();

	private List<String> notes = List.of();

	private List<String> tooSlow = List.of();

	private List<String> unreadable = List.of();

	private long at = System.nanoTime();

	private long unknown;

	private long unknownAt;

	/** Where the management API is configured, it is expected to answer. */
	BrokerPolicyLog(BrokerPolicyMode mode, boolean expected) {
		this.mode = mode;
		this.expected = expected;
	}

	synchronized void found(BrokerPolicyReport report) {
		List<String> lines = report.lines(true);
		if (!lines.equals(this.unsafe) || (!lines.isEmpty() && System.nanoTime() - this.at > AGAIN)) {
			this.at = System.nanoTime();
			if (lines.isEmpty()) {
				logger.info("Broker policies are safe again for the queues of message policies");
			}
			else {
				Consumer<String> log = (this.mode == BrokerPolicyMode.FAIL) ? logger::error : logger::warn;
				log.accept("Broker policies would lose messages:%n    %s%nTo protect the queues:%n    %s".formatted(
						String.join("%n    ".formatted(), lines),
						String.join("%n    ".formatted(), report.commands())));
			}
		}
		this.unsafe = lines;
		this.notes = changed(report.lines(false), this.notes, (line) -> logger.info("Good to know: " + line));
		this.tooSlow = changed(report.tooSlow().stream().map(Throwable::getMessage).toList(), this.tooSlow,
				logger::warn);
		this.unreadable = changed(report.unreadable(), this.unreadable,
				(policy) -> logger.warn("Cannot check %s: its pattern is not supported".formatted(policy)));
	}

	private static List<String> changed(List<String> now, List<String> before, Consumer<String> log) {
		if (!now.equals(before)) {
			now.forEach(log);
		}
		return now;
	}

	synchronized void unknown(ManagementUnavailableException reason) {
		long now = System.nanoTime();
		if (this.unknown > 0 && (!this.expected || now - this.unknownAt < AGAIN)) {
			this.unknown++;
			return;
		}
		String text = "Cannot check broker policies: " + reason.getMessage();
		if (!this.expected) {
			logger.info(
					text + ". Set rabbit-retry.broker.management-url, or rabbit-retry.topology.policies to 'ignore'.");
		}
		else {
			logger.warn((this.unknown <= 1) ? text : "%s (and %s times before)".formatted(text, this.unknown - 1));
		}
		this.unknown = 1;
		this.unknownAt = now;
	}

}
