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

	private static final Display EXACT = new Display(false, false);

	private static final Display WIDE = new Display(false, true);

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
				EXACT))
			.isEqualTo(
					"""
							ID  STATE     PARKED AT             QUEUE  TYPE   OWNER        REASON             CLASS               TRIES  MESSAGE ID
							5   PARKED    2026-07-01T12:00:00Z  order  Order  team-orders  VALIDATION_FAILED  permanent-business     13  m-1
							17  REPLAYED                                                                                              5
							""");
	}

	@Test
	void commandsThatHelpAgainstSeveralFindingsAreThereOnce() {
		assertThat(TopologyTables.findings(
				json("""
						{"findings":[{"severity":"ERROR","code":"overflow-wrong","fact":"Queue 'a' has x.","why":"W.","remedy":"R.","commands":["delete a"]},
						{"severity":"ERROR","code":"queue-replica-down","fact":"Queue 'a' is down.","why":"W.","remedy":"R.","commands":["status"]},
						{"severity":"ERROR","code":"queue-replica-down","fact":"Queue 'b' is down.","why":"W.","remedy":"R.","commands":["status"]},
						{"severity":"WARNING","code":"delivery-limit-wrong","fact":"Queue 'a' has y.","why":"W.","remedy":"R.","commands":["delete a"]}]}"""),
				EXACT))
			.isEqualTo("""
					ERROR  overflow-wrong  Queue 'a' has x.
					  W.
					  R.
					    delete a

					ERROR  queue-replica-down  Queue 'a' is down.
					  Queue 'b' is down.
					  W.
					  R.
					    status

					WARNING  delivery-limit-wrong  Queue 'a' has y.
					  W.
					  R.
					    Run the commands above once.
					""");
	}

	@Test
	void noMessagesAreNoRows() {
		assertThat(ParkedTables.messages(json("{\"messages\":[]}"), EXACT)).isEmpty();
	}

	@Test
	void longCellsAreCutUnlessTheyAreWanted() {
		JsonNode answer = json("{\"messages\":[{\"id\":1,\"messageId\":\"" + "x".repeat(50) + "\"}]}");
		assertThat(ParkedTables.messages(answer, new Display(true, false))).contains("x".repeat(39) + "…")
			.doesNotContain("x".repeat(40));
		assertThat(ParkedTables.messages(answer, new Display(true, true))).contains("x".repeat(50));
	}

	@Test
	void nothingIsCutWhereThereIsNoTerminal() {
		JsonNode answer = json("{\"messages\":[{\"id\":1,\"messageId\":\"" + "x".repeat(50) + "\"}]}");
		assertThat(ParkedTables.messages(answer, EXACT)).contains("x".repeat(50));
	}

	@Test
	void whatMessagesSayReachesNoTerminal() {
		String evil = "\\u001b]0;owned\\u0007\\u202e\\r\\n";
		JsonNode message = json(
				"""
						{"message":{"id":1,"reason":"%1$s"},"history":["%1$s"],"properties":{"%1$s":"%1$s"},"headers":{"x-%1$s":"%1$s"},
						"hiddenHeaders":["%1$s"],"payload":{"state":"WHOLE","size":3,"encoding":"text","content":"a\\nb%1$s"}}"""
					.formatted(evil));
		assertThat(ParkedTables.message(message, EXACT)).doesNotContain("\u001b", "\u0007", "\u202e", "\r")
			.contains("\\u001b]0;owned\\u0007\\u202e", "a\nb");
		JsonNode row = json(
				"{\"messages\":[{\"id\":1,\"reason\":\"%1$s\"}],\"groups\":[{\"count\":1,\"cause\":{\"exception\":\"%1$s\",\"text\":\"%1$s\"}}],"
					.formatted(evil)
						+ "\"entries\":[{\"id\":1,\"reason\":\"%1$s\"}],\"replays\":[{\"replay\":{\"selection\":\"%1$s\"}}]}"
							.formatted(evil));
		assertThat(ParkedTables.messages(row, WIDE) + ParkedTables.groups(row, WIDE) + ReplayReports.audit(row, WIDE)
				+ ReplayReports.jobs(row, WIDE))
			.doesNotContain("\u001b", "\u0007", "\u202e", "\r")
			.hasLineCount(8);
	}

	@Test
	void jsonStaysAsItIsAndObeysNobody() {
		String text = JsonOutput
			.text(json("{\"a\":[1,2.5,9007199254740990,null,true],\"b\":\"\\u001b\\u009b\\u202eü\"}"));
		assertThat(json(text))
			.isEqualTo(json("{\"a\":[1,2.5,9007199254740990,null,true],\"b\":\"\\u001b\\u009b\\u202eü\"}"));
		assertThat(text.chars()).allMatch((character) -> character == '\n' || (character >= ' ' && character < 127));
	}

	@Test
	void theHistoryOfAMessageHasALineForEachAttempt() {
		assertThat(ParkedTables.message(
				json("""
						{"message":{"id":1},"history":["2026-07-01T12:00:00Z #1 WHY 10s w","2026-07-01T12:00:10Z #2 WHY parked w"]}"""),
				EXACT))
			.endsWith("\nHistory:\n  2026-07-01T12:00:00Z #1 WHY 10s w\n  2026-07-01T12:00:10Z #2 WHY parked w\n");
		assertThat(ParkedTables.message(json("{\"message\":{\"id\":1},\"history\":[]}"), EXACT))
			.doesNotContain("History");
	}

	@Test
	void theCauseOfAMessageIsShownAsFacts() {
		String shown = ParkedTables.message(
				json("""
						{"message":{"id":17,"attempts":2,"cause":{"id":"34c3","exception":"com.acme.Gone","text":"order # is gone"}}}"""),
				EXACT);
		assertThat(shown).containsPattern("cause +34c3\n")
			.containsPattern("causeException +com.acme.Gone\n")
			.containsPattern("causeText +order # is gone\n")
			.containsPattern("tries +3\n")
			.doesNotContain("{");
	}

	@Test
	void aDryRunTellsItsCautions() {
		assertThat(ReplayReports.dryRun(json("""
				{"dryRun":{"matching":4,"replayable":3,"wouldReplay":2,"payloadMissing":1,"queueUnknown":0,
				"groups":[{"cause":{"id":"c"},"count":4,"queue":"order","onSameFailure":"RETRY",
				"findings":["HANDLER_UNCHANGED"]}],"preview":{"token":"4-a"},
				"ages":[{"upTo":"PT1H","count":1},{"count":3}],"cautions":["Nobody listens."]}}"""), EXACT))
			.isEqualTo("""
					matching         4
					replayable       3
					would replay     2
					payload missing  1
					queue unknown    0
					token            4-a

					COUNT  CAUSE  ON SAME FAILURE  FINDINGS           QUEUE
					    4  c      RETRY            HANDLER_UNCHANGED  order

					PARKED WITHIN  COUNT
					1 h                1
					longer ago         3

					Caution: Nobody listens.
					""");
	}

	@Test
	void durationsAreSaidAsPeopleSayThem() {
		JsonNode job = json(
				"""
						{"replay":{"id":"replay-1","state":"RUNNING","startedAt":"2026-07-01T12:00:00Z",
						"options":{"rate":50.0,"ramp":"PT1M30S","canary":0,"canaryTimeout":"PT26H","move":false},"counts":{"selected":1}}}""");
		assertThat(ReplayReports.job(job, EXACT)).containsPattern("ramp +1 min 30 s\n")
			.containsPattern("canary +0\n")
			.doesNotContain("move")
			.containsPattern("canaryTimeout +26 h\n")
			.containsPattern("started at +2026-07-01T12:00:00Z\n");
	}

	@Test
	void triesCountFromOne() {
		JsonNode once = json("{\"message\":{\"id\":1,\"attempts\":0}}");
		assertThat(ParkedTables.message(once, EXACT)).isEqualTo("id     1\ntries  1\n");
	}

	@Test
	void classesAreNamedWithoutTheirPackages() {
		JsonNode groups = json(
				"{\"groups\":[{\"count\":1,\"cause\":{\"exception\":\"com.acme.order.QuoteExpiredException\"}}]}");
		assertThat(ParkedTables.groups(groups, EXACT)).contains(" QuoteExpiredException").doesNotContain("com.acme");
		assertThat(ParkedTables.groups(groups, WIDE)).contains("com.acme.order.QuoteExpiredException");
	}

	@Test
	void whatWaitsIsShownByTypeAndDelayWithItsReturn() {
		JsonNode answer = json(
				"""
						{"waiting":[{"messageType":"Order","queue":"order.retry.10s","delay":"PT10S","messages":3,
						"backBy":"2026-07-01T12:05:10Z"},{"messageType":"Order","queue":"order.retry.5m","delay":"PT5M","messages":0},
						{"queue":"rabbit-retry.delay.v1.16s","delay":"PT16S","messages":1,"backBy":"2026-07-01T12:05:31Z"}],
						"parked":[{"messageType":"Order","owner":"team-orders","queue":"order.parking-lot","messages":12}]}""");
		assertThat(TopologyTables.waiting(answer, EXACT)).isEqualTo("""
				WAITING  TYPE      DELAY  ALL BACK BY           QUEUE
				      3  Order     10 s   2026-07-01T12:05:10Z  order.retry.10s
				      1  (shared)  16 s   2026-07-01T12:05:31Z  rabbit-retry.delay.v1.16s

				PARKED  TYPE   OWNER        QUEUE
				    12  Order  team-orders  order.parking-lot
				""");
	}

	@Test
	void whoTookAMessageIsTold() {
		assertThat(ParkedTables.message(json("{\"message\":{\"id\":5,\"state\":\"DISCARDED\"},\"discardedBy\":11}"),
				EXACT))
			.contains("discarded by  entry 11 of the audit (parked restore --discard 11)")
			.doesNotContain("replayed by");
		assertThat(ParkedTables.message(
				json("{\"message\":{\"id\":5,\"state\":\"REPLAYED\"},\"replayedBy\":\"replay-20260701-1\"}"), EXACT))
			.contains("replayed by  replay-20260701-1")
			.doesNotContain("discarded by");
	}

}
