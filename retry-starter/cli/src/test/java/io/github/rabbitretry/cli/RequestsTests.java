/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.cli.service.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What commands ask of the service.
 */
class RequestsTests {

	private static final String FINISHED = """
			{"replay":{"id":"replay-20260701-1","state":"FINISHED","counts":{"selected":2,"succeeded":2}},"percent":100.0}""";

	private final Recording service = new Recording().answers("POST replays", FINISHED)
		.answers("POST replays/edit", FINISHED)
		.answers("POST replays/replay-20260701-1/resume", FINISHED)
		.answers("GET replays/replay-20260701-1", FINISHED)
		.answers("POST parkinglot/discard", "{\"discarded\":2,\"dryRun\":false}");

	@ParameterizedTest(name = "{0}")
	@MethodSource("reading")
	void whatIsReadIsAskedOnce(List<String> command, List<String> path, Map<String, String> arguments) {
		Shell.Result result = new Shell(this.service).run(command.toArray(String[]::new));
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(this.service.only()).isEqualTo(new Request(Request.Method.GET, path, arguments));
		assertThat(this.service.closed).isOne();
	}

	static Stream<Arguments> reading() {
		return Stream.of(reading("parked list", "parkinglot", Map.of()), reading(
				"parked list --queue q --type t --reason r --failure-class c --fingerprint f --owner o --handler-version v"
						+ " --schema-version sv --correlation-id ci --aggregate-id ai --message-id mi --replay-id ri --payload-state WHOLE"
						+ " --from 2026-07-01T12:00:00Z --before 2026-07-02T12:00:00Z --text part --state ANY --size 3 --after k --count",
				"parkinglot",
				Map.ofEntries(Map.entry("queue", "q"), Map.entry("messageType", "t"), Map.entry("reason", "r"),
						Map.entry("failureClass", "c"), Map.entry("fingerprint", "f"), Map.entry("owner", "o"),
						Map.entry("handlerVersion", "v"), Map.entry("correlationId", "ci"),
						Map.entry("schemaVersion", "sv"), Map.entry("aggregateId", "ai"), Map.entry("messageId", "mi"),
						Map.entry("replayId", "ri"), Map.entry("payloadState", "WHOLE"),
						Map.entry("parkedFrom", "2026-07-01T12:00:00Z"),
						Map.entry("parkedBefore", "2026-07-02T12:00:00Z"), Map.entry("text", "part"),
						Map.entry("state", "ANY"), Map.entry("size", "3"), Map.entry("after", "k"),
						Map.entry("count", "true"))),
				reading("parked groups --owner o --size 5 --new-since app:2", "parkinglot groups",
						Map.of("owner", "o", "size", "5", "newSince", "app:2")),
				reading("parked groups --by schemaVersion", "parkinglot groups", Map.of("by", "schemaVersion")),
				reading("parked show 17 --payload", "parkinglot 17", Map.of("payload", "true")),
				reading("waiting", "waitingretries", Map.of()), reading("doctor", "retrytopology", Map.of()),
				reading("topology --type T", "retrytopology", Map.of("messageType", "T")),
				reading("jobs", "replays", Map.of()),
				reading("jobs --state RUNNING --size 5", "replays", Map.of("state", "RUNNING", "size", "5")),
				reading("jobs show replay-20260701-1", "replays replay-20260701-1", Map.of()),
				reading("jobs items replay-20260701-1 --state FAILED --after 3 --size 9",
						"replays replay-20260701-1 messages", Map.of("state", "FAILED", "after", "3", "size", "9")),
				reading("export definitions --types A,B", "retryexport definitions", Map.of("types", "A,B")),
				reading("export definitions --output json", "retryexport definitions", Map.of()),
				reading("export permissions --roles worker,monitor --writes order.events --reads q",
						"retryexport permissions",
						Map.of("roles", "worker,monitor", "writes", "order.events", "reads", "q")),
				reading("audit --replay-id replay-20260701-1 --before 9 --size 4", "replays audit",
						Map.of("replayId", "replay-20260701-1", "before", "9", "size", "4")),
				reading("replay 17 18 --dry-run --because B --user ops", "replays dry-run",
						Map.of("ids", "17,18", "because", "B", "user", "ops")));
	}

	private static Arguments reading(String command, String path, Map<String, String> arguments) {
		return Arguments.of(List.of(command.split(" ")), List.of(path.split(" ")), arguments);
	}

	@Test
	void aReplayIsStartedWithItsOptionsAndFollowed() {
		Shell.Result result = new Shell(this.service).run("replay", "--queue", "q", "--max", "10", "--rate", "5",
				"--ramp", "1s", "--canary", "2", "--canary-timeout", "9s", "--abort-percent", "30", "--abort-minimum",
				"4", "--because", "HANDLER FIXED", "--user", "ops");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(this.service.requests()).containsExactly(Request.write(
				Map.of("queue", "q", "maximum", "10", "rate", "5", "ramp", "1s", "canary", "2", "canaryTimeout", "9s",
						"abortPercent", "30", "abortMinimum", "4", "because", "HANDLER FIXED", "user", "ops"),
				"replays"), Request.read(Map.of(), "replays", "replay-20260701-1"));
	}

	@Test
	void whatIsUncertainOfAReplayIsReplayed() {
		Shell.Result result = new Shell(this.service).run("replay", "--uncertain-of", "replay-20260701-1", "--because",
				"B", "--user", "ops", "--no-wait");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(this.service.only()).isEqualTo(
				Request.write(Map.of("uncertainOf", "replay-20260701-1", "because", "B", "user", "ops"), "replays"));
	}

	@Test
	void aReplayThatNobodyWaitsForIsOnlyStarted() {
		Shell.Result result = new Shell(this.service).run("replay", "--all", "--max", "10", "--target", "look",
				"--because", "B", "--user", "ops", "--no-wait");
		assertThat(this.service.only()).isEqualTo(Request
			.write(Map.of("all", "true", "maximum", "10", "target", "look", "because", "B", "user", "ops"), "replays"));
		assertThat(result.err()).contains("Replay replay-20260701-1 continues in the service.");
	}

	@Test
	void whoConfirmsAMoveIsAskedForTheMove() {
		this.service.answers("GET replays/dry-run", TRIED);
		String[] command = { "replay", "--queue", "q", "--target", "order.v2", "--move", "--because", "B", "--user",
				"ops", "--no-wait" };
		Shell.Result result = new Shell(this.service).terminal("y\n").run(command);
		assertThat(result.err()).contains("Move 7 messages to order.v2? [y/N]");
		assertThat(this.service.requests().get(1).arguments()).containsEntry("target", "order.v2")
			.containsEntry("move", "true")
			.containsEntry("expect", "7-ab");
	}

	@Test
	void jobsArePausedAbortedAndResumed() {
		String id = "replay-20260701-1";
		Shell shell = new Shell(this.service).with("RABBIT_RETRY_USER", "ops");
		assertThat(shell.run("jobs", "pause", id, "--because", "B").exitCode()).isZero();
		assertThat(shell.run("jobs", "abort", id, "--because", "B").exitCode()).isZero();
		assertThat(shell.run("jobs", "restore", id, "--because", "B").exitCode()).isZero();
		assertThat(shell.run("jobs", "resume", id, "--without-canary", "--because", "B").exitCode()).isZero();
		Map<String, String> act = Map.of("user", "ops", "because", "B");
		assertThat(this.service.requests()).containsExactly(Request.write(act, "replays", id, "pause"),
				Request.write(act, "replays", id, "abort"), Request.write(act, "replays", id, "restore"),
				Request.write(Map.of("user", "ops", "because", "B", "withoutCanary", "true"), "replays", id, "resume"),
				Request.read(Map.of(), "replays", id));
	}

	@Test
	void aMessageIsEdited(@TempDir Path folder) throws Exception {
		Path body = Files.writeString(folder.resolve("body.json"), "{\"n\":1}\n");
		new Shell(this.service).run("parked", "edit", "17", "--body-file", body.toString(), "--header", "x-tenant=a=b",
				"--header", "x-old=", "--because", "B", "--user", "ops", "--no-wait");
		assertThat(this.service.only()).isEqualTo(Request.write(Map.of("id", "17", "body", "{\"n\":1}\n",
				"header.x-tenant", "a=b", "header.x-old", "", "because", "B", "user", "ops"), "replays", "edit"));
	}

	@Test
	void aBodyThatIsNoTextIsSentAsBase64(@TempDir Path folder) throws Exception {
		Path body = Files.write(folder.resolve("body"), new byte[] { (byte) 0xff, 0 });
		new Shell(this.service).run("parked", "edit", "17", "--body-file", body.toString(), "--because", "B",
				"--no-wait");
		assertThat(this.service.only().arguments()).containsEntry("bodyBase64", "/wA=").doesNotContainKey("body");
	}

	@Test
	void theUserOfTheEnvironmentIsNotSentToAServiceThatKnowsTheLogin() {
		this.service.loggedIn = true;
		new Shell(this.service).with("RABBIT_RETRY_USER", "ops").run("replay", "17", "--because", "B", "--no-wait");
		assertThat(this.service.only().arguments()).doesNotContainKey("user");
	}

	@Test
	void aScriptDiscardsWithoutAQuestion() {
		Shell.Result result = new Shell(this.service).run("parked", "discard", "17", "18", "--because", "B", "--user",
				"ops");
		assertThat(result.exitCode()).isZero();
		assertThat(this.service.only())
			.isEqualTo(Request.write(Map.of("ids", "17,18", "because", "B", "user", "ops"), "parkinglot", "discard"));
		assertThat(result.out()).isEqualTo("2 discarded\n");
	}

	@Test
	void aPersonIsAskedBeforeDiscarding() {
		String[] command = { "parked", "discard", "--queue", "q", "--max", "9", "--because", "B", "--user", "ops" };
		Shell.Result no = new Shell(this.service).terminal("n\n").run(command);
		assertThat(no.exitCode()).isEqualTo(130);
		assertThat(no.err()).contains("Discard 2 messages? [y/N]", "Nothing is discarded");
		assertThat(no.out()).isEmpty();
		assertThat(this.service.only().arguments()).containsEntry("dryRun", "true");
		assertThat(new Shell(this.service).terminal("").run(command).exitCode()).as("end of input").isEqualTo(130);
		assertThat(new Shell(this.service).terminal("y\n").run(command).exitCode()).isZero();
		assertThat(this.service.requests()).hasSize(4);
		assertThat(this.service.requests().get(3).arguments()).doesNotContainKey("dryRun");
		String[] sure = Stream.concat(Stream.of(command), Stream.of("--yes")).toArray(String[]::new);
		assertThat(new Shell(this.service).terminal("").run(sure).exitCode()).isZero();
	}

	@Test
	void whoConfirmsADiscardHasSeenItAndDiscardsNoMore() {
		Recording service = new Recording().answers("POST parkinglot/discard",
				"""
						{"discarded":2,"dryRun":true,"preview":{"token":"2-ab","owners":{"team-a":2},
						"samples":[{"id":17,"messageId":"m-1"}],"reserved":[{"replayId":"replay-1","state":"RUNNING","messages":3}]}}""");
		Shell.Result result = new Shell(service).terminal("y\n")
			.run("parked", "discard", "--queue", "q", "--because", "B", "--user", "ops");
		assertThat(result.err()).contains("team-a: 2", "17  m-1", "3 are selected by replay-1");
		assertThat(service.requests().get(1).arguments()).containsEntry("expect", "2-ab").doesNotContainKey("dryRun");
	}

	private static final String TRIED = """
			{"dryRun":{"matching":7,"replayable":7,"wouldReplay":7,"preview":{"token":"7-ab","owners":{"team-a":7},
			"samples":[{"id":17,"messageId":"m-1"},{"id":18},{"id":19},{"id":20},{"id":21}],
			"reserved":[{"replayId":"replay-20260701-9","state":"RUNNING","user":"eve","messages":3}]}}}""";

	@Test
	void whoConfirmsAReplayHasSeenItAndReplaysNoMore() {
		String[] command = { "replay", "--queue", "q", "--rate", "5", "--because", "B", "--user", "ops", "--no-wait" };
		this.service.answers("GET replays/dry-run", TRIED);
		Shell.Result no = new Shell(this.service).terminal("n\n").run(command);
		assertThat(no.exitCode()).isEqualTo(130);
		assertThat(no.err()).contains("team-a: 7", "17  m-1", "example 21",
				"left out, 3 are selected by replay-20260701-9 (RUNNING, eve)", "Replay 7 messages? [y/N]",
				"Nothing is replayed");
		assertThat(this.service.only()).isEqualTo(
				Request.read(Map.of("queue", "q", "rate", "5", "because", "B", "user", "ops"), "replays", "dry-run"));
		Shell.Result yes = new Shell(this.service).terminal("y\n").run(command);
		assertThat(yes.exitCode()).as(yes.err()).isZero();
		assertThat(this.service.requests().get(2)).isEqualTo(Request
			.write(Map.of("queue", "q", "rate", "5", "expect", "7-ab", "because", "B", "user", "ops"), "replays"));
	}

	@Test
	void whoIsSureOfAReplayIsNotAskedAndKeepsTheExpectation() {
		this.service.answers("GET replays/dry-run", TRIED);
		String[] command = { "replay", "--queue", "q", "--expect", "9", "--because", "B", "--user", "ops",
				"--no-wait" };
		String[] sure = Stream.concat(Stream.of(command), Stream.of("--yes")).toArray(String[]::new);
		assertThat(new Shell(this.service).terminal("").run(sure).exitCode()).isZero();
		Request expected = Request.write(Map.of("queue", "q", "expect", "9", "because", "B", "user", "ops"), "replays");
		assertThat(this.service.only()).isEqualTo(expected);
		assertThat(new Shell(this.service).terminal("y\n").run(command).exitCode()).isZero();
		assertThat(this.service.requests().get(2)).isEqualTo(expected);
	}

	@Test
	void whatIsTakenFromAnotherReplayIsNotCalledLeftOut() {
		this.service.answers("GET replays/dry-run", TRIED);
		Shell.Result replay = new Shell(this.service).terminal("n\n")
			.run("replay", "--queue", "q", "--take-reserved", "--because", "B", "--user", "ops");
		assertThat(replay.err()).contains("taken, 3 are selected by replay-20260701-9").doesNotContain("left out");
	}

	@Test
	void everyDryRunShowsWhatAPersonIsShownBefore() {
		String preview = "\"preview\":{\"token\":\"2-ab\",\"owners\":{\"team-a\":2},\"samples\":[{\"id\":17,\"messageId\":\"m-1\"}]}";
		Recording service = new Recording().answers("GET replays/dry-run", TRIED)
			.answers("POST parkinglot/discard", "{\"discarded\":2,\"dryRun\":true,%s}".formatted(preview))
			.answers("POST parkinglot/restore", "{\"restored\":2,\"dryRun\":true,%s}".formatted(preview));
		for (String command : List.of("replay", "parked discard", "parked restore")) {
			Shell.Result result = new Shell(service)
				.run((command + " --queue q --because B --user ops --dry-run").split(" "));
			assertThat(result.out()).as(command).contains("team-a: ", "17  m-1").containsPattern("[27]-ab");
		}
	}

	@Test
	void reservedMessagesAreEditedOnlyIfThatIsSaid() {
		Recording service = new Recording().answers("POST replays/edit", 409,
				"{\"status\":409,\"error\":\"All are selected. To take them all the same, say takeReserved=true.\"}");
		String[] command = { "parked", "edit", "17", "--header", "a=b", "--because", "B", "--user", "ops",
				"--no-wait" };
		Shell.Result refused = new Shell(service).run(command);
		assertThat(refused.exitCode()).isEqualTo(3);
		assertThat(refused.err()).contains("say --take-reserved.");
		assertThat(service.only().arguments()).doesNotContainKey("takeReserved");
		new Shell(service).run(Stream.concat(Stream.of(command), Stream.of("--take-reserved")).toArray(String[]::new));
		assertThat(service.requests().get(1).arguments()).containsEntry("takeReserved", "true");
	}

	@Test
	void discardsAreRestoredAndRatesChanged() {
		new Shell(this.service).run("parked", "restore", "--discard", "17", "--because", "B", "--user", "ops");
		new Shell(this.service).run("jobs", "rate", "replay-1", "--rate", "5", "--because", "B", "--user", "ops");
		assertThat(this.service.requests()).containsExactly(
				Request.write(Map.of("discard", "17", "because", "B", "user", "ops"), "parkinglot", "restore"),
				Request.write(Map.of("rate", "5", "because", "B", "user", "ops"), "replays", "replay-1", "rate"));
	}

	@Test
	void nobodyIsAskedWhetherToDiscardNothing() {
		Recording empty = new Recording().answers("POST parkinglot/discard", "{\"discarded\":0,\"dryRun\":true}");
		Shell.Result result = new Shell(empty).terminal("")
			.run("parked", "discard", "--all", "--max", "9", "--because", "B");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).isEqualTo("0 would be discarded\n");
		assertThat(empty.requests()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "parked list --queue", "parked groups --by", "parked groups --new-since", "jobs --state",
			"topology --type", "parked restore --all --expect 1 --because x --user u --discard" })
	void anEmptyValueIsRefusedWhereItWouldAskForMore(String command) {
		List<String> words = new ArrayList<>(List.of(command.split(" ")));
		words.add("");
		Shell.Result result = new Shell(this.service).run(words.toArray(String[]::new));
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("has no value. Leave it out, or give one.");
	}

	@Test
	void globalOptionsStandAnywhere() {
		new Shell(this.service).run("--output", "json", "parked", "list");
		Shell.Result result = new Shell(this.service).run("parked", "--output", "json", "list");
		assertThat(result.out()).isEqualTo(new Shell(this.service).run("parked", "list", "--output=json").out())
			.isEqualTo("{ }\n");
	}

	@Test
	void aPersonIsAskedForNameAndReasonTogether() {
		Shell.Result result = new Shell(this.service).terminal("ops\nHANDLER_FIXED\n").run("replay", "17", "--no-wait");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(this.service.only().arguments()).containsEntry("user", "ops")
			.containsEntry("because", "HANDLER_FIXED");
	}

	@Test
	void aScriptIsToldOfNameAndReasonTogether() {
		Shell.Result result = new Shell(this.service).run("replay", "17");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("--because and --user are required", "RABBIT_RETRY_USER");
		this.service.loggedIn = true;
		assertThat(new Shell(this.service).run("replay", "17").err()).contains("--because is required")
			.doesNotContain("--user");
		assertThat(this.service.requests()).isEmpty();
	}

	@Test
	void aDryRunNeedsNeitherNameNorReason() {
		String preview = "\"preview\":{\"token\":\"2-ab\",\"owners\":{\"team-a\":2},\"samples\":[]}";
		Recording service = new Recording().answers("GET replays/dry-run", TRIED)
			.answers("POST parkinglot/discard", "{\"discarded\":2,\"dryRun\":true,%s}".formatted(preview))
			.answers("POST parkinglot/restore", "{\"restored\":2,\"dryRun\":true,%s}".formatted(preview));
		for (String command : List.of("replay", "parked discard", "parked restore")) {
			Shell.Result script = new Shell(service).run((command + " --queue q --dry-run").split(" "));
			assertThat(script.exitCode()).as(script.err()).isZero();
			assertThat(script.out()).doesNotContain("audit");
			Shell.Result person = new Shell(service).terminal("").run((command + " --queue q --dry-run").split(" "));
			assertThat(person.exitCode()).as(person.err()).isZero();
			assertThat(person.err()).doesNotContain("--user", "--because");
		}
		assertThat(service.requests()).hasSize(6)
			.allSatisfy((request) -> assertThat(request.arguments()).doesNotContainKeys("user", "because"));
	}

	@Test
	void theLatestReplayNeedsNoId() {
		String id = "replay-20260701-1";
		this.service.answers("GET replays", "{\"replays\":[%s]}".formatted(FINISHED));
		assertThat(new Shell(this.service).run("jobs", "show", "--latest").out()).contains(id);
		assertThat(
				new Shell(this.service).run("jobs", "abort", "--latest", "--because", "B", "--user", "ops").exitCode())
			.isZero();
		assertThat(this.service.requests()).containsExactly(Request.read(Map.of("size", "1"), "replays"),
				Request.read(Map.of(), "replays", id), Request.read(Map.of("size", "1"), "replays"),
				Request.write(Map.of("because", "B", "user", "ops"), "replays", id, "abort"));
		assertThat(new Shell(this.service).run("jobs", "show", "--latest", id).exitCode()).isEqualTo(2);
		Recording none = new Recording().answers("GET replays", "{\"replays\":[]}");
		assertThat(new Shell(none).run("jobs", "follow", "--latest").exitCode()).isEqualTo(4);
	}

	@Test
	void theLatestMessageNeedsNoId() {
		this.service.answers("GET parkinglot", "{\"messages\":[{\"id\":17}]}");
		assertThat(new Shell(this.service).run("parked", "show", "--latest", "--payload", "--queue", "q").exitCode())
			.isZero();
		assertThat(this.service.requests()).containsExactly(
				Request.read(Map.of("size", "1", "queue", "q"), "parkinglot"),
				Request.read(Map.of("payload", "true"), "parkinglot", "17"));
	}

	@Test
	void theLatestMessageOfACauseIsShown() {
		this.service.answers("GET parkinglot", "{\"messages\":[{\"id\":17}]}");
		assertThat(new Shell(this.service).run("parked", "show", "--latest", "--cause", "c", "--payload").exitCode())
			.isZero();
		assertThat(this.service.requests()).containsExactly(
				Request.read(Map.of("size", "1", "cause", "c"), "parkinglot"),
				Request.read(Map.of("payload", "true"), "parkinglot", "17"));
		assertThat(new Shell(this.service).run("parked", "show", "17", "--cause", "c").exitCode()).isEqualTo(2);
	}

	@Test
	void theVersionIsToldWithoutAService() {
		Shell.Result result = new Shell(this.service).run("--version");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).startsWith("rabbit-retry ").contains("Java " + System.getProperty("java.version"));
		assertThat(this.service.requests()).isEmpty();
	}

	@Test
	void shellsCompleteAllCommandsAndOptions() {
		String script = new Shell(this.service).run("completion").out();
		assertThat(script).contains("complete -F _complete_rabbit-retry", "bashcompinit", "groups", "items",
				"--fingerprint", "--without-canary");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "parked", "parked list", "parked groups", "parked show", "parked discard",
			"parked edit", "waiting", "topology", "doctor", "replay", "jobs", "jobs show", "jobs items", "jobs follow",
			"jobs pause", "jobs resume", "jobs abort", "jobs restore", "audit", "completion" })
	void everyHelpHasExamples(String command) {
		Shell.Result help = new Shell(this.service).run((command + " --help").strip().split(" "));
		assertThat(help.exitCode()).isZero();
		assertThat(help.out()).containsPattern("Examples:\n +rabbit-retry " + command);
	}

	/** As they stand there, but that the file to send is another one. */
	@ParameterizedTest
	@ValueSource(
			strings = { "", "parked", "parked list", "parked groups", "parked show", "parked discard", "parked restore",
					"parked edit", "waiting", "topology", "doctor", "replay", "jobs", "jobs show", "jobs items",
					"jobs follow", "jobs pause", "jobs resume", "jobs abort", "jobs restore", "jobs rate", "audit" })
	void everyExampleOfAHelpIsAcceptedAsItStands(String command, @TempDir Path folder) throws Exception {
		Path body = Files.writeString(folder.resolve("order.json"), "{}");
		String help = new Shell(this.service).run((command + " --help").strip().split(" ")).out();
		List<String> examples = help.substring(help.indexOf("Examples:"))
			.lines()
			.filter((line) -> line.startsWith("  rabbit-retry "))
			.toList();
		assertThat(examples).isNotEmpty();
		String id = "replay-20260701-17";
		this.service.answers("GET replays", "{\"replays\":[%s]}".formatted(FINISHED))
			.answers("GET parkinglot", "{\"messages\":[{\"id\":17}]}")
			.answers("GET replays/" + id, FINISHED)
			.answers("POST replays/" + id + "/resume", FINISHED)
			.answers("POST parkinglot/restore", "{\"restored\":1,\"auditId\":3}");
		for (String example : examples) {
			Shell.Result result = new Shell(this.service).with("RABBIT_RETRY_USER", "ops")
				.run(example.replace("  rabbit-retry ", "").replace("order.json", body.toString()).split(" +"));
			assertThat(result.exitCode()).as(example + ": " + result.err()).isZero();
		}
		assertThat(this.service.requests()).filteredOn((request) -> filterWithoutNumber(request)).isEmpty();
	}

	/** The service refuses these. */
	private static boolean filterWithoutNumber(Request request) {
		List<String> path = request.path();
		boolean act = request.method() == Request.Method.POST
				&& (path.equals(List.of("replays")) || path.equals(List.of("parkinglot", "discard")));
		return act && !request.arguments().containsKey("ids") && !request.arguments().containsKey("expect")
				&& !request.arguments().containsKey("dryRun");
	}

	@Test
	void anotherReplayIsNamedByItsId() {
		for (String option : List.of("--rest-of", "--uncertain-of")) {
			for (String value : List.of("--latest", "replay-1; drop", "17")) {
				Shell.Result result = new Shell(this.service).run("replay", option, value, "--because", "B", "--user",
						"ops");
				assertThat(result.exitCode()).as(value).isEqualTo(2);
				assertThat(result.err()).contains("'%s' is not a replay id".formatted(value));
			}
		}
		assertThat(this.service.requests()).isEmpty();
	}

	@Test
	void whoNamesMessagesToReplayIsToldOfThoseThatAreNotReplayed() {
		Shell.Result result = new Shell(this.service).run("replay", "17", "18", "18", "19", "--because", "B", "--user",
				"ops");
		assertThat(result.exitCode()).isEqualTo(4);
		assertThat(result.err()).contains("1 of them are not replayed: they are not parked, can't be replayed");
		assertThat(new Shell(this.service).run("replay", "17", "18", "--because", "B", "--user", "ops").exitCode())
			.isZero();
	}

	@Test
	void whoNamesMessagesToRestoreIsToldOfThoseThatAreNotDiscarded() {
		this.service.answers("POST parkinglot/restore", "{\"restored\":1,\"auditId\":3}");
		Shell.Result result = new Shell(this.service).run("parked", "restore", "17", "18", "--because", "B", "--user",
				"ops");
		assertThat(result.exitCode()).isEqualTo(4);
		assertThat(result.out()).startsWith("1 parked again");
		assertThat(result.err()).contains("1 of them are not discarded");
	}

	@Test
	void aPersonIsAskedBeforeRestoringByAFilter() {
		Recording service = new Recording().answers("POST parkinglot/restore",
				"""
						{"restored":2,"dryRun":true,"auditId":3,"preview":{"token":"2-ab","owners":{"team-a":2},"samples":[{"id":17}]}}""");
		String[] command = { "parked", "restore", "--queue", "q", "--because", "B", "--user", "ops" };
		Shell.Result no = new Shell(service).terminal("n\n").run(command);
		assertThat(no.exitCode()).isEqualTo(130);
		assertThat(no.err()).contains("team-a: 2", "Park 2 messages again? [y/N]", "Nothing is restored");
		assertThat(service.only().arguments()).containsEntry("dryRun", "true");
		new Shell(service).terminal("y\n").run(command);
		assertThat(service.requests().get(2).arguments()).containsEntry("expect", "2-ab").doesNotContainKey("dryRun");
	}

	@Test
	void helpSaysThatCallsFailByPercent() {
		assertThat(new Shell(this.service).run("simulate", "--help").out()).contains("default: 100%\n");
	}

	@Test
	void helpNamesAllExitCodes() {
		assertThat(new Shell(this.service).run("--help").out()).contains("6 a replay is incomplete", "70 a bug");
	}

	@Test
	void helpNamesAllCommandsWhereverItIsAskedFor() {
		assertThat(new Shell(this.service).run("--help", "jobs").out()).contains("parked", "replay", "audit");
		assertThat(new Shell(this.service).run("jobs", "--help").out()).contains("show", "items", "restore");
	}

}
