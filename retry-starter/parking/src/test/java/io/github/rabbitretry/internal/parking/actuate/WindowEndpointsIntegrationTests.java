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

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.parking.scan.ParkingLotWindow;
import io.github.rabbitretry.it.TestBroker;
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
		assertThat(this.closed.get("replays/audit").error()).contains("Without a ledger");
		assertThat(this.closed.get("parkinglot/groups?newSince=order-worker:2").error()).contains("needs a ledger");
		assertThat(this.open
			.post("replays", Map.of("all", "true", "expect", "5", "rate", "10", "user", "ops", "because", "TEST"))
			.error()).contains("maximum only");
	}

	@Test
	void moreThanExpectedAreRefusedAndATokenIsEnough() {
		Map<String, String> who = Map.of("user", "ops", "because", "TEST");
		Http.Answer refused = this.open.post("parkinglot/discard?all=true&expect=4", who);
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.error()).contains("5 messages match now, 4 were expected");
		assertThat(this.open.post("replays?all=true&expect=4", who).status()).isEqualTo(409);
		assertThat(this.open.post("parkinglot/restore?all=true&expect=4", who).error()).contains("is gone");
		assertThat(parked()).hasSize(5);
		JsonNode preview = this.open.post("parkinglot/discard?all=true&dryRun=true", who).json().path("preview");
		assertThat(preview.path("owners").propertyNames()).isNotEmpty();
		assertThat(this.open.post("parkinglot/discard?all=true&expect=" + preview.path("token").asString(), who)
			.json()
			.path("discarded")
			.asLong()).isEqualTo(5);
		assertThat(parked()).isEmpty();
	}

	@Test
	void aDryRunOfOneMessageTellsOfThatMessageOnly() {
		JsonNode tried = this.closed.get("replays/dry-run?ids=" + id("m1") + "&user=ops&because=TEST").json();
		assertThat(tried.path("window").path("matching").asLong()).isOne();
		assertThat(tried.path("groups").valueStream()).hasSize(1);
		assertThat(tried.path("groups").path(0).path("count").asLong()).isOne();
		assertThat(tried.path("preview").path("samples").valueStream()).hasSize(1);
	}

	@Test
	void aReplayIsTriedAndDone() {
		String selection = "fingerprint=f-timeout&expect=9&maximum=2&user=ops&because=HANDLER_FIXED";
		JsonNode tried = this.closed.get("replays/dry-run?" + selection).json();
		assertThat(tried.path("window").path("matching").asLong()).isEqualTo(3);
		assertThat(tried.path("window").path("done").asLong()).isEqualTo(2);
		assertThat(tried.path("groups").path(0).path("count").asLong()).isEqualTo(3);
		assertThat(parked()).hasSize(5);
		JsonNode done = this.open.post("replays?" + selection, Map.of()).json();
		assertThat(done.path("window").path("done").asLong()).isEqualTo(2);
		assertThat(done.path("window").path("kept").asLong()).isOne();
		List<GetResponse> replayed = this.broker.drain(queue());
		assertThat(messageIds(replayed)).containsExactly("m0", "m1");
		assertThat(TestBroker.text(replayed.get(0))).containsEntry("x-replayed-by", "ops")
			.containsEntry("x-replay-id", done.path("window").path("replayId").asString());
		assertThat(parked()).containsExactly("m4", "m3", "m2");
	}

}
