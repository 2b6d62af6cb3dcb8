/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.parking.scan.ParkingLotWindow;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoints without a ledger.
 */
class WindowEndpointsIntegrationTests extends EndpointContract {

	@Override
	String queue() {
		return "endpoint.window";
	}

	@Override
	List<String> properties() {
		return List.of("rabbit-retry.ledger.enabled=false", "rabbit-retry.scan.window=100");
	}

	@Override
	void awaitParked(int count) {
		await().atMost(Duration.ofSeconds(30)).until(() -> this.broker.ready(parkingLot()) == count);
	}

	@Override
	List<String> parked() {
		return bean(ParkingLotWindow.class).look(ParkedFilter.ALL, Set.of())
			.search(ParkedFilter.ALL, null, 1000)
			.messages()
			.stream()
			.map(ParkedSummary::messageId)
			.toList();
	}

	/** Without a ledger everything about replays is refused alike. */
	@Override
	int unknownReplay() {
		return 400;
	}

	@Override
	void clear() {
		this.broker.drain(parkingLot());
	}

	@Test
	void everyAnswerSaysWhatItDoesNotKnow() {
		JsonNode list = this.closed.get("parkinglot").json();
		JsonNode window = list.path("windows").path(0);
		assertThat(window.path("queue").asString()).isEqualTo(queue());
		assertThat(window.path("examined").asLong()).isEqualTo(5);
		assertThat(window.path("parked").asLong()).isEqualTo(5);
		assertThat(window.path("complete").asBoolean()).isTrue();
		assertThat(list.path("note").asString()).startsWith("There is no ledger");
		assertThat(this.closed.get("parkinglot/groups").json().path("note").asString()).contains("no ledger");
		assertThat(this.closed.get("replays").json().path("note").asString()).contains("no ledger");
		assertThat(this.closed.get("replays/audit").error()).contains("need the ledger");
		assertThat(this.closed.get("parkinglot/groups?newSince=order-worker:2").error()).contains("needs a ledger");
	}

	@Test
	void whatChangesMessagesNeedsTheLedger() {
		Map<String, String> all = Map.of("all", "true", "expect", "5", "user", "ops", "because", "TEST");
		assertThat(List.of(this.open.post("parkinglot/discard", all), this.open.post("parkinglot/restore", all),
				this.open.delete("parkinglot/" + id("m1") + "?user=ops&because=TEST"), this.open.post("replays", all),
				this.closed.get("replays/dry-run?ids=" + id("m1") + "&user=ops&because=TEST"),
				this.closed.get("replays/audit"), this.closed.get("replays/replay-20260701-1"),
				this.open.post("replays/edit",
						Map.of("id", String.valueOf(id("m1")), "body", "{}", "user", "ops", "because", "TEST"))))
			.allSatisfy((answer) -> {
				assertThat(answer.status()).isEqualTo(400);
				assertThat(answer.error()).contains("need the ledger", "DataSource");
			});
		assertThat(parked()).hasSize(5);
		assertThat(this.broker.ready(queue())).isZero();
	}

}
