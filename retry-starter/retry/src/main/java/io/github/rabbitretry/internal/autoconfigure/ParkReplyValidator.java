/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Collection;
import java.util.Set;

import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * Checks which exchanges the senders of requests may name.
 */
final class ParkReplyValidator {

	private static final String KEY = "park-reply-exchanges";

	private final PolicyValidator values;

	ParkReplyValidator(PolicyValidator values) {
		this.values = values;
	}

	Set<String> exchanges() {
		Set<String> exchanges = this.values.properties().parkReplyExchanges();
		for (String exchange : exchanges) {
			if (exchange.isBlank() || !exchange.equals(exchange.strip()) || exchange.indexOf('/') >= 0
					|| !OutboundMessageCheck.fits(exchange)) {
				throw this.values.invalid(KEY, exchange,
						"must be the name of an exchange, without a slash or blanks around it",
						"Write the name as the broker shows it; the default exchange needs no entry.");
			}
		}
		if (!exchanges.isEmpty() && this.values.properties().onParkReply() == ParkReply.NONE) {
			throw this.values.invalid(KEY, String.join(", ", exchanges), "needs replies to publish",
					"Set on-park-reply to error.");
		}
		return exchanges;
	}

	/** A reply must not come back as a message. */
	static void leadElsewhere(Collection<MessagePolicy> policies) {
		for (MessagePolicy replying : policies) {
			for (MessagePolicy other : replying.parkReplyExchanges().isEmpty() ? Set.<MessagePolicy>of() : policies) {
				other.topology().exchanges().forEach((exchange) -> {
					if (replying.parkReplyExchanges().contains(exchange.name())) {
						throw new InvalidConfigurationException(
								"rabbit-retry.message-policies.%s.%s".formatted(replying.messageType(), KEY),
								exchange.name(),
								"is an exchange of message policy '%s', to which replies might come back as messages"
									.formatted(other.messageType()),
								"Have replies published to another exchange, or to queues.");
					}
				});
			}
		}
	}

}
