/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.topology.ExchangeModel;
import org.jspecify.annotations.Nullable;

/**
 * Compares our exchanges with those on the broker.
 */
final class ExchangeExamination implements Examination {

	private static final String ALTERNATE = "alternate-exchange";

	@Override
	public List<Finding> examine(ExpectedTopology expected, LiveBroker live) {
		List<Finding> findings = new ArrayList<>();
		for (ExchangeModel model : expected.parts().exchanges()) {
			LiveExchange exchange = live.exchanges().get(model.name());
			if (exchange == null) {
				findings.add(FindingCode.EXCHANGE_MISSING.of(model.name(),
						"There is no exchange '%s'.".formatted(model.name()),
						"Declare it, and bind it; a start of the application in topology.mode declare does that too.",
						live.commands().recreate(model, expected, live).commands()));
				continue;
			}
			String different = difference(model, exchange);
			if (different != null) {
				findings.add(anew(FindingCode.EXCHANGE_WRONG, model, different, expected, live));
			}
			@Nullable Object alternate = exchange.arguments().get(ALTERNATE);
			if (alternate != null && !model.arguments().containsKey(ALTERNATE)) {
				findings.add(anew(FindingCode.ALTERNATE_EXCHANGE, model,
						"has the alternate exchange '%s'".formatted(alternate), expected, live));
			}
		}
		return findings;
	}

	private static Finding anew(FindingCode code, ExchangeModel model, String fact, ExpectedTopology expected,
			LiveBroker live) {
		return live.commands()
			.recreate(model, expected, live)
			.finding(code, model.name(), "Exchange '%s' %s.".formatted(model.name(), fact),
					"Delete it, declare it anew and bind it again, while nothing is published to it.");
	}

	private static @Nullable String difference(ExchangeModel model, LiveExchange exchange) {
		if (!exchange.type().equals(model.type())) {
			return "is of type %s instead of %s".formatted(exchange.type(), model.type());
		}
		if (!exchange.durable()) {
			return "is not durable";
		}
		if (exchange.autoDelete() || exchange.internal()) {
			return "is auto-delete or internal";
		}
		for (Map.Entry<String, Object> argument : model.arguments().entrySet()) {
			@Nullable Object there = exchange.arguments().get(argument.getKey());
			if (!Objects.equals(String.valueOf(argument.getValue()), String.valueOf(there))) {
				return "has %s '%s' instead of '%s'".formatted(argument.getKey(), there, argument.getValue());
			}
		}
		return null;
	}

}
