/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.TopFrames;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.failure.ThrowableTexts;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.Sha256;
import io.github.rabbitretry.internal.policy.ExceptionTexts;

/**
 * The headers of a parked message: what failed, when, how often, whose it is, which code
 * handled it and whether it may be replayed, so that no search in logs is needed.
 */
public final class ParkingHeaders {

	private static final int LONGEST_CLASSES = 512;

	private static final int LONGEST_MESSAGE = 2048;

	private final RetryHeaders retryHeaders;

	private static final int LONGEST_CLASS = 255;

	private static final int LONGEST_FRAMES = 1536;

	private final ConsumerIdentity identity;

	/**
	 * Creates the writer.
	 * @param identity who handles the messages
	 */
	public ParkingHeaders(ConsumerIdentity identity) {
		this.identity = identity;
		this.retryHeaders = new RetryHeaders(identity);
	}

	/**
	 * Writes the envelope.
	 * @param delivery the delivery
	 * @param park why it is parked
	 * @return the headers
	 */
	public Map<String, Object> write(Delivery delivery, Decision.Park park) {
		DeliveryHistory history = delivery.history();
		Map<String, Object> headers = this.retryHeaders.of(delivery, history.attempt(), park.reason(),
				park.failureClass());
		headers.put(AppHeaders.FAILURE_REASON, park.failureReason());
		headers.put(AppHeaders.CUMULATIVE_DELAY, history.cumulativeDelay().toMillis());
		headers.put(AppHeaders.PAYLOAD_HASH, Sha256.hex(delivery.received().body()));
		headers.put(AppHeaders.HANDLER_VERSION, HeaderText.bounded(this.identity.handlerVersion(), 255));
		headers.put(AppHeaders.PARKED_AT, delivery.now().toString());
		headers.put(AppHeaders.REPLAY_POLICY, HeaderText.bounded(delivery.policy().replayPolicy(), 255));
		Throwable failure = delivery.failure();
		this.retryHeaders.history(headers, delivery, (failure != null) ? park.failureReason() : park.reason(), null);
		if (failure != null) {
			write(headers, ExceptionSummary.of(failure), delivery.policy().exceptionTexts());
		}
		headers.put(AppHeaders.FAILURE_FINGERPRINT, delivery.fingerprint(park.failureReason()));
		return headers;
	}

	private static void write(Map<String, Object> headers, ExceptionSummary summary, ExceptionTexts texts) {
		headers.put(AppHeaders.EXCEPTION, HeaderText.bounded(summary.classes(), LONGEST_CLASSES));
		headers.put(AppHeaders.ROOT_EXCEPTION, HeaderText.bounded(summary.rootClass(), LONGEST_CLASS));
		if (texts == ExceptionTexts.NONE) {
			return;
		}
		headers.put(AppHeaders.EXCEPTION_MESSAGE, HeaderText.bounded(summary.message(), LONGEST_MESSAGE));
		headers.put(AppHeaders.ROOT_EXCEPTION_MESSAGE, HeaderText.bounded(summary.rootMessage(), LONGEST_MESSAGE));
		if (!summary.frames().isEmpty()) {
			headers.put(AppHeaders.EXCEPTION_FRAMES, HeaderText.bounded(summary.frames(), LONGEST_FRAMES));
		}
	}

	/**
	 * An exception in short texts. A whole stack trace never goes into headers: they must
	 * fit into a frame.
	 *
	 * @param classes the names of the exception's class and of its causes', outermost
	 * first
	 * @param message the message of the first of them
	 * @param rootClass the name of the innermost exception's class
	 * @param rootMessage its message
	 * @param frames its top frames, innermost first
	 */
	record ExceptionSummary(String classes, String message, String rootClass, String rootMessage, String frames) {

		private static final String FROM = " <- ";

		private static final int MOST = 6;

		static ExceptionSummary of(Throwable failure) {
			List<Throwable> chain = CauseChain.unwrapped(failure);
			List<String> classes = chain.stream().limit(MOST).map((cause) -> cause.getClass().getName()).toList();
			Throwable root = CauseChain.innermost(failure);
			return new ExceptionSummary(String.join(FROM, classes), ThrowableTexts.message(chain.get(0)),
					root.getClass().getName(), ThrowableTexts.message(root), String.join(FROM, TopFrames.of(root)));
		}

	}

}
