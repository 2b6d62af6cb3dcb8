/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import io.github.rabbitretry.sample.outside.Replay;

/**
 * The gateway has captured the money, but the worker never waited for the answer.
 */
final class ReplayAfterTheFix implements Experiment {

	private static final String ORDER = "drill-4";

	private static final String FIXED = "HANDLER_FIXED";

	@Override
	public String title() {
		return "A parked message replayed after the handler was changed";
	}

	@Override
	public String done() {
		return "one payment whose answer comes after 1.6 s, to a handler that waits 0.8 s; then a release that waits 5 s";
	}

	@Override
	public void run(DrillEnvironment environment, Findings findings) throws IOException {
		Operator operator = environment.operator();
		environment.publish(ORDER, DrillEnvironment.payment(ORDER, "tok_slow"));
		environment.await(() -> inLedger(operator).size() == 1);
		findings.equal("parked after 3 retries", List.of(new ParkedOrder(ORDER, "RETRY_BUDGET_EXHAUSTED", 3, "PARKED")),
				inLedger(operator));
		findings.equal("the gateway asked four times, and it has captured the money at the first",
				"4 asked, 1 captured", asked(environment));
		environment.worker().stop();
		environment.worker().start(List.of("--spring.profiles.active=next-release"));
		Map<String, Object> message = new LinkedHashMap<>(Map.of("messageId", ORDER));
		long counted = operator.dryRun(message).path("preview").path("count").asLong();
		findings.equal("the dry run finds it", 1L, counted);
		message.put("expect", counted);
		message.put("canary", 1);
		Replay.Outcome outcome = new Replay(operator, environment.progress()).run(message, FIXED);
		findings.equal("the replay succeeds", 1L, outcome.succeeded());
		environment.await(() -> environment.handled().events(ORDER).size() == 1);
		findings.equal("handled once", 1, environment.handled().events(ORDER).size());
		findings.equal("and not captured again", "5 asked, 1 captured", asked(environment));
		findings.equal("another replay of it is refused", "409", refusal(operator, message));
		environment.publish(ORDER, DrillEnvironment.payment(ORDER, "tok_slow"));
		environment.await(() -> environment.handled().events(ORDER).size() == 2);
		findings.equal("the same message once more, after it was handled: not captured again", "6 asked, 1 captured",
				asked(environment));
		findings.equal("replay_total", 1.0, operator.metric("replay_total", "CapturePaymentCommand"));
		operator.metricLines("replay_total").forEach(findings::note);
	}

	private static String asked(DrillEnvironment environment) {
		return "%d asked, %d captured".formatted(environment.gateway().requests(ORDER).size(),
				environment.gateway().captures(ORDER));
	}

	private static List<ParkedOrder> inLedger(Operator operator) throws IOException {
		return operator.ledger().stream().filter((order) -> order.orderId().equals(ORDER)).toList();
	}

	private static String refusal(Operator operator, Map<String, Object> message) {
		try {
			return "replay " + operator.replay(message, FIXED);
		}
		catch (IOException ex) {
			String answer = String.valueOf(ex.getMessage());
			return answer.contains("409") ? "409" : answer;
		}
	}

}
