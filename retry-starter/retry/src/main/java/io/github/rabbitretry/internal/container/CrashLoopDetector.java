/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What is done, before the handler is called, about a message whose consumers died with
 * it in their hands. In the work queue many messages share that fate, of which most are
 * innocent, so that it is handled apart from them. In quarantine, where a consumer has
 * nothing else in its hands, the message itself is to blame; after two deaths, since the
 * first may still have been another one's fault in the same process.
 * <p>
 * The broker's count says how often. What a client writes into its header is delivered as
 * it was sent, so the count of a first delivery is never read; of a later one, it can
 * bring a message into quarantine, but not out of the copy that lies there, from which it
 * was stripped.
 *
 * @param after the count from which something is done, or 0 for never
 * @param decision what is done
 */
public record CrashLoopDetector(int after, Decision decision) {

	private static final int DEATHS_IN_QUARANTINE = 2;

	private static final CrashLoopDetector IN_QUARANTINE = new CrashLoopDetector(DEATHS_IN_QUARANTINE,
			new Decision.Park(Reasons.DELIVERY_LIMIT, FailureClass.POISON, Reasons.DELIVERY_LIMIT));

	public static CrashLoopDetector inWorkQueue(MessagePolicy policy) {
		return new CrashLoopDetector(policy.quarantined() ? policy.quarantineAfter() : 0, new Decision.Quarantine());
	}

	public static CrashLoopDetector inQuarantine() {
		return IN_QUARANTINE;
	}

	public Optional<Decision> decide(boolean redelivered, @Nullable Map<String, Object> headers) {
		if (!redelivered || this.after == 0 || headers == null) {
			return Optional.empty();
		}
		return (headers.get(BrokerHeaders.DELIVERY_COUNT) instanceof Number count && count.longValue() >= this.after)
				? Optional.of(this.decision) : Optional.empty();
	}

}
