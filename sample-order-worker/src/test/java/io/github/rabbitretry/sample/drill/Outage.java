/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.sample.outside.ProgressPrinter;

/**
 * An outage of the payment gateway, once without and once with outage mode.
 *
 * @param payments how many payments come in it
 * @param time how long it lasts
 */
record Outage(int payments, Duration time) implements DrillCommand {

	private static final String DEPENDENCY = "payment-gateway";

	private static final String KEYS = "--rabbit-retry.message-policies.CapturePaymentCommand.outage.";

	private static final List<String> MODE = List.of(KEYS + "enabled=true", KEYS + "dependency=" + DEPENDENCY);

	private static final Duration FIRST_PROBE = Duration.ofSeconds(5);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

	/** Probes that decide together whether all is as it was. */
	private static final int RESUME_CALLS = 5;

	@Override
	public boolean run(DrillEnvironment environment) throws IOException {
		List<String> wrong = Stream.concat(without(environment).stream(), with(environment).stream()).toList();
		return wrong.isEmpty();
	}

	/**
	 * An outage without outage mode.
	 * @param environment where
	 * @return what was not as expected
	 * @throws IOException if broker or worker do not answer as they should
	 */
	List<String> without(DrillEnvironment environment) throws IOException {
		Findings findings = begin(environment,
				"1. %d payments while the payment gateway is down for %d s, without outage mode"
					.formatted(this.payments, this.time.toSeconds()));
		long parked = environment.operator().parkedNow();
		int refused = last(environment, "without");
		findings.equal("payments handled", 0L, handled(environment, "without"));
		findings.equal(
				"parked: an attempt and %d retries are over before the gateway is back"
					.formatted(DrillEnvironment.DELAYS.size()),
				(long) this.payments, environment.operator().parkedNow() - parked);
		findings.equal("requests that the gateway refused", this.payments * (1 + DrillEnvironment.DELAYS.size()),
				refused);
		return findings.wrong();
	}

	/**
	 * The same with outage mode.
	 * @param environment where
	 * @return what was not as expected
	 * @throws IOException if broker or worker do not answer as they should
	 */
	List<String> with(DrillEnvironment environment) throws IOException {
		Findings findings = begin(environment, "2. The same with " + String.join(" ", MODE));
		long parked = environment.operator().parkedNow();
		environment.worker().stop();
		environment.worker().start(MODE);
		int refused = last(environment, "with");
		environment.await(() -> handled(environment, "with") == this.payments);
		findings.equal("payments handled", (long) this.payments, handled(environment, "with"));
		findings.equal("payments parked", 0L, environment.operator().parkedNow() - parked);
		findings.equal("messages left in any queue", Map.of(), environment.left());
		double probes = environment.operator().metric("rabbit_retry_outage_probes_total", DEPENDENCY);
		findings.add("probes, at most %d".formatted(mostProbes()), (int) probes, probes <= mostProbes());
		findings.note("requests that the gateway refused: %d".formatted(refused));
		return findings.wrong();
	}

	private static Findings begin(DrillEnvironment environment, String title) {
		ProgressPrinter progress = environment.progress();
		progress.line("");
		progress.line(title);
		return new Findings(progress::line);
	}

	/** With the defaults of the keys. */
	private int mostProbes() {
		int rounds = 1;
		Duration wait = FIRST_PROBE;
		for (Duration at = wait; at.compareTo(this.time) <= 0; at = at.plus(wait)) {
			rounds++;
			wait = Stream.of(wait.multipliedBy(2), LONGEST_WAIT).min(Duration::compareTo).orElseThrow();
		}
		return rounds * RESUME_CALLS;
	}

	/**
	 * Lets it last.
	 * @return how many requests the gateway refused
	 */
	private int last(DrillEnvironment environment, String prefix) throws IOException {
		int before = environment.gateway().refusals();
		environment.gateway().down(true);
		long end = System.nanoTime() + this.time.toNanos();
		Map<String, String> bodies = new LinkedHashMap<>();
		ids(prefix).forEach((id) -> bodies.put(id, DrillEnvironment.payment(id, "tok_ok")));
		environment.publish(DrillEnvironment.PAYMENT, bodies);
		while (System.nanoTime() < end) {
			environment.progress()
				.progress("  the gateway is down for another %d s, %d requests refused".formatted(
						TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime()),
						environment.gateway().refusals() - before));
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
		}
		environment.gateway().down(false);
		return environment.gateway().refusals() - before;
	}

	private long handled(DrillEnvironment environment, String prefix) {
		return ids(prefix).filter((id) -> !environment.handled().events(id).isEmpty()).count();
	}

	private Stream<String> ids(String prefix) {
		return IntStream.range(0, this.payments).mapToObj((number) -> "outage-%s-%d".formatted(prefix, number));
	}

}
