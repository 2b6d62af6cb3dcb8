/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Logs what is decided about failures: parked messages with the exception at level WARN;
 * retried and other ones at INFO, and at DEBUG with the exception. Of equal failures, ten
 * are logged in a minute, and then how many more there were.
 */
public final class FailureLog implements AutoCloseable {

	/** The logger's name. */
	public static final String NAME = "io.github.rabbitretry.decisions";

	private static final Log logger = LogFactory.getLog(NAME);

	private static final RateLimitedLog failures = new RateLimitedLog(LogFactory.getLog(FailureLog.class),
			Duration.ofSeconds(30));

	private final RepeatedLines lines;

	/**
	 * Creates the log.
	 */
	public FailureLog() {
		this(Duration.ofMinutes(1));
	}

	FailureLog(Duration quiet) {
		this.lines = new RepeatedLines(quiet);
	}

	/**
	 * A message is on its way into the parking lot.
	 * @param delivery the delivery
	 * @param park why it is parked
	 */
	public void parked(Delivery delivery, Decision.Park park) {
		warn(delivery, park, "parked", "in '%s'".formatted(delivery.policy().topology().parkingLot()),
				logger.isWarnEnabled() ? ", fingerprint " + delivery.fingerprint(park.failureReason()) : "");
	}

	/**
	 * A message would be parked, and keeps its place.
	 * @param delivery the delivery
	 * @param park why it would be parked
	 */
	public void blocks(Delivery delivery, Decision.Park park) {
		warn(delivery, park, "blocks", "queue '%s'".formatted(delivery.policy().queue()), "");
	}

	private void warn(Delivery delivery, Decision.Park park, String what, String where, String fingerprint) {
		if (logger.isWarnEnabled()) {
			Failure failure = new Failure(delivery, fingerprint);
			String reason = park.reason().equals(park.failureReason()) ? park.reason()
					: park.reason() + " after " + park.failureReason();
			write(failure, what + ", " + reason,
					() -> "%s %s at %s: %s (%s)".formatted(what, where, failure.attempt(), reason,
							park.failureClass().label()),
					logger::warn, (line) -> logger.warn(line, failure.loggable()));
		}
	}

	/**
	 * A message is on its way to its next attempt.
	 * @param delivery the delivery
	 * @param retry when it comes back, and why
	 */
	public void retried(Delivery delivery, Decision.Retry retry) {
		if (logger.isInfoEnabled()) {
			Failure what = new Failure(delivery, "");
			write(what, "retried, " + retry.reason(),
					() -> "retried in %s after %s: %s (%s)".formatted(
							DurationFormatterUtils.print(retry.delay(), Style.COMPOSITE), what.attempt(),
							retry.reason(), retry.failureClass().label()),
					logger::info, (line) -> informed(line, what));
		}
	}

	/**
	 * A failed message is neither retried nor parked.
	 * @param delivery the delivery
	 * @param decision what happens to it
	 * @param reason why
	 */
	public void ended(Delivery delivery, String decision, String reason) {
		if (logger.isInfoEnabled()) {
			Failure what = new Failure(delivery, "");
			write(what, decision + ", " + reason, () -> "%s at %s: %s".formatted(decision, what.attempt(), reason),
					logger::info, (line) -> informed(line, what));
		}
	}

	private static void informed(String line, Failure what) {
		logger.info(line);
		Throwable loggable = logger.isDebugEnabled() ? what.loggable() : null;
		if (loggable != null) {
			logger.debug(line, loggable);
		}
	}

	/** Whatever fails here, the message is settled all the same. */
	private void write(Failure what, String kind, Supplier<String> text, Consumer<String> repeated,
			Consumer<String> first) {
		try {
			writeOrCount(what, kind, text, repeated, first);
		}
		catch (Throwable ex) {
			cannotLog(what.delivery.policy().messageType(), ex);
		}
	}

	/** Without the failure's text, which can't be had perhaps. */
	private static void cannotLog(String messageType, Throwable why) {
		try {
			failures
				.warn(() -> "A failure of '%s' can't be logged (%s)".formatted(messageType, why.getClass().getName()));
		}
		catch (RuntimeException ex) {
			// its appender throws: there is nowhere to report that
		}
	}

	private void writeOrCount(Failure what, String kind, Supplier<String> text, Consumer<String> repeated,
			Consumer<String> first) {
		String which = kind + what.exceptionClass() + what.fingerprint;
		this.lines.write(what.type() + ' ' + which,
				() -> first.accept("Message %s of %s %s%s, owner %s%s".formatted(what.id(), what.type(), text.get(),
						what.exception(), LogText.of(what.delivery.policy().owner()), what.fingerprint)),
				again(what.type(), which, repeated));
	}

	/** It is kept for a while, and so does not know the message. */
	private static LongConsumer again(String type, String which, Consumer<String> line) {
		return (more) -> line.accept("%s more in the last minute: %s %s".formatted(more, type, which));
	}

	/** Logs what was only counted so far. */
	@Override
	public void close() {
		this.lines.close();
	}

	/** What is known of a failure, as it is logged. */
	private final class Failure {

		private final Delivery delivery;

		/**
		 * Tells failures of one class apart, if known, since it needs the stack trace.
		 */
		private final String fingerprint;

		private final @Nullable Throwable failure;

		Failure(Delivery delivery, String fingerprint) {
			this.delivery = delivery;
			this.fingerprint = fingerprint;
			this.failure = delivery.failure();
		}

		String id() {
			String id = this.delivery.received().properties().getMessageId();
			return (id != null) ? LogText.of(id) : "without id";
		}

		String type() {
			return LogText.unquoted(this.delivery.policy().messageType(), 255);
		}

		String attempt() {
			return "attempt %s of %s".formatted(this.delivery.history().attempt() + 1,
					this.delivery.policy().brokerAttempts() + 1);
		}

		String exceptionClass() {
			return (this.failure != null) ? ", " + CauseChain.innermost(this.failure).getClass().getName() : "";
		}

		String exception() {
			if (this.failure == null) {
				return "";
			}
			String message = withTexts() ? ThrowableTexts.message(CauseChain.innermost(this.failure)) : "";
			return exceptionClass() + (message.isEmpty() ? "" : " " + LogText.of(message));
		}

		@Nullable Throwable loggable() {
			return (this.failure != null && withTexts()) ? LoggedException.of(this.failure) : null;
		}

		private boolean withTexts() {
			return this.delivery.policy().exceptionTexts() == ExceptionTexts.FULL;
		}

	}

}
