/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.parking.ledger.StoredMessages;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for the endpoints behind Spring Security, over HTTP. One application has the
 * rules that the docs recommend, the other those of Spring Boot. Neither needs a broker.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SecuredEndpointsContract {

	private static final Set<String> REPLAYED = ConcurrentHashMap.newKeySet();

	static final String WRITERS = "OPERATOR";

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	private Http anybody = new Http(0, null);

	private Http byDefault = new Http(0, null);

	private Http byRole = new Http(0, null);

	private Http reader = this.anybody;

	private Http operator = this.anybody;

	private Http auditor = this.anybody;

	private String messageId = "";

	/** Which kind of web server. */
	abstract WebApplicationType type();

	/** An application with the rules that the docs recommend. */
	abstract Class<?> ruled();

	/** An application with users and no rules. */
	abstract Class<?> unruled();

	/** An application that lets everybody reach the endpoints. */
	abstract Class<?> permitting();

	@BeforeAll
	void start() {
		this.anybody = application(ruled());
		this.byDefault = application(unruled());
		this.byRole = application(permitting(), "rabbit-retry.replay.roles.replay=" + WRITERS,
				"rabbit-retry.replay.roles.discard=CLEANER,SCOPE_purge", "rabbit-retry.replay.roles.edit=EDITOR");
		this.reader = this.anybody.as("rita");
		this.operator = this.anybody.as("otto");
		this.auditor = this.anybody.as("paula");
	}

	private Http application(Class<?> configuration, String... more) {
		// nothing listens at port 1
		ConfigurableApplicationContext context = new SpringApplicationBuilder(configuration, Users.class).web(type())
			.run(Stream.concat(Arrays.stream(more), Stream.of("server.port=0", "server.address=127.0.0.1",
					"spring.autoconfigure.exclude=", "spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "rabbit-retry.ledger.enabled=true",
					"rabbit-retry.ledger.ingest=false", "rabbit-retry.topology.mode=none",
					"rabbit-retry.dead-letter-consumer.enabled=false", "rabbit-retry.replay.edit-enabled=true",
					"rabbit-retry.message-policies.Order.owner=team-orders",
					"management.endpoints.web.exposure.include=parkinglot,replays",
					"management.endpoint.parkinglot.access=unrestricted",
					"management.endpoint.replays.access=unrestricted",
					"management.endpoint.parkinglot.show-payload=when-authorized",
					"management.endpoint.parkinglot.roles=PAYLOADS"))
				.map("--"::concat)
				.toArray(String[]::new));
		this.applications.add(context);
		return new Http(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class), null);
	}

	<T> T bean(Class<T> type) {
		return this.applications.get(0).getBean(type);
	}

	@AfterAll
	void stop() {
		this.applications.forEach(ConfigurableApplicationContext::close);
	}

	@BeforeEach
	void oneIsParked() {
		this.messageId = UUID.randomUUID().toString();
		this.applications
			.forEach((application) -> StoredMessages.store(application.getBean(DataSource.class), this.messageId));
	}

	private String id(Http http) {
		return http.get("parkinglot?messageId=" + this.messageId).json().path("messages").path(0).path("id").asString();
	}

	private String id() {
		return id(this.reader);
	}

	/** Rows, replays and audit, but not how far a replay is that goes on meanwhile. */
	private static List<String> everything(Http http) {
		return Stream
			.of(seen(http, "parkinglot?state=ANY&size=1000", "/messages", ""),
					seen(http, "replays", "/replays", "/replay/id"), seen(http, "replays/audit", "/entries", ""))
			.flatMap(List::stream)
			.toList();
	}

	private static List<String> seen(Http http, String path, String array, String part) {
		Http.Answer answer = http.get(path);
		assertThat(answer.status()).isEqualTo(200);
		return answer.json().at(array).valueStream().map((node) -> node.at(part).toString()).toList();
	}

	private JsonNode lastAct() {
		return this.reader.get("replays/audit?size=1").json().path("entries").path(0);
	}

	/** One of each kind of request that writes. */
	private List<Http.Answer> writes(Http http, String id, String... more) {
		String asked = String.join("", Arrays.stream(more).map((pair) -> "&" + pair).toList());
		Map<String, String> one = Map.of("ids", id);
		return List.of(http.delete("parkinglot/" + id + "?because=TEST" + asked),
				http.post("parkinglot/discard?because=TEST" + asked, Map.of("ids", id)),
				http.post("replays?because=TEST" + asked, one),
				http.post("replays/edit?because=TEST" + asked, Map.of("id", id, "body", "{}")));
	}

	@Test
	void whoHasNotLoggedInIsTurnedAway() {
		String id = id();
		List<String> before = everything(this.reader);
		for (Http http : List.of(this.anybody, this.anybody.as("stranger"))) {
			assertThat(http.get("parkinglot").status()).isEqualTo(401);
			assertThat(http.get("parkinglot/" + id).status()).isEqualTo(401);
			assertThat(http.get("replays/audit").status()).isEqualTo(401);
			assertThat(writes(http, id, "user=otto")).extracting(Http.Answer::status).containsOnly(401);
		}
		assertThat(everything(this.reader)).isEqualTo(before);
	}

	@Test
	void whoMayOnlyReadChangesNothing() {
		String id = id();
		List<String> before = everything(this.reader);
		assertThat(writes(this.reader, id)).extracting(Http.Answer::status).containsOnly(403);
		assertThat(writes(this.reader, id, "user=otto")).extracting(Http.Answer::status).containsOnly(403);
		assertThat(everything(this.reader)).isEqualTo(before);
	}

	@Test
	void theAuditNamesWhoHasLoggedIn() {
		assertThat(this.operator.delete("parkinglot/" + id() + "?because=OBSOLETE").status()).isEqualTo(200);
		JsonNode act = lastAct();
		assertThat(act.path("user").asString()).isEqualTo("otto");
		assertThat(act.path("what").asString()).isEqualTo("DISCARD");
		assertThat(act.path("reason").asString()).isEqualTo("OBSOLETE");
		assertThat(act.path("count").asLong()).isOne();
	}

	@Test
	void aDryRunWritesNothingIntoTheAudit() {
		List<String> before = everything(this.reader);
		assertThat(this.reader.get("replays/dry-run?ids=" + id() + "&because=WHAT_IF").status()).isEqualTo(200);
		JsonNode tried = this.operator.post("parkinglot/discard?dryRun=true", Map.of("ids", id())).json();
		assertThat(tried.path("discarded").asLong()).isOne();
		assertThat(tried.hasNonNull("auditId")).isFalse();
		assertThat(everything(this.reader)).isEqualTo(before);
	}

	@Test
	void theAuditSaysWhoDiscardedWhatAndWhatCanBeRestored() {
		String id = id();
		JsonNode parked = this.reader.get("parkinglot/" + id).json().path("message");
		String cause = parked.path("cause").path("id").asString();
		long discard = this.operator
			.post("parkinglot/discard?because=OBSOLETE&expect=1",
					Map.of("cause", cause, "messageId", this.messageId, "parkedBefore", "2126-11-29T12:00:00Z"))
			.json()
			.path("auditId")
			.asLong();
		JsonNode discards = audit("user=otto&act=discard&size=1");
		JsonNode entry = discards.path("entries").path(0);
		assertThat(entry.path("id").asLong()).isEqualTo(discard);
		assertThat(discards.path("causes").path(0)).isEqualTo(parked.path("cause"));
		assertThat(discards.path("restorable").path(0).asLong()).isEqualTo(discard);
		String at = entry.path("at").asString();
		assertThat(audit("act=DISCARD&user=otto&from=" + at).path("entries").path(0)).isEqualTo(entry);
		assertThat(audit("act=DISCARD&user=otto&from=%s&to=%s".formatted(at, at)).path("entries")).isEmpty();
		assertThat(audit("act=DISCARD&user=rita").path("entries")).isEmpty();
		assertThat(audit("act=ABORT&from=" + at).path("entries")).isEmpty();

		JsonNode bin = this.reader.get("parkinglot?state=DISCARDED&auditId=" + discard).json();
		assertThat(bin.path("messages")).hasSize(1);
		assertThat(bin.path("discards").path(id)).isEqualTo(entry);

		long restore = this.operator.post("parkinglot/restore?because=WRONG_ONE&discard=" + discard, Map.of())
			.json()
			.path("auditId")
			.asLong();
		assertThat(audit("user=otto&act=DISCARD&size=1").path("restorable")).isEmpty();
		JsonNode restored = this.reader.get("parkinglot?auditId=" + restore).json();
		assertThat(restored.path("messages").path(0).path("id").asString()).isEqualTo(id);
		assertThat(restored.has("discards")).isFalse();
	}

	private JsonNode audit(String arguments) {
		Http.Answer answer = this.reader.get("replays/audit?" + arguments);
		assertThat(answer.status()).as(answer.text()).isEqualTo(200);
		return answer.json();
	}

	@Test
	void whatTheAuditCanNotBeFilteredByIsRefused() {
		for (String unclear : List.of("act=EXPLODE", "from=yesterday", "to=-1", "who=otto", "user=a&user=b")) {
			assertThat(this.reader.get("replays/audit?" + unclear).status()).as(unclear).isEqualTo(400);
		}
		assertThat(audit("user=%27%20or%201=1--").path("entries")).isEmpty();
	}

	@Test
	void aMessageIsFoundByTheBeginningOfAnyOfItsIds() {
		String id = id();
		for (String known : List.of(this.messageId, this.messageId.substring(0, 20), id)) {
			assertThat(this.reader.get("parkinglot?anyId=" + known)
				.json()
				.path("messages")
				.valueStream()
				.map((message) -> message.path("id").asString())).as(known).contains(id);
		}
		for (String other : List.of(this.messageId + "0", this.messageId.substring(1), "%25", "_", "%5C",
				"99999999999999999999", "%27")) {
			assertThat(this.reader.get("parkinglot?anyId=" + other).json().path("messages")).as(other).isEmpty();
		}
		assertThat(this.reader.get("parkinglot?anyId=%20").status()).isEqualTo(400);
		assertThat(this.operator
			.post("parkinglot/discard?because=OBSOLETE&expect=1", Map.of("anyId", this.messageId.substring(0, 20)))
			.json()
			.path("discarded")
			.asLong(-1)).as("discarded by the beginning of an id, which may be that of others").isZero();
		JsonNode discarded = this.operator
			.post("parkinglot/discard?because=OBSOLETE&expect=1", Map.of("anyId", this.messageId))
			.json();
		assertThat(discarded.path("discarded").asLong()).isOne();
		assertThat(lastAct().path("selection").asString()).isEqualTo("anyId=" + this.messageId);
	}

	@Test
	void aReplayIsWhosWhoHasLoggedIn() {
		JsonNode replay = this.operator.post("replays", Map.of("ids", id(), "because", "HANDLER_FIXED"))
			.json()
			.path("replay");
		assertThat(replay.path("act").path("user").asString()).isEqualTo("otto");
		String path = "replays/" + replay.path("id").asString();
		assertThat(this.reader.get(path).json().path("replay").path("act").path("user").asString()).isEqualTo("otto");
		assertThat(this.auditor.post(path + "/abort", Map.of("because", "WRONG_ONE")).status()).isEqualTo(200);
		assertThat(this.reader.get("replays/audit?replayId=" + replay.path("id").asString())
			.json()
			.path("entries")
			.valueStream()
			.filter((entry) -> !entry.path("user").asString().equals("rabbit-retry"))
			.map((entry) -> entry.path("what").asString() + " by " + entry.path("user").asString()))
			.containsExactly("ABORT by paula", "REPLAY by otto");
	}

	@Test
	void nobodyActsAsSomebodyElse() {
		String id = id();
		List<String> before = everything(this.reader);
		assertThat(writes(this.operator, id, "user=rita")).allSatisfy((answer) -> {
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.error()).isEqualTo("'user' is not who has logged in. Leave it out.");
		});
		Map<String, String> inTheBody = Map.of("ids", id, "because", "TEST", "user", "rita");
		assertThat(this.operator.post("parkinglot/discard", inTheBody).status()).isEqualTo(400);
		assertThat(this.operator.post("replays", inTheBody).status()).isEqualTo(400);
		assertThat(this.reader.get("replays/dry-run?because=TEST&user=otto&ids=" + id).status()).isEqualTo(400);
		assertThat(everything(this.reader)).isEqualTo(before);
		assertThat(this.operator.delete("parkinglot/" + id + "?because=TEST&user=otto").status()).isEqualTo(200);
	}

	@Test
	void payloadsAreShownToTheRoleOnly() {
		String path = "parkinglot/" + id() + "?payload=true";
		for (Http http : List.of(this.reader, this.operator)) {
			Http.Answer refused = http.get(path);
			assertThat(refused.status()).isEqualTo(403);
			assertThat(refused.error()).contains("require the role PAYLOADS (management.endpoint.parkinglot.roles");
			assertThat(refused.text() + http.get("parkinglot/" + id()).text()).doesNotContain("4111", "secret-tenant");
		}
		JsonNode shown = this.auditor.get(path).json();
		assertThat(shown.path("payload").path("content").asString()).isEqualTo("{\"card\":\"4111\"}");
		assertThat(shown.path("headers").path("x-tenant").asString()).isEqualTo("secret-tenant");
	}

	@Test
	void whoMayNotReadAPayloadMayNotEditIt() {
		Map<String, String> edit = Map.of("id", id(), "body", "{}", "because", "TEST");
		Http.Answer refused = this.operator.post("replays/edit", edit);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.error()).contains("Editing a message requires permission to read its payload");
		assertThat(this.auditor.post("replays/edit", edit).status()).isEqualTo(200);
	}

	@Test
	void theRulesOfSpringBootWantACsrfTokenOfWhoWrites() {
		assertThat(this.byDefault.get("parkinglot").status()).isEqualTo(401);
		Http loggedIn = this.byDefault.as("otto");
		List<String> before = everything(loggedIn);
		// 401 where the page that would explain the 403 is locked too
		assertThat(writes(loggedIn, id(loggedIn))).extracting(Http.Answer::status).isSubsetOf(401, 403);
		assertThat(everything(loggedIn)).isEqualTo(before);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			# user | discards | replays | edits
			anonymous | 403      | 403     | 403
			rita   | 403      | 403     | 403
			otto   | 403      | 200     | 403
			carla  | 200      | 403     | 403
			petra  | 200      | 403     | 403
			edda   | 403      | 403     | 200
			""")
	void everyRoleDoesWhatItIsForAndEverybodyReads(String user, int discards, int replays, int edits) {
		Http http = user.equals("anonymous") ? this.byRole : this.byRole.as(user);
		String who = "?because=TEST&user=" + user;
		Map<String, String> first = Map.of("ids", stored());
		Map<String, String> second = Map.of("ids", stored());
		String third = stored();
		String replayed = stored();
		String replay = "replays/" + this.byRole.as("otto")
			.post("replays?because=TEST", Map.of("ids", replayed))
			.json()
			.at("/replay/id")
			.asString();
		assertThat(Stream
			.of("parkinglot", "parkinglot/groups", "parkinglot/" + third, "replays", "replays/audit", replay,
					replay + "/messages", "replays/dry-run" + who + "&all=true")
			.map((path) -> http.get(path).status())).containsOnly(200);
		List<Http.Answer> tried = List.of(http.post("parkinglot/discard" + who + "&dryRun=true", first),
				http.post("parkinglot/restore" + who + "&dryRun=true", first));
		assertThat(tried).extracting(Http.Answer::status).containsOnly(200);
		REPLAYED.add("\"id\":%s,\"state\"".formatted(replayed));
		// this replay and those of other roles go on meanwhile
		Predicate<String> others = (line) -> !line.contains("\"FINISH\"")
				&& REPLAYED.stream().noneMatch(line::contains);
		List<String> before = everything(http).stream().filter(others).toList();
		assertThatStatus(discards, "discard", "CLEANER or SCOPE_purge", http.delete("parkinglot/" + third + who),
				http.post("parkinglot/discard" + who, first), http.post("parkinglot/restore" + who, first));
		assertThatStatus(replays, "replay", WRITERS, http.post("replays" + who, second),
				http.post(replay + "/pause" + who, Map.of()), http.post(replay + "/resume" + who, Map.of()),
				http.post(replay + "/rate" + who, Map.of("rate", "5")), http.post(replay + "/abort" + who, Map.of()));
		// it has nothing uncertain
		assertThatStatus((replays == 200) ? 409 : 403, "replay", WRITERS,
				http.post(replay + "/restore" + who, Map.of()));
		assertThatStatus(edits, "edit", "EDITOR",
				http.post("replays/edit" + who, Map.of("id", first.get("ids"), "body", "{}")));
		if (!List.of(discards, replays, edits).contains(200)) {
			assertThat(everything(http)).filteredOn(others).isEqualTo(before);
		}
	}

	private String stored() {
		String stored = UUID.randomUUID().toString();
		StoredMessages.store(this.applications.get(2).getBean(DataSource.class), stored);
		return this.byRole.get("parkinglot?messageId=" + stored).json().at("/messages/0/id").asString();
	}

	private static void assertThatStatus(int status, String key, String role, Http.Answer... answers) {
		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.status()).as(answer.text()).isEqualTo(status);
			if (status == 403) {
				assertThat(answer.error())
					.contains("requires the role %s (rabbit-retry.replay.roles.%s)".formatted(role, key));
			}
		});
	}

	@Test
	void whoHasNotLoggedInIsToldSo() {
		assertThat(this.byRole.post("replays", Map.of("all", "true")).error()).isEqualTo(
				"This requires the role OPERATOR (rabbit-retry.replay.roles.replay), and the request is not authenticated.");
	}

	/** Who there is. */
	@Configuration(proxyBeanMethods = false)
	static class Users {

		static List<UserDetails> all() {
			return List.of(user("rita", "READER"), user("otto", WRITERS), user("paula", WRITERS, "PAYLOADS"),
					user("carla", "CLEANER"), user("edda", "EDITOR", "PAYLOADS"),
					User.withUsername("petra").password("{noop}" + Http.PASSWORD).authorities("SCOPE_purge").build());
		}

		private static UserDetails user(String name, String... roles) {
			return User.withUsername(name).password("{noop}" + Http.PASSWORD).roles(roles).build();
		}

	}

}
