/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * Acknowledges messages, and so deletes them.
 */
final class WindowDiscard implements WindowAction {

	private final WindowAudit audit;

	WindowDiscard(WindowAudit audit) {
		this.audit = audit;
	}

	@Override
	public Optional<String> objection(MessagePolicy policy, WindowMessage message) {
		return Optional.empty();
	}

	@Override
	public List<WindowMessage> apply(MessagePolicy policy, List<WindowMessage> messages) {
		this.audit.begins("discard", policy, messages.size());
		return messages.stream().filter((message) -> message.held().acknowledgement().acknowledge()).toList();
	}

	@Override
	public int ended(MessagePolicy policy, List<WindowMessage> removed, List<WindowMessage> unsure) {
		removed.forEach((message) -> this.audit.tell("discarded", policy, message, ""));
		unsure.forEach((message) -> this.audit.tell("may have discarded", policy, message,
				"; the broker did not confirm it, and it may be parked still"));
		return unsure.size();
	}

}
