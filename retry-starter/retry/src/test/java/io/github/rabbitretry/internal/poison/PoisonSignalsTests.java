/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.internal.policy.PoisonSettings;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The signs of poison, under a virtual clock: at least 20 failures within 5 minutes, of
 * which 80 % have something in common.
 */
class PoisonSignalsTests {

	private final List<PoisonSignal> told = new ArrayList<>();

	private Instant now = Instant.parse("2026-07-01T12:00:00Z");

	private final PoisonSignals all = new PoisonSignals(
			List.of(TestPolicy.order().poison(new PoisonSettings(0, 0.8, 20, Duration.ofMinutes(5))).build()),
			new VersionHeaderNames("x-schema-version", "x-producer-version"), this.told::add, () -> this.now);

	private final PoisonDetector signals = this.all.of("Order");

	@Test
	void aFingerprintThatDominatesTheFailuresIsASign() {
		fail(4, "other", null);
		fail(15, "same", null);
		assertThat(this.told).as("19 failures").isEmpty();
		fail(1, "same", null);
		assertThat(this.told).containsExactly(
				new PoisonSignal("Order", "team-orders", PoisonSignal.Kind.FINGERPRINT, "same", 0.8, 20, this.now));
	}

	@Test
	void failuresThatHaveNothingInCommonAreNone() {
		for (int i = 0; i < 1000; i++) {
			fail(1, "fingerprint " + i % 2, "v" + i % 3);
			succeed(1, "v" + i % 3);
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	void itIsToldOnceInAWindow() {
		fail(500, "same", null);
		assertThat(this.told).hasSize(1);
		this.now = this.now.plus(Duration.ofMinutes(5));
		fail(20, "same", null);
		assertThat(this.told).hasSize(2);
	}

	@Test
	void failuresOfLongAgoCountNoMore() {
		fail(19, "same", null);
		this.now = this.now.plus(Duration.ofMinutes(5));
		fail(19, "same", null);
		assertThat(this.told).isEmpty();
	}

	@Test
	void aVersionThatFailsWhileOthersSucceedIsASign() {
		failDifferently(20, "v2");
		assertThat(this.signals.suspicious()).isTrue();
		succeed(19, "v1");
		failDifferently(1, "v2");
		assertThat(this.told).as("too few successes to compare with").isEmpty();
		succeed(1, "v1");
		failDifferently(1, "v2");
		assertThat(this.told).extracting(PoisonSignal::kind, PoisonSignal::value, PoisonSignal::share)
			.containsExactly(tuple(PoisonSignal.Kind.SCHEMA_VERSION, "v2", 1.0));
	}

	@Test
	void aVersionThatIsSimplyAllTheTrafficIsNone() {
		for (int i = 0; i < 200; i++) {
			failDifferently(1, "v1");
			succeed(3, "v1");
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	void aVersionThatFailsAsOftenAsItSucceedsIsNone() {
		for (int i = 0; i < 100; i++) {
			failDifferently(9, "v1");
			failDifferently(1, "v2");
			succeed(9, "v1");
			succeed(1, "v2");
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	void whereNothingSucceedsAVersionCannotBeBlamed() {
		failDifferently(500, "v1");
		assertThat(this.told).isEmpty();
	}

	@Test
	void successesAreLookedAtOnlyWhileAVersionIsSuspected() {
		fail(100, "same", null);
		assertThat(this.signals.suspicious()).isFalse();
		failDifferently(4000, "v1");
		assertThat(this.signals.suspicious()).isTrue();
		this.now = this.now.plus(Duration.ofMinutes(6));
		succeed(1, "v1");
		assertThat(this.signals.suspicious()).isFalse();
	}

	@Test
	void producersAreTakenByTheirWordWhateverItsTypeAndLength() {
		Map<String, Object> failing = new HashMap<>(Map.of("x-producer-version", "p".repeat(10_000)));
		failing.put("x-schema-version", List.of(7));
		for (int i = 0; i < 20; i++) {
			this.signals.failed(() -> "f", failing);
		}
		for (int i = 0; i < 20; i++) {
			this.signals.succeeded(Map.of("x-producer-version", 7));
			this.signals.succeeded(null);
		}
		int[] count = new int[1];
		this.signals.failed(() -> "other " + count[0]++, failing);
		assertThat(this.told).filteredOn((signal) -> signal.kind() == PoisonSignal.Kind.PRODUCER_VERSION)
			.singleElement()
			.satisfies((signal) -> assertThat(signal.value()).hasSize(64).startsWith("ppp"));
	}

	@Test
	void aFloodOfValuesNeitherFillsMemoryNorHidesTheDominantOne() {
		for (int i = 0; i < 900; i++) {
			fail(1, (i % 10 == 0) ? "rare " + i : "same", null);
		}
		assertThat(this.told).extracting(PoisonSignal::value).containsExactly("same");
	}

	@Test
	void veryManyFailuresAreSampled() {
		int[] asked = new int[1];
		int counted = 0;
		for (int i = 0; i < 200_000; i++) {
			counted += this.signals.failed(() -> "same" + asked[0]++ % 2, null) ? 1 : 0;
		}
		assertThat(asked[0]).isEqualTo(10_000 + 90_000 / 10 + 100_000 / 100).isEqualTo(counted);
	}

	@Test
	void aCrashLoopIsASignAtOnceAndOnceForAllWhoMayBeToBlame() {
		this.signals.crashing();
		this.signals.crashing();
		this.signals.blamed("m-1");
		this.signals.blamed("m-1");
		this.signals.blamed(null);
		assertThat(this.told).extracting(PoisonSignal::value).containsExactly("", "m-1", "none");
		assertThat(this.told).extracting(PoisonSignal::kind).containsOnly(PoisonSignal.Kind.CRASH_LOOP);
	}

	private void fail(int times, String fingerprint, String schema) {
		for (int i = 0; i < times; i++) {
			this.signals.failed(() -> fingerprint, headers(schema));
		}
	}

	private int different;

	private void failDifferently(int times, String schema) {
		for (int i = 0; i < times; i++) {
			fail(1, "fingerprint " + this.different++, schema);
		}
	}

	private void succeed(int times, String schema) {
		for (int i = 0; i < times; i++) {
			if (this.signals.suspicious()) {
				this.signals.succeeded(headers(schema));
			}
		}
	}

	private static Map<String, Object> headers(String schema) {
		return (schema != null) ? Map.of("x-schema-version", schema) : Map.of();
	}

}
