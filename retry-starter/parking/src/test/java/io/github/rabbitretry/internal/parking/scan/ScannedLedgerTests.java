/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

class ScannedLedgerTests {

	private static final Instant NOON = Instant.parse("2026-07-01T12:00:00Z");

	private final ScannedLedger ledger = new ScannedLedger(List.of(message(1, NOON, "f1", "worker:1"),
			message(2, NOON, "f2", "worker:1"), message(3, NOON.plusSeconds(1), "f1", "worker:2")), Map.of(),
			List.of());

	static ParkedSummary message(long id, Instant parkedAt, String fingerprint, String version) {
		return new ParkedSummary(id, ParkedState.PARKED, "order", "Order", "team-orders", "DOWNSTREAM_TIMEOUT", null,
				"transient", fingerprint, "com.acme.Gone <- java.net.SocketException", null, version, "worker",
				"m" + id, "c1", null, "a" + id, "v1", null, 4, parkedAt, parkedAt, parkedAt, "replay-1",
				PayloadState.WHOLE, "hash",
				new FailureCause("c-" + fingerprint, "java.net.SocketException", "Über die Leitung"), null);
	}

	@Test
	void pagesBeginWhereTheOneBeforeEnded() {
		ParkedPage first = this.ledger.search(ParkedFilter.ALL, null, 2);
		assertThat(first.messages()).extracting(ParkedSummary::id).containsExactly(3L, 2L);
		assertThat(first.next()).isEqualTo(new ParkedPage.PageKey(NOON, 2));
		ParkedPage second = this.ledger.search(ParkedFilter.ALL, first.next(), 2);
		assertThat(second.messages()).extracting(ParkedSummary::id).containsExactly(1L);
		assertThat(second.next()).isNull();
	}

	@Test
	void sizesOutOfRangeAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.ledger.search(ParkedFilter.ALL, null, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.ledger.groups(ParkedFilter.ALL, 1001));
	}

	@Test
	void groupsAreLargestFirstAndTellOfTheLastParked() {
		List<FailureGroup> groups = this.ledger.groups(ParkedFilter.ALL, 10);
		assertThat(groups).extracting(FailureGroup::fingerprint).containsExactly("f1", "f2");
		assertThat(groups.get(0).count()).isEqualTo(2);
		assertThat(groups.get(0).firstParkedAt()).isEqualTo(NOON);
		assertThat(groups.get(0).lastParkedAt()).isEqualTo(NOON.plusSeconds(1));
		assertThat(groups.get(0).handlerVersions()).containsExactly("worker:1", "worker:2");
	}

	@Test
	void totalsAreLargestFirst() {
		assertThat(this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.HANDLER_VERSION, 10))
			.extracting(FailureGroup.Total::value, FailureGroup.Total::count, FailureGroup.Total::causes)
			.containsExactly(tuple("worker:1", 2L, 2L), tuple("worker:2", 1L, 1L));
		assertThat(this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.SCHEMA_VERSION, 1))
			.containsExactly(new FailureGroup.Total("v1", 3, 2, NOON, NOON.plusSeconds(1)));
	}

	@ParameterizedTest
	@MethodSource("filters")
	void aFilterMatchesWhatItNamesAndNothingElse(ParkedFilter matches, ParkedFilter doesNot) {
		ParkedSummary message = message(1, NOON, "f1", "worker:1");
		assertThat(ParkedMatch.matches(matches, message)).isTrue();
		assertThat(ParkedMatch.matches(doesNot, message)).isFalse();
	}

	static Stream<Arguments> filters() {
		ParkedFilter all = ParkedFilter.ALL;
		return Stream.of(Arguments.of(all.withQueue("order"), all.withQueue("Order")),
				Arguments.of(all.withMessageType("Order"), all.withMessageType("Ord")),
				Arguments.of(all.withReason("DOWNSTREAM_TIMEOUT"), all.withReason("%")),
				Arguments.of(all.withFailureClass("transient"), all.withFailureClass("poison")),
				Arguments.of(all.withFingerprint("f1"), all.withFingerprint("f2")),
				Arguments.of(all.withOwner("team-orders"), all.withOwner("")),
				Arguments.of(all.withHandlerVersion("worker:1"), all.withHandlerVersion("worker:2")),
				Arguments.of(all.withCorrelationId("c1"), all.withCorrelationId("c2")),
				Arguments.of(all.withAggregateId("a1"), all.withAggregateId("a2")),
				Arguments.of(all.withSchemaVersion("v1"), all.withSchemaVersion("V1")),
				Arguments.of(all.withMessageId("m1"), all.withMessageId("m2")),
				Arguments.of(all.withReplayId("replay-1"), all.withReplayId("replay-2")),
				Arguments.of(all.withState(ParkedState.PARKED), all.withState(ParkedState.REPLAYED)),
				Arguments.of(all.withPayload(PayloadState.WHOLE), all.withPayload(PayloadState.MASKED)),
				Arguments.of(all.withParkedFrom(NOON), all.withParkedFrom(NOON.plusMillis(1))),
				Arguments.of(all.withParkedBefore(NOON.plusMillis(1)), all.withParkedBefore(NOON)),
				Arguments.of(all.withText("stream_TIME"), all.withText("stream.time")),
				Arguments.of(all.withText("oRd"), all.withText("ord%")),
				Arguments.of(all.withText("SocketException"), all.withText("reset")),
				Arguments.of(all.withText("ÜBER die"), all.withText("uber die")));
	}

}
