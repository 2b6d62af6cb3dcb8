/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.sample.outside.ProgressPrinter;

/**
 * The command that shows an outage of the payment gateway, without and with outage mode.
 */
public final class OutageDemo {

	private static final int PAYMENTS = 2000;

	private static final Duration OUTAGE = Duration.ofSeconds(60);

	private static final String POLICY = "--rabbit-retry.message-policies.CapturePaymentCommand.outage.";

	private static final List<String> MODE = List.of(POLICY + "enabled=true", POLICY + "dependency=payment-gateway");

	private static final String USAGE = """
			usage: sample-order-worker/demo outage [--help]
			%d payments while the payment gateway is down for %d seconds, without and with outage mode.
			Exit status: 0 if all was as expected, 1 if not, 2 for a wrong option.
			RABBIT_RETRY_BROKER_VERSION=4.3 asks for another broker; src/testbed/README.md has all such settings.
			""".formatted(PAYMENTS, OUTAGE.toSeconds());

	private OutageDemo() {
	}

	/**
	 * Runs the demo.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		System.exit(run(Arrays.asList(arguments), System.out, Boolean.getBoolean("demo.terminal")));
	}

	static int run(List<String> arguments, PrintStream out, boolean terminal) {
		if (!arguments.isEmpty()) {
			boolean help = arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"));
			if (!help) {
				out.println("unknown option '%s'".formatted(String.join(" ", arguments)));
			}
			out.print(USAGE);
			return help ? 0 : 2;
		}
		ProgressPrinter progress = new ProgressPrinter(out, terminal);
		progress.line("Starting a broker, a payment gateway and the worker ...");
		try (DrillEnvironment environment = DrillEnvironment.open(progress)) {
			progress.line("  " + environment.description());
			Findings findings = new Findings(progress::line);
			progress.line("");
			progress.line("1. %d payments and an outage of %d s, without outage mode".formatted(PAYMENTS,
					OUTAGE.toSeconds()));
			outage(environment, "without");
			findings.equal("parked", (long) PAYMENTS, environment.operator().parkedNow());
			findings.tell("requests that the gateway refused: %d".formatted(environment.gateway().refusals()));
			progress.line("");
			progress.line("2. The same with %s".formatted(String.join(" ", MODE)));
			environment.worker().stop();
			environment.worker().start(MODE);
			int before = environment.gateway().refusals();
			outage(environment, "with");
			environment.await(() -> handled(environment, "with") == PAYMENTS);
			findings.equal("handled", (long) PAYMENTS, handled(environment, "with"));
			findings.equal("still the parked ones of the first outage, and no other", (long) PAYMENTS,
					environment.operator().parkedNow());
			double probes = environment.operator().metric("rabbit_retry_outage_probes_total", "payment-gateway");
			findings.add("probes, at most 3 that fail and 5 that succeed, and one more", probes, probes <= 9);
			findings.tell("requests that the gateway refused: %d".formatted(environment.gateway().refusals() - before));
			return findings.wrong().isEmpty() ? 0 : 1;
		}
		catch (IOException | TimeoutException | RuntimeException ex) {
			progress.line("");
			progress.line(String.valueOf((ex.getMessage() != null) ? ex.getMessage() : ex));
			return 1;
		}
	}

	private static void outage(DrillEnvironment environment, String prefix) throws IOException {
		environment.gateway().down(true);
		long end = System.nanoTime() + OUTAGE.toNanos();
		Map<String, String> payments = new LinkedHashMap<>();
		for (int i = 0; i < PAYMENTS; i++) {
			payments.put(id(prefix, i), DrillEnvironment.payment(id(prefix, i), "tok_ok"));
		}
		environment.publish(DrillEnvironment.PAYMENT, payments);
		while (System.nanoTime() < end) {
			environment.progress()
				.progress("  the gateway is down for another %d s, %d requests refused".formatted(
						TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime()), environment.gateway().refusals()));
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
		}
		environment.gateway().down(false);
	}

	private static long handled(DrillEnvironment environment, String prefix) {
		long handled = 0;
		for (int i = 0; i < PAYMENTS; i++) {
			handled += environment.handled().events(id(prefix, i)).isEmpty() ? 0 : 1;
		}
		return handled;
	}

	private static String id(String prefix, int number) {
		return "outage-%s-%d".formatted(prefix, number);
	}

}
