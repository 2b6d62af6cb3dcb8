/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Compares our exchanges with those on the broker.
 */
final class ExchangeCheck implements DoctorCheck {

	private static final String ALTERNATE = "alternate-exchange";

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		for (ExchangeDefinition model : expected.parts().exchanges()) {
			ExchangeSnapshot exchange = live.exchanges().get(model.name());
			if (exchange == null) {
				findings.add(FindingCode.EXCHANGE_MISSING.of(model.name(),
						"There is no exchange '%s'.".formatted(model.name()),
						"Declare it, and bind it; a start of the application in topology.mode declare does that too.",
						live.commands().create(model, expected, live)));
				continue;
			}
			String different = difference(model, exchange);
			if (different != null) {
				// it may be another's of the same name, and publishers of it would get
				// errors
				findings.add(FindingCode.EXCHANGE_WRONG.of(model.name(),
						"Exchange '%s' %s.".formatted(model.name(), different),
						"No command is printed, since whether the exchange is this service's, and not another's of the same name, is not certain. Find out who uses it. If nothing else does, stop the service, delete the exchange, and start the service in topology.mode declare.",
						List.of(live.commands().ctl("list_bindings"))));
			}
		}
		return findings;
	}

	private static @Nullable String difference(ExchangeDefinition model, ExchangeSnapshot exchange) {
		if (!exchange.type().equals(model.type())) {
			return "is of type %s instead of %s".formatted(exchange.type(), model.type());
		}
		if (!exchange.durable()) {
			return "is not durable";
		}
		if (exchange.autoDelete() || exchange.internal()) {
			return "is auto-delete or internal";
		}
		@Nullable Object wanted = model.arguments().get(ALTERNATE);
		@Nullable Object there = exchange.arguments().get(ALTERNATE);
		if (Objects.equals(wanted, there)) {
			return null;
		}
		return (wanted == null) ? "has the alternate exchange '%s'".formatted(there)
				: "has alternate-exchange '%s' instead of '%s'".formatted(there, wanted);
	}

}
