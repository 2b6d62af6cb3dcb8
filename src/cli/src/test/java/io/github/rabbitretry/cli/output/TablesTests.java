/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class TablesTests {

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text);
	}

	@Test
	void messagesAreRows() {
		assertThat(ParkedTables.messages(
				json("""
						{"messages":[{"id":5,"state":"PARKED","queue":"order","messageType":"Order","owner":"team-orders",
						"reason":"VALIDATION_FAILED","failureClass":"permanent-business","parkedAt":"2026-07-01T12:00:00.123456Z",
						"attempts":12,"messageId":"m-1"},{"id":17,"state":"REPLAYED","attempts":4}]}"""),
				false))
			.isEqualTo(
					"""
							ID  STATE     PARKED AT             QUEUE  TYPE   OWNER        REASON             CLASS               TRIES  MESSAGE ID
							5             2026-07-01T12:00:00Z  order  Order  team-orders  VALIDATION_FAILED  permanent-business     12  m-1
							17  REPLAYED                                                                                              4
							""");
	}

	@Test
	void noMessagesAreNoRows() {
		assertThat(ParkedTables.messages(json("{\"messages\":[]}"), false)).isEmpty();
	}

	@Test
	void longCellsAreCutUnlessTheyAreWanted() {
		JsonNode answer = json("{\"messages\":[{\"id\":1,\"messageId\":\"" + "x".repeat(50) + "\"}]}");
		assertThat(ParkedTables.messages(answer, false)).contains("x".repeat(39) + "…").doesNotContain("x".repeat(40));
		assertThat(ParkedTables.messages(answer, true)).contains("x".repeat(50));
	}

	@Test
	void whatMessagesSayReachesNoTerminal() {
		String evil = "\\u001b]0;owned\\u0007\\u202e\\r\\n";
		JsonNode message = json(
				"""
						{"message":{"id":1,"reason":"%1$s"},"properties":{"%1$s":"%1$s"},"headers":{"x-%1$s":"%1$s"},
						"hiddenHeaders":["%1$s"],"payload":{"state":"WHOLE","size":3,"encoding":"text","content":"a\\nb%1$s"}}"""
					.formatted(evil));
		assertThat(ParkedTables.message(message)).doesNotContain("\u001b", "\u0007", "\u202e", "\r")
			.contains("\\u001b]0;owned\\u0007\\u202e", "a\nb");
		JsonNode row = json(
				"{\"messages\":[{\"id\":1,\"reason\":\"%1$s\"}],\"groups\":[{\"count\":1,\"exception\":\"%1$s\"}],"
					.formatted(evil)
						+ "\"entries\":[{\"id\":1,\"reason\":\"%1$s\"}],\"replays\":[{\"replay\":{\"selection\":\"%1$s\"}}]}"
							.formatted(evil));
		assertThat(ParkedTables.messages(row, true) + ParkedTables.groups(row, true) + ReplayTables.audit(row, true)
				+ ReplayTables.jobs(row, true))
			.doesNotContain("\u001b", "\u0007", "\u202e", "\r")
			.hasLineCount(8);
	}

	@Test
	void jsonStaysAsItIsAndObeysNobody() {
		String text = Json.text(json("{\"a\":[1,2.5,9007199254740990,null,true],\"b\":\"\\u001b\\u009b\\u202eü\"}"));
		assertThat(json(text))
			.isEqualTo(json("{\"a\":[1,2.5,9007199254740990,null,true],\"b\":\"\\u001b\\u009b\\u202eü\"}"));
		assertThat(text.chars()).allMatch((character) -> character == '\n' || (character >= ' ' && character < 127));
	}

	@Test
	void aDryRunTellsItsCautions() {
		assertThat(ReplayTables.dryRun(
				json("""
						{"dryRun":{"matching":4,"replayable":3,"wouldReplay":2,"payloadMissing":1,"queueUnknown":0,
						"groups":[{"fingerprint":"f","count":4,"queue":"order","ifItFailsAlike":"RETRY","findings":["NO_LISTENER_HERE"]}],
						"ages":[{"upTo":"PT1H","count":1},{"count":3}],"cautions":["Nobody listens."]}}"""),
				false))
			.isEqualTo("""
					matching         4
					replayable       3
					would replay     2
					payload missing  1
					queue unknown    0

					COUNT  FINGERPRINT  QUEUE  IF IT FAILS ALIKE  FINDINGS
					    4  f            order  RETRY              NO_LISTENER_HERE

					PARKED WITHIN  COUNT
					PT1H               1
					longer ago         3

					Caution: Nobody listens.
					""");
	}

}
