/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExitCodesTests {

	private static final String ID = "replay-20260701-1";

	private final Recording service = new Recording();

	private Shell.Result follow(String state, String counts) {
		this.service.answers("GET replays/" + ID, job(state, counts));
		return new Shell(this.service).run("jobs", "follow", ID);
	}

	private static String job(String state, String counts) {
		return "{\"replay\":{\"id\":\"%s\",\"state\":\"%s\",\"counts\":{\"selected\":9%s}},\"active\":true,\"percent\":50.0}"
			.formatted(ID, state, counts);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "FINISHED|,\"succeeded\":9|0", "FINISHED|,\"succeeded\":8,\"skipped\":1|0",
					"FINISHED|,\"undecided\":9|0", "FINISHED|,\"parkedAgain\":1|1", "FINISHED|,\"failed\":1|1",
					"FINISHED|,\"uncertain\":1|1", "INCOMPLETE|,\"succeeded\":8,\"skipped\":1|6",
					"INCOMPLETE|,\"parkedAgain\":8,\"skipped\":1|1", "STOPPED|''|1", "ABORTED|''|1", "PAUSED|''|1" })
	void aReplayThatDidNotEndWellIsOne(String state, String counts, int exitCode) {
		assertThat(follow(state, counts).exitCode()).isEqualTo(exitCode);
	}

	@Test
	void aReplayIsFollowedUntilNobodyWorksOnIt() {
		this.service.answers("GET replays/" + ID, job("CANARY", ""))
			.answers("GET replays/" + ID, 503, "{\"status\":503,\"error\":\"restarts\"}")
			.answers("GET replays/" + ID, job("RUNNING", ",\"waiting\":5"))
			.answers("GET replays/" + ID, job("FINISHED", ",\"undecided\":9"))
			.answers("GET replays/" + ID, job("FINISHED", ",\"succeeded\":9"));
		Shell.Result result = new Shell(this.service).run("jobs", "follow", ID, "--output", "json");
		assertThat(result.exitCode()).isZero();
		assertThat(result.err()).contains("CANARY 50.0 %", "RUNNING 50.0 %, 4 of 9, 0 succeeded", "FINISHED")
			.doesNotContain("\r", "\u001b");
		assertThat(result.out()).startsWith("{").contains("\"succeeded\" : 9");
	}

	@Test
	void whoFollowsAReplayThatStallsIsToldWhy() {
		String stalled = job("RUNNING", ",\"waiting\":5").replace("\"counts\"",
				"\"stalled\":\"the broker refuses messages\",\"stalledSince\":\"2026-07-01T12:00:00Z\",\"counts\"");
		this.service.answers("GET replays/" + ID, job("RUNNING", ",\"waiting\":9"))
			.answers("GET replays/" + ID, stalled)
			.answers("GET replays/" + ID, stalled)
			.answers("GET replays/" + ID, job("FINISHED", ",\"succeeded\":9"));
		assertThat(new Shell(this.service).run("jobs", "follow", ID).err())
			.containsOnlyOnce("stalled: the broker refuses messages, since 2026-07-01T12:00:00Z");
		Recording still = new Recording().answers("GET replays/" + ID, stalled);
		assertThat(new Shell(still).run("jobs", "show", ID).out()).contains("stalled  ", "the broker refuses messages");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{}|", "{\"target\":\"a b\",\"move\":false}| --target 'a b'",
					"{\"target\":\"v2\",\"move\":true}| --target 'v2' --move" },
			ignoreLeadingAndTrailingWhitespace = false)
	void theRestOfAReplayIsReplayedToTheSameQueue(String options, String elsewhere) {
		this.service.answers("GET replays/" + ID,
				job("ABORTED", ",\"waiting\":3").replace("\"counts\"", "\"options\":" + options + ",\"counts\""));
		assertThat(new Shell(this.service).run("jobs", "follow", ID).err())
			.contains("replay --rest-of " + ID + ((elsewhere != null) ? elsewhere : "") + "\n");
	}

	@Test
	void whatIsUncertainGetsAWayOut() {
		assertThat(follow("ABORTED", ",\"uncertain\":3").err()).contains("replay --uncertain-of " + ID,
				"jobs restore " + ID);
	}

	@Test
	void whoStartsAReplayIsToldItsName() {
		this.service.answers("POST replays", job("RUNNING", "")).answers("GET replays/" + ID, job("FINISHED", ""));
		assertThat(new Shell(this.service).terminal("").run("replay", "17", "--because", "B", "--user", "ops").err())
			.startsWith("Replay %s continues in the service.".formatted(ID));
	}

	@Test
	void aServiceThatStaysAwayEndsTheWatchAndNotTheReplay() {
		this.service.answers("GET replays/" + ID, job("RUNNING", ""))
			.answers("GET replays/" + ID, 503, "{\"status\":503,\"error\":\"The broker can't be used now.\"}");
		Shell.Result result = new Shell(this.service).run("jobs", "follow", ID);
		assertThat(result.exitCode()).isEqualTo(5);
		assertThat(result.err()).contains("The broker can't be used now.");
		assertThat(result.out()).isEmpty();
	}

	@Test
	void anAnswerThatNamesNoReplayIsNone() {
		Shell.Result result = new Shell(this.service).run("replay", "--all", "--because", "B");
		assertThat(result.exitCode()).isEqualTo(5);
		assertThat(result.out()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "400,3", "401,3", "403,3", "405,3", "409,3", "302,3", "404,4", "500,5", "503,5", "502,5" })
	void refusalsHaveTheirNumbersAndNothingIsPrinted(int status, int exitCode) {
		this.service.answers("GET parkinglot", status, "{\"status\":%d,\"error\":\"No.\"}".formatted(status));
		Shell.Result result = new Shell(this.service).run("parked", "list", "--output", "json");
		assertThat(result.exitCode()).isEqualTo(exitCode);
		assertThat(result.out()).isEmpty();
		assertThat(result.err()).isEqualTo("rabbit-retry: No.\n");
	}

	@Test
	void refusalsSpeakOfOptions() {
		this.service.answers("GET parkinglot", 400, "{\"status\":400,\"error\":\"'messageType' has 300 characters.\"}");
		assertThat(new Shell(this.service).run("parked", "list").err()).contains("--type has 300 characters");
		Recording moves = new Recording().answers("GET parkinglot", 409,
				"{\"status\":409,\"error\":\"Set its target and move=true.\"}");
		assertThat(new Shell(moves).run("parked", "list").err()).contains("Set its target and --move.");
	}

	@ParameterizedTest
	@CsvSource({ "401,--login", "403,not allowed", "429,wait a few minutes", "404,exposed",
			"405,management.endpoint.parkinglot.access", "302,Redirections", "418,418" })
	void refusalsOfOthersAreExplained(int status, String explained) {
		this.service.answers("GET parkinglot", status,
				"{\"timestamp\":\"x\",\"status\":%d,\"error\":\"Not so\",\"path\":\"/\"}".formatted(status));
		assertThat(new Shell(this.service).run("parked", "list").err()).contains(explained);
	}

	@Test
	void whatWasNamedAndIsNotThereIsNotFound() {
		this.service.answers("POST parkinglot/discard", "{\"discarded\":1,\"dryRun\":false}");
		Shell.Result result = new Shell(this.service).run("parked", "discard", "17", "18", "--because", "B");
		assertThat(result.exitCode()).isEqualTo(4);
		assertThat(result.err()).contains("1 of them");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("usage")
	void whatCanNotBeUnderstoodAsksNothing(String[] command) {
		Shell.Result result = new Shell(this.service).run(command);
		assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
		assertThat(result.out()).isEmpty();
		assertThat(result.err()).isNotBlank().doesNotContain("\u001b", "Exception");
		assertThat(this.service.requests()).isEmpty();
	}

	static Stream<Arguments> usage() {
		return Stream.of(of(), of("parked"), of("purge"), of("parked", "list", "--reasn", "X"),
				of("parked", "list", "--reason", "a", "--reason", "b"), of("parked", "list", "--queue", ""),
				of("parked", "list", "--queue", "  "), of("replay", "--queue"), of("replay", "--all", "--max", "5"),
				of("parked", "show", "abc"), of("parked", "show", "../../shutdown"),
				of("parked", "show", "99999999999999999999"), of("parked", "show"), of("parked", "discard", "1;drop"),
				of("jobs", "show", "../../shutdown"), of("jobs", "show", ".."), of("jobs", "show", "audit"),
				of("jobs", "show", "dry-run"), of("jobs", "show", "'; drop table x; --"),
				of("jobs", "show", "replay-1/messages"), of("jobs", "show", "replay-1\r\nX: y"),
				of("jobs", "abort", "replay-1%2f..", "--because", "B"), of("jobs", "show", "r-" + "x".repeat(300)),
				of("jobs", "burn", "replay-20260701-1"), of("parked", "list", "--output", "xml"),
				of("parked", "list", "--\u001b[2Jx"), of("--timeout", "soon", "jobs"),
				of("parked", "edit", "1", "--body-file", "/nowhere/at/all", "--because", "B"));
	}

	private static Arguments of(String... command) {
		return Arguments.of((Object) command);
	}

	@ParameterizedTest
	@ValueSource(strings = { "' OR 1=1 --", "a\r\nX-Injected: b", "a&all=true", "a%00b", "{\"$ne\":1}", "@/etc/passwd",
			"${env:PATH}", "--all", "-1" })
	void valuesArriveAsTheyAre(String value) {
		new Shell(this.service).run("parked", "list", "--reason=" + value);
		assertThat(this.service.only().arguments()).isEqualTo(Map.of("reason", value));
	}

	@Test
	void helpIsNoError() {
		Shell.Result result = new Shell(this.service).run("parked", "list", "--help");
		assertThat(result.exitCode()).isZero();
	}

	@Test
	void queuesWhoseDepthIsUnknownAreNotCalledEmpty() {
		this.service.answers("GET waitingretries",
				"{\"waiting\":[],\"parked\":[],\"unknown\":[\"q.parking-lot\",\"q.retry.5s\"]}");
		assertThat(new Shell(this.service).run("waiting").err()).contains("Not known", "q.parking-lot, q.retry.5s")
			.doesNotContain("empty");
	}

	@Test
	void anOlderServiceThatKnowsNoParkingLotIsNotCalledEmptyEither() {
		this.service.answers("GET waitingretries", "{\"waiting\":[],\"parked\":[]}");
		assertThat(new Shell(this.service).run("waiting").err()).contains("No parking lot is known");
	}

	@Test
	void anEmptyParkingLotDoesNotMeanThatThereIsALedger() {
		this.service.answers("GET waitingretries",
				"{\"waiting\":[],\"parked\":[{\"messageType\":\"Order\",\"queue\":\"q.parking-lot\",\"messages\":0}]}");
		assertThat(new Shell(this.service).run("waiting").err()).contains("empty", "If the service has a ledger");
	}

	@Test
	void aTopologyThatIsNotWellIsNoSuccess() {
		String finding = "{\"severity\":\"%s\",\"code\":\"queue-missing\",\"fact\":\"There is no queue 'q'.\","
				+ "\"why\":\"It matters.\",\"remedy\":\"Declare it.\",\"commands\":[\"rabbitmqctl do it\"]}";
		String answer = "{\"examinedBy\":\"AMQP alone\",\"unexamined\":[\"policies\"],\"findings\":[%s]}";
		this.service.answers("GET retrytopology", answer.formatted(finding.formatted("ERROR")))
			.answers("GET retrytopology", answer.formatted(finding.formatted("WARNING")))
			.answers("GET retrytopology", answer.formatted(finding.formatted("INFO")).replace("\"policies\"", ""))
			.answers("GET retrytopology", answer.formatted(""));
		Shell.Result result = new Shell(this.service).run("doctor");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.out()).isEqualTo("""
				ERROR  queue-missing  There is no queue 'q'.
				  It matters.
				  Declare it.
				    rabbitmqctl do it
				""");
		assertThat(result.err()).contains("Examined by AMQP alone", "Not examined: policies");
		assertThat(new Shell(this.service).run("doctor").exitCode()).isEqualTo(1);
		assertThat(new Shell(this.service).run("doctor").exitCode()).isZero();
		Shell.Result partly = new Shell(this.service).run("doctor");
		assertThat(partly.exitCode()).isEqualTo(1);
		assertThat(partly.err().lines()).startsWith("Nothing was found in what could be examined.", "",
				"Examined by AMQP alone.");
	}

	@Test
	void consumersThatAreNotKnownAreNotLeftOutSilently() {
		this.service.answers("GET retrytopology",
				"{\"unexamined\":[\"consumers: user 'u' needs the tag monitoring\",\"permissions: x\"],\"findings\":[],\"messageTypes\":[]}");
		assertThat(new Shell(this.service).run("topology").err())
			.contains("Not examined: consumers: user 'u' needs the tag monitoring")
			.doesNotContain("permissions");
	}

	@Test
	void emptyParkingLotsSayWhereTheirMessagesMayBe() {
		this.service.answers("GET waitingretries", "{\"waiting\":[],\"parked\":[{\"queue\":\"q\",\"messages\":0}]}")
			.answers("GET waitingretries", "{\"waiting\":[],\"parked\":[{\"queue\":\"q\",\"messages\":2}]}");
		Shell.Result empty = new Shell(this.service).run("waiting");
		assertThat(empty.exitCode()).isZero();
		assertThat(empty.err()).contains("parked groups");
		assertThat(new Shell(this.service).run("waiting").err()).doesNotContain("parked groups");
	}

}
