/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.listener.RecordingChannel;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code poison.quarantine-after}: messages whose consumers died.
 */
class CrashLoopDetectorTests {

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@ParameterizedTest
	@CsvSource({ "2, 1, 1", "2, 2, 0", "2, 3, 0", "1, 1, 0", "0, 1000, 1" })
	void aMessageThatConsumersDiedWithIsNotHandledHere(int after, long count, int calls) {
		start(after);
		this.owned.deliver("order", Map.of("x-delivery-count", count), true);
		assertThat(this.owned.calls()).isEqualTo(calls);
		assertThat(this.owned.channel().settled()).containsExactly("ack");
	}

	@Test
	void itIsHandedOverToTheQuarantineWithoutWhatTheBrokerCounted() {
		start(2);
		Map<String, Object> headers = new HashMap<>(Map.of("x-delivery-count", 2L, "x-acquired-count", 3L, "tenant", 7,
				"x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-retry-reason",
				"LOCK_CONFLICT", "x-app-origin-exchange", "order.command", "x-app-origin-routing-key", "order.create"));
		this.owned.deliver("order", headers, true);
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.exchange()).isEqualTo("order.dlx");
		assertThat(copy.routingKey()).isEqualTo("order.quarantine");
		assertThat(copy.headers()).containsEntry("tenant", 7)
			.containsEntry("x-app-retry-attempt", 1)
			.containsEntry("x-app-retry-reason", "LOCK_CONFLICT")
			.containsEntry("x-app-origin-exchange", "order.command")
			.containsEntry("x-app-origin-routing-key", "order.create")
			.containsEntry("x-app-quarantined-at", "2026-07-01T12:00:00Z")
			.doesNotContainKeys("x-delivery-count", "x-acquired-count");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "postponed", 1, "quarantined", 1));
	}

	@Test
	void aCountThatAClientSentIsNeverRead() {
		start(2);
		this.owned.deliver("order", Map.of("x-delivery-count", 50L), false);
		this.owned.deliver("order", Map.of("x-delivery-count", "50"), true);
		this.owned.deliver("order", Map.of("x-delivery-count", List.of(50L)), true);
		this.owned.deliver("order", Map.of(), true);
		assertThat(this.owned.calls()).isEqualTo(4);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 4, "acknowledged", 4));
	}

	@Test
	void headersThatLeaveNoRoomParkTheMessage() {
		start(2);
		this.owned.deliver("order", Map.of("x-delivery-count", 2L, "huge", "x".repeat(119_000)), true);
		assertThat(this.owned.calls()).isZero();
		assertThat(this.owned.channel().published().get(0).routingKey()).isEqualTo("order.parking-lot");
	}

	private void start(int after) {
		this.owned.start(TestPolicy.order().quarantineAfter(after).build(), (message) -> {
		});
	}

}
