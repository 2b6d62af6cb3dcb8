/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoints with a ledger in PostgreSQL.
 */
class LedgerEndpointsIntegrationTests extends EndpointContract {

	private static final Map<String, String> WHO = Map.of("user", "ops", "because", "HANDLER_FIXED");

	private final String database = Database.shared().createDatabase();

	@Override
	String queue() {
		return "endpoint.ledger";
	}

	@Override
	List<String> properties() {
		return List.of("spring.datasource.url=" + this.database,
				"spring.datasource.username=" + Database.shared().username(),
				"spring.datasource.password=" + Database.shared().password(),
				"spring.datasource.hikari.maximum-pool-size=5", "rabbit-retry.ledger.initialize-schema=always");
	}

	@Override
	void awaitParked(int count) {
		await().atMost(Duration.ofSeconds(30)).until(() -> parked().size() == count);
	}

	@Override
	List<String> parked() {
		return bean(Ledger.class).search(ParkedFilter.ALL.withState(ParkedState.PARKED), null, 1000)
			.messages()
			.stream()
			.map(ParkedSummary::messageId)
			.toList();
	}

	@Override
	void clear() {
		jdbc().update("delete from rabbit_retry_parked");
	}

	private JdbcTemplate jdbc() {
		return bean(JdbcTemplate.class);
	}

	private static Map<String, String> with(Map<String, String> first, Map<String, String> second) {
		Map<String, String> both = new HashMap<>(first);
		both.putAll(second);
		return both;
	}

	private JsonNode start(Map<String, String> how) {
		Http.Answer answer = this.open.post("replays", with(WHO, how));
		assertThat(answer.status()).as(answer.text()).isEqualTo(200);
		return answer.json().path("replay");
	}

	private void awaitEnd(String replay) {
		await().atMost(Duration.ofSeconds(30))
			.until(() -> !this.closed.get("replays/" + replay).json().path("active").asBoolean(true));
	}

	private JsonNode awaitState(String replay, String state) {
		await().atMost(Duration.ofSeconds(30))
			.until(() -> this.closed.get("replays/" + replay).json().path("replay").path("state").asString(),
					state::equals);
		return this.closed.get("replays/" + replay).json();
	}

	@Test
	void oneIsDiscarded() {
		Http.Answer answer = this.open.delete("parkinglot/" + id("m1") + "?user=ops&because=OBSOLETE");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.json().path("discarded").asLong()).isOne();
		assertThat(parked()).containsExactlyInAnyOrder("m0", "m2", "m3", "m4");
	}

	@Test
	void manyAreDiscardedByFilterAfterADryRun() {
		Map<String, String> request = Map.of("reason", "VALIDATION_FAILED", "expect", "10", "user", "ops", "because",
				"OBSOLETE");
		JsonNode tried = this.open.post("parkinglot/discard?dryRun=true", request).json();
		assertThat(tried.path("discarded").asLong()).isEqualTo(2);
		assertThat(tried.path("dryRun").asBoolean()).isTrue();
		assertThat(parked()).hasSize(5);
		assertThat(this.open.post("parkinglot/discard", request).json().path("discarded").asLong()).isEqualTo(2);
		assertThat(parked()).containsExactlyInAnyOrder("m0", "m1", "m2");
	}

	@Test
	void whoHasLoggedInDoesNotSayWhoAndCanNotSaySomebodyElse() {
		long id = id("m1");
		Http.Answer other = this.open.as("admin").delete("parkinglot/" + id + "?user=ops&because=OBSOLETE");
		assertThat(other.status()).isEqualTo(400);
		assertThat(other.error()).contains("'user'");
		assertThat(parked()).hasSize(5);
		assertThat(this.open.as("admin").delete("parkinglot/" + id + "?because=OBSOLETE").status()).isEqualTo(200);
	}

	@Test
	void whatIsNotParkedCanNotBeDiscarded() {
		Http.Answer answer = this.open.delete("parkinglot/9007199254740990?user=ops&because=TEST");
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.error()).contains("no parked message");
	}

	@Test
	void whatWasDiscardedIsStillFoundAndTheAuditTells() {
		assertThat(this.open.as("alice").delete("parkinglot/" + id("m1") + "?because=OBSOLETE").status())
			.isEqualTo(200);
		assertThat(this.closed.get("parkinglot?state=DISCARDED&messageId=m1").json().path("messages").valueStream())
			.hasSize(1);
		JsonNode entry = this.closed.get("replays/audit?size=1").json().path("entries").path(0);
		assertThat(entry.path("user").asString()).isEqualTo("alice");
		assertThat(entry.path("what").asString()).isEqualTo("DISCARD");
		assertThat(entry.path("reason").asString()).isEqualTo("OBSOLETE");
		assertThat(entry.path("count").asLong()).isOne();
	}

	@Test
	void whoWasShownABodyIsInTheAudit() {
		String path = "parkinglot/" + id("m1");
		JsonNode before = audited();
		this.showing.as("reader").get(path + "?payload=true");
		this.showing.as("admin").get(path);
		this.showing.as("admin").get("parkinglot/9007199254740990?payload=true");
		assertThat(audited()).isEqualTo(before);
		this.showing.as("admin").get(path + "?payload=true");
		this.showing.as("admin").get(path + "?payload=true");
		JsonNode entry = audited();
		assertThat(entry.path("id").asLong()).isEqualTo(before.path("id").asLong() + 1);
		assertThat(entry.path("user").asString()).isEqualTo("admin");
		assertThat(entry.path("what").asString()).isEqualTo("READ_BODY");
		assertThat(entry.path("selection").asString()).isEqualTo("ids=" + id("m1"));
		this.open.get(path + "?payload=true");
		assertThat(audited().path("user").asString()).isEqualTo("anonymous");
		assertThat(this.open.get(path + "?payload=true&user=olivia").status()).isEqualTo(400);
	}

	@Test
	void theAuditIsFilteredAndNamesWhatCanBeRestored() {
		long audit = this.open.post("parkinglot/discard?reason=VALIDATION_FAILED&expect=2", WHO)
			.json()
			.path("auditId")
			.asLong();
		String filter = "replays/audit?user=ops&act=DISCARD&to=2126-11-29T12:00:00Z&size=1";
		JsonNode answer = this.closed.get(filter + "&from=" + audited().path("at").asString()).json();
		assertThat(answer.path("entries").path(0).path("id").asLong()).isEqualTo(audit);
		assertThat(answer.path("restorable").path(0).asLong()).isEqualTo(audit);
		JsonNode bin = this.closed.get("parkinglot?state=DISCARDED&auditId=" + audit).json();
		assertThat(bin.path("discards").path(String.valueOf(id("m3", "&state=DISCARDED"))).path("user").asString())
			.isEqualTo("ops");
		assertThat(this.open.post("parkinglot/restore?discard=" + audit, WHO).status()).isEqualTo(200);
		assertThat(this.closed.get(filter).json().path("restorable")).isEmpty();
	}

	@Test
	void anyIdFindsAMessage() {
		park(7, headers(7).with("x-correlation-id", "customer_17-order-1").with("x-aggregate-id", "A%7"));
		awaitParked(6);
		for (String id : List.of("m7", "customer_17", "customer_17-order-1", "A%25", String.valueOf(id("m7")))) {
			assertThat(this.closed.get("parkinglot?anyId=" + id)
				.json()
				.path("messages")
				.valueStream()
				.map((message) -> message.path("messageId").asString())).as(id).containsExactly("m7");
		}
		for (String id : List.of("customer-17", "7", "A_7", "%25")) {
			assertThat(this.closed.get("parkinglot?anyId=" + id).json().path("messages")).as(id).isEmpty();
		}
		assertThat(this.closed.get("parkinglot/groups?anyId=m").json().path("groups")).hasSize(2);
	}

	private JsonNode audited() {
		return this.closed.get("replays/audit?size=1").json().path("entries").path(0);
	}

	@Test
	void aBodyThatTheAuditCanNotRecordIsNotShown() {
		String path = "parkinglot/" + id("m2");
		jdbc().execute("alter table rabbit_retry_audit rename to away");
		try {
			Http.Answer answer = this.open.get(path + "?payload=true");
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.text()).doesNotContain("4111");
			assertThat(this.open.get(path).status()).isEqualTo(200);
		}
		finally {
			jdbc().execute("alter table away rename to rabbit_retry_audit");
		}
		assertThat(this.open.get(path + "?payload=true").text()).contains("4111");
		assertThat(audited().path("selection").asString()).isEqualTo("ids=" + id("m2"));
	}

	@Test
	void aReplayIsTriedStartedAndFollowed() {
		JsonNode tried = this.closed
			.get("replays/dry-run?fingerprint=f-timeout&maximum=2&user=ops&because=HANDLER_FIXED")
			.json()
			.path("dryRun");
		assertThat(tried.path("matching").asLong()).isEqualTo(3);
		assertThat(tried.path("wouldReplay").asLong()).isEqualTo(2);
		assertThat(parked()).hasSize(5);
		JsonNode begun = start(
				Map.of("fingerprint", "f-timeout", "expect", "9", "maximum", "2", "canary", "0", "rate", "unlimited"));
		String id = begun.path("id").asString();
		assertThat(begun.path("act").path("user").asString()).isEqualTo("ops");
		JsonNode done = awaitState(id, "FINISHED");
		assertThat(done.path("percent").asDouble()).isEqualTo(100);
		assertThat(done.path("active").asBoolean()).isFalse();
		assertThat(done.path("replay").path("counts").path("undecided").asLong()).isEqualTo(2);
		List<GetResponse> replayed = this.broker.drain(queue());
		assertThat(messageIds(replayed)).containsExactly("m0", "m1");
		assertThat(TestBroker.text(replayed.get(0))).containsEntry("x-replay-id", id)
			.containsEntry("x-replayed-by", "ops");
		JsonNode first = this.closed.get("replays/" + id + "/messages?size=1").json();
		assertThat(first.path("messages").path(0).path("state").asString()).isEqualTo("PUBLISHED");
		assertThat(first.path("next").asLong()).isOne();
		assertThat(
				this.closed.get("replays?size=1").json().path("replays").path(0).path("replay").path("id").asString())
			.isEqualTo(id);
	}

	@Test
	void aReplayOfAnotherApplicationIsListedPausedAndAborted() {
		String id = start(Map.of("all", "true", "expect", "5", "canary", "0", "rate", "0.2", "ramp", "0s")).path("id")
			.asString();
		jdbc().update("update rabbit_retry_replay_job set application = 'billing' where replay_id = ?", id);
		JsonNode last = this.closed.get("replays?size=1").json().at("/replays/0/replay");
		assertThat(last.path("id").asString()).isEqualTo(id);
		assertThat(last.path("application").asString()).isEqualTo("billing");
		assertThat(this.open.post("replays/" + id + "/pause", WHO).status()).isEqualTo(200);
		assertThat(this.open.post("replays/" + id + "/abort", WHO).json().at("/replay/state").asString())
			.isEqualTo("ABORTED");
	}

	@Test
	void messagesMoveToAnotherQueue() throws Exception {
		String target = this.broker.channel().queueDeclare().getQueue();
		JsonNode begun = start(Map.of("text", "VALIDATION_FAILED", "parkedFrom", "2026-07-01T12:00:00Z", "expect", "2",
				"target", target, "move", "true"));
		assertThat(begun.path("options").path("move").asBoolean()).isTrue();
		JsonNode done = awaitState(begun.path("id").asString(), "FINISHED");
		assertThat(done.at("/replay/counts/succeeded").asLong()).isEqualTo(2);
		assertThat(messageIds(this.broker.drain(target))).containsExactly("m3", "m4");
		assertThat(parked()).containsExactlyInAnyOrder("m0", "m1", "m2");
	}

	@Test
	void aReplayIsPausedResumedAndAbortedOnce() {
		String id = start(Map.of("all", "true", "expect", "5", "canary", "0", "rate", "0.2", "ramp", "0s")).path("id")
			.asString();
		assertThat(this.open.post("replays/" + id + "/pause", WHO).status()).isEqualTo(200);
		awaitState(id, "PAUSED");
		Http.Answer again = this.open.post("replays/" + id + "/pause", WHO);
		assertThat(again.status()).as(again.text()).isEqualTo(409);
		assertThat(this.closed.post("replays/" + id + "/resume", WHO).status()).isIn(404, 405);
		assertThat(this.open.post("replays/" + id + "/resume", WHO).status()).isEqualTo(200);
		assertThat(this.open.post("replays/" + id + "/abort", WHO).status()).isEqualTo(200);
		JsonNode aborted = awaitState(id, "ABORTED");
		assertThat(aborted.path("replay").path("why").asString()).isEqualTo("ASKED_FOR");
		assertThat(this.open.post("replays/" + id + "/resume", WHO).status()).isEqualTo(409);
		assertThat(this.open.post("replays/" + id + "/explode", WHO).error()).contains("Supported: pause");
	}

	@Test
	void whatWasDiscardedIsRestoredByTheAuditsNumber() {
		JsonNode tried = this.open.post("parkinglot/discard?dryRun=true&all=true", WHO).json();
		assertThat(tried.path("preview").path("samples").valueStream()).hasSize(5);
		String token = tried.path("preview").path("token").asString();
		long audit = this.open.post("parkinglot/discard?all=true&expect=" + token, WHO).json().path("auditId").asLong();
		assertThat(parked()).isEmpty();
		assertThat(this.closed.post("parkinglot/restore?discard=" + audit, WHO).status()).isIn(404, 405);
		JsonNode restored = this.open.post("parkinglot/restore?discard=" + audit, WHO).json();
		assertThat(restored.path("restored").asLong()).isEqualTo(5);
		assertThat(parked()).hasSize(5);
	}

	@Test
	void aRunningReplayKeepsItsMessagesAndTakesAnotherRate() {
		String id = start(Map.of("all", "true", "expect", "5", "canary", "0", "rate", "0.01", "ramp", "0s")).path("id")
			.asString();
		Http.Answer refused = this.open.delete("parkinglot/" + id("m4") + "?user=ops&because=OBSOLETE");
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.error()).contains(id, "takeReserved");
		assertThat(this.open.delete("parkinglot/" + id("m4") + "?user=ops&because=OBSOLETE&takeReserved=true").status())
			.isEqualTo(200);
		assertThat(this.open.post("replays/" + id + "/rate", WHO).error()).contains("'rate' is missing");
		JsonNode faster = this.open.post("replays/" + id + "/rate?rate=unlimited", WHO).json();
		assertThat(faster.path("replay").path("options").has("rate")).isFalse();
		JsonNode done = awaitState(id, "INCOMPLETE");
		assertThat(done.path("percent").asDouble()).isEqualTo(80);
		assertThat(messageIds(this.broker.drain(queue()))).containsExactly("m0", "m1", "m2", "m3");
	}

	@Test
	void moreThanExpectedAreRefused() {
		Http.Answer refused = this.open.post("replays?all=true&expect=4", WHO);
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.error()).contains("5 messages match now, 4 were expected");
		assertThat(this.open.post("parkinglot/discard?all=true&expect=4", WHO).status()).isEqualTo(409);
		assertThat(parked()).hasSize(5);
	}

	@Test
	void replaysThatAreStartedTogetherPublishEachMessageOnce() {
		List<CompletableFuture<Http.Answer>> starts = IntStream.range(0, 4)
			.mapToObj((number) -> CompletableFuture.supplyAsync(() -> this.open.post("replays",
					with(WHO,
							Map.of("all", "true", "expect", "5", "canary", "0", "rate", "unlimited", "takeReserved",
									"true")))))
			.toList();
		// who comes late finds nothing that is still parked
		starts.forEach((start) -> assertThat(start).succeedsWithin(Duration.ofSeconds(60))
			.satisfies((answer) -> assertThat(answer.status()).as(answer.text()).isIn(200, 409)));
		List<Http.Answer> started = starts.stream()
			.map(CompletableFuture::join)
			.filter((answer) -> answer.status() == 200)
			.toList();
		assertThat(started).isNotEmpty()
			.allSatisfy((answer) -> awaitEnd(answer.json().path("replay").path("id").asString()));
		assertThat(messageIds(this.broker.drain(queue()))).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4");
	}

	@Test
	void aMessageIsEditedOnlyWhereThatIsEnabled() {
		Map<String, String> edit = with(WHO, Map.of("id", String.valueOf(id("m1")), "body", "{\"n\":\"ä\"}",
				"header.x-tenant", "other", "header.x-app-x", "y"));
		assertThat(this.open.post("replays/edit", edit).status()).isEqualTo(400);
		Map<String, String> allowed = new HashMap<>(edit);
		allowed.remove("header.x-app-x");
		Http.Answer hidden = this.showing.post("replays/edit", allowed);
		assertThat(hidden.status()).isEqualTo(403);
		assertThat(hidden.error()).contains("requires permission to read its payload", "show-payload");
		Map<String, String> ofAdmin = new HashMap<>(allowed);
		ofAdmin.remove("user");
		Http.Answer refused = this.showing.as("admin").post("replays/edit", ofAdmin);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.error()).contains("edit-enabled");
		assertThat(parked()).hasSize(5);
		Http.Answer edited = this.open.post("replays/edit", allowed);
		assertThat(edited.status()).as(edited.text()).isEqualTo(200);
		GetResponse message = this.broker.take(queue());
		assertThat(message.getBody()).asString().isEqualTo("{\"n\":\"ä\"}");
		assertThat(message.getProps().getMessageId()).isNotEqualTo("m1");
		assertThat(TestBroker.text(message)).containsEntry("x-tenant", "other")
			.containsEntry("x-app-edited-message-id", "m1");
	}

	@Test
	void groupsThatAreNewSinceAVersionAreAskedFor() {
		park(7, headers(7).with("x-app-handler-version", "order-worker:2")
			.with("x-app-failure-fingerprint", "f-new")
			.with("x-app-exception", "java.lang.IllegalStateException")
			.with("x-app-parked-at", PARKED.plusSeconds(100).toString()));
		awaitParked(6);
		assertThat(this.closed.get("parkinglot/groups?newSince=order-worker:2")
			.json()
			.path("groups")
			.valueStream()
			.map((group) -> group.path("fingerprint").asString())).containsExactly("f-new");
	}

	@Test
	void aDatabaseThatCanNotBeUsedIsToldWithoutItsWords() {
		jdbc().execute("alter table rabbit_retry_parked_content rename to away");
		try {
			Stream.of(this.closed.get("parkinglot"), this.closed.get("parkinglot/17")).forEach((answer) -> {
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.error()).isEqualTo("The ledger's database can't be used now. See the log.");
			});
		}
		finally {
			jdbc().execute("alter table away rename to rabbit_retry_parked_content");
		}
	}

}
