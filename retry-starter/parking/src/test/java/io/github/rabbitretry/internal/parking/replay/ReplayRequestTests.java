/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.Selection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ReplayRequestTests {

	private static final OperatorAction ACT = new OperatorAction("ops", "fixed");

	@ParameterizedTest
	@MethodSource
	void aWrongValueIsRefusedWithItsBound(ThrowingCallable call, String message) {
		assertThatExceptionOfType(ReplayRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ReplayRefusedException.Kind.INVALID))
			.withMessageContaining(message);
	}

	static Stream<Arguments> aWrongValueIsRefusedWithItsBound() {
		ReplayOptions good = ReplayOptions.careful(1);
		return Stream.of(call(() -> ReplayOptions.careful(0), "maximum is 0. It must be 1 or more."),
				call(() -> good.withRate(0.0, Duration.ZERO), "rate is 0.0. It must be positive"),
				call(() -> ReplayOptions.careful(100_000_001), "maximum is 100000001. It must be at most 100000000."),
				call(() -> good.withRate(1e-300, Duration.ZERO), "rate is 1.0E-300. It must be at least 0.01"),
				call(() -> good.withRate(Double.MAX_VALUE, Duration.ZERO), "rate is 1.7976931348623157E308"),
				call(() -> good.withRate(Double.POSITIVE_INFINITY, Duration.ZERO), "rate is Infinity"),
				call(() -> good.withRate(1.0, Duration.ofSeconds(Long.MAX_VALUE)), "ramp is PT"),
				call(() -> good.withCanary(10_001, Duration.ofSeconds(1)), "canary is 10001"),
				call(() -> good.withAbort(1, Integer.MAX_VALUE), "abortMinimum is 2147483647. It must be at most"),
				call(() -> new DiscardRequest(Selection.of(ParkedFilter.ALL), Long.MAX_VALUE, false, ACT),
						"maximum is 9223372036854775807. It must be at most"),
				call(() -> good.withRate(Double.NaN, Duration.ZERO), "rate is NaN"),
				call(() -> good.withRate(-1.0, Duration.ZERO), "rate is -1.0"),
				call(() -> good.withRate(1.0, Duration.ofSeconds(-1)), "ramp is PT-1S"),
				call(() -> good.withRate(null, Duration.ofSeconds(1)), "ramp has no rate to grow to"),
				call(() -> good.withCanary(-1, Duration.ofSeconds(1)), "canary is -1"),
				call(() -> good.withCanary(1, Duration.ZERO), "canaryTimeout is PT0S"),
				call(() -> good.withAbort(101, 1), "abortPercent is 101.0"),
				call(() -> good.withAbort(Double.NaN, 1), "abortPercent is NaN"),
				call(() -> good.withAbort(1, 0), "abortMinimum is 0"),
				call(() -> good.withTarget("t").withCanary(1, Duration.ofSeconds(1)), "canary is 1 with a target"),
				call(() -> good.withMove("t").withCanary(1, Duration.ofSeconds(1)), "canary is 1 with a target"),
				call(() -> new ReplayOptions(1, null, Duration.ZERO, 0, Duration.ofSeconds(1), 100, 1, null, true),
						"move has no target. Name the queue to move to as target."),
				call(() -> good.withTarget("a\nb"), "target has the control character U+000A"),
				call(() -> new OperatorAction("", "fixed"), "user is missing"),
				call(() -> new OperatorAction("ops\r\nx-replayed: true", "fixed"),
						"user has the control character U+000D"),
				call(() -> new OperatorAction("ops", "\u0000"), "reason has the control character U+0000"),
				call(() -> new OperatorAction("ops", "\u202Edexif"), "reason has the control character U+202E"),
				call(() -> new OperatorAction("o".repeat(129), "fixed"), "user has 129 bytes"),
				call(() -> new OperatorAction("ops", "\u00E4".repeat(128)), "reason has 256 bytes"),
				call(() -> Selection.of(ParkedFilter.ALL.withReason("r".repeat(256))), "filter's reason has 256 bytes"),
				call(() -> Selection.of(ParkedFilter.ALL.withText("t".repeat(256))), "filter's text has 256 bytes"),
				call(() -> Selection.of(ParkedFilter.ALL.withCause("c".repeat(4_001))),
						"filter's cause has 4001 bytes"),
				call(() -> Selection.of(ParkedFilter.ALL.withState(ParkedState.REPLAYED)),
						"asks for the state REPLAYED"),
				call(() -> Selection.of(List.of()), "ids are none"),
				call(() -> Selection.of(LongStream.range(0, 1_001).boxed().toList()), "ids are 1001"),
				call(() -> new DiscardRequest(Selection.of(ParkedFilter.ALL), 0, false, ACT), "maximum is 0"),
				call(() -> edit(Map.of(), Set.of()), "edit changes nothing"),
				call(() -> edit(Map.of("x-app-retry-attempt", 0), Set.of()), "is not the producer's"),
				call(() -> edit(Map.of("x-death", "none"), Set.of()), "is not the producer's"),
				call(() -> edit(Map.of(), Set.of("x-replay-id")), "is not the producer's"),
				call(() -> edit(Map.of("CC", "other"), Set.of()), "is not the producer's"),
				call(() -> edit(Map.of("a b", "c"), Set.of()), "header name has other characters"),
				call(() -> edit(Map.of("tenant", "a\r\nb"), Set.of()), "has the control character U+000D"),
				call(() -> edit(Map.of("tenant", List.of()), Set.of()), "Set texts, numbers or booleans."),
				call(() -> new EditRequest(1, new byte[EditRequest.LARGEST_BODY + 1], Map.of(), Set.of(), ACT),
						"body has 16777217 bytes"));
	}

	private static Arguments call(ThrowingCallable call, String message) {
		return arguments(call, message);
	}

	private static EditRequest edit(Map<String, Object> set, Set<String> remove) {
		return new EditRequest(1, null, set, remove, ACT);
	}

	@Test
	void aSelectionIsToldInWords() {
		assertThat(Selection.of(ParkedFilter.ALL)).hasToString("all");
		assertThat(Selection.of(ParkedFilter.ALL.withQueue("order").withReason("EXPIRED")))
			.hasToString("queue=order, reason=EXPIRED");
		assertThat(Selection.of(ParkedFilter.ALL.withText("timed out"))).hasToString("text=timed out");
		String causes = "0123456789ab,".repeat(200) + "c";
		assertThat(Selection.of(ParkedFilter.ALL.withCause(causes))).hasToString("cause=" + causes);
		assertThat(Selection.of(List.of(1L, 2L))).hasToString("ids=[1, 2]");
	}

	@Test
	void theShareOfMessagesParkedAgainCountsOnceThereAreEnough() {
		ReplayJob.Counts counts = new ReplayJob.Counts(100, 90, 0, 0, 0, 7, 3, 0, 0, 0, 0);
		assertThat(counts.parkedAgainAbove(29, 10)).isTrue();
		assertThat(counts.parkedAgainAbove(30, 10)).isFalse();
		assertThat(counts.parkedAgainAbove(29, 11)).isFalse();
	}

}
