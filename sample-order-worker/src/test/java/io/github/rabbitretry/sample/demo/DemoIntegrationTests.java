/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The demo as a user runs it, with fewer orders.
 */
class DemoIntegrationTests {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	@Test
	void everyOrderIsAccountedFor() {
		everyOrderIsAccountedFor("--orders", "300");
		assertThat(output()).doesNotContain("not examined");
	}

	@Test
	void everyOrderIsAccountedForWithTheExportedPermissionsAlone() {
		everyOrderIsAccountedFor("--orders", "300", "--least-privilege");
	}

	private void everyOrderIsAccountedFor(String... arguments) {
		int status = demo(arguments);
		assertThat(output()).contains("Loss accounting: sent 300 = handled 287 + parked 13, nothing lost")
			.containsPattern("kills the consumer +1 +0 +1 +0 +parked DELIVERY_LIMIT +yes")
			.containsPattern("lock conflict, heals locally +12 +12 +0 +0 +handled +yes")
			.containsPattern("gateway timeout, heals after 3 +6 +6 +0 +18 +handled after 3 retries +yes")
			.containsPattern("malformed JSON +3 +0 +3 +0 +parked DESERIALIZATION_FAILED +yes")
			.contains("replay-", "FINISHED, of 3 messages 3 succeeded", "STOPPED, of 3 messages 0 succeeded")
			.containsPattern("gateway slower than its timeout +3 +3 +0 +0 +handled +yes")
			.containsPattern("malformed JSON +3 +0 +0 +3 +discarded DESERIALIZATION_FAILED +yes")
			.contains(
					"Loss accounting: sent 300 = handled 293 + parked 4 + discarded 3, each replayed message handled once")
			// one that was being parked when the worker was killed is there twice
			.containsPattern("[4-6] are parked, [789] replayed, [3-5] discarded")
			// what a dry run counted, and no more
			.containsPattern("\"reason\":\"DESERIALIZATION_FAILED\",\"expect\":[3-5],")
			.containsPattern("\"reason\":\"ILLEGAL_BUSINESS_TRANSITION\",\"expect\":[3-5],")
			.containsPattern("replay --reason ILLEGAL_BUSINESS_TRANSITION --expect [3-5] ")
			.contains("examined by management API")
			.containsPattern("console +http://127.0.0.1:[0-9]+/actuator/retryconsole")
			.containsPattern("export RABBIT_RETRY_URL=http://127.0.0.1:[0-9]+/actuator")
			.contains("retry-starter/cli/rabbit-retry waiting", "retry-starter/cli/rabbit-retry parked groups",
					"--dry-run", "retry-starter/cli/rabbit-retry jobs show --latest")
			.doesNotContain("WRONG");
		assertThat(status).isZero();
	}

	@Test
	void whatIsParkedIsLeftToTheUser() throws Exception {
		AtomicInteger status = new AtomicInteger(-1);
		Thread demo = new Thread(() -> status.set(demo("--hands-on", "--orders", "300")));
		demo.start();
		Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.until(() -> output().contains("What to try on the command line") || !demo.isAlive());
		demo.interrupt();
		demo.join();
		assertThat(status).hasValue(0);
		assertThat(output()).contains("The fix: a release that knows schema 3", "Where to look next, until Ctrl-C")
			.containsPattern("replay --reason RETRY_BUDGET_EXHAUSTED --expect [3-5] --because HANDLER_FIXED\n"
					+ "(.*)replay --reason UNSUPPORTED_SCHEMA_VERSION --expect [3-5] --because HANDLER_FIXED\n"
					+ "# not fixed: the canary stops it\n")
			.containsPattern("replay --reason ILLEGAL_BUSINESS_TRANSITION --expect [3-5] ")
			.doesNotContain("FINISHED", "discarded");
	}

	@Test
	void helpIsGivenWithoutABroker() {
		assertThat(demo("--help")).isZero();
		assertThat(output()).startsWith("usage: sample-order-worker/demo");
	}

	@Test
	void aWrongOptionIsAnsweredWithTheUsage() {
		assertThat(demo("--fast")).isEqualTo(2);
		assertThat(output()).startsWith("unknown option '--fast'").contains("usage:");
	}

	private int demo(String... arguments) {
		return Demo.run(List.of(arguments), new PrintStream(this.bytes, true, StandardCharsets.UTF_8), false);
	}

	private String output() {
		return this.bytes.toString(StandardCharsets.UTF_8);
	}

}
