/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.it.ParkedHeaders;
import io.github.rabbitretry.it.TestBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for the endpoints. Three applications see the same parking lot: one with
 * Spring Boot's default access, one that is open, and one that shows payloads to whoever
 * is authorized.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndpointContract {

	static final Instant PARKED = Instant.parse("2026-07-01T12:00:00Z");

	private static final String LONG = "x".repeat(300);

	final TestBroker broker = TestBroker.connect();

	private final List<ServletWebServerApplicationContext> applications = new ArrayList<>();

	Http closed = new Http(0, null);

	Http open = new Http(0, null);

	Http showing = new Http(0, null);

	/** The work queue. */
	abstract String queue();

	/** What an application needs to be the kind that is tested here. */
	abstract List<String> properties();

	/** Has messages parked, and waits until they can be seen. */
	abstract void awaitParked(int count);

	/** What is parked, by message id. */
	abstract List<String> parked();

	/** Takes away all that is parked. */
	abstract void clear();

	String parkingLot() {
		return queue() + ".parking-lot";
	}

	@BeforeAll
	void start() {
		this.broker.deleteAll(queue());
		this.closed = application();
		this.open = application("management.endpoint.parkinglot.access=unrestricted",
				"management.endpoint.replays.access=unrestricted", "rabbit-retry.replay.edit-enabled=true",
				"management.endpoint.parkinglot.show-payload=always");
		this.showing = application("management.endpoint.replays.access=unrestricted",
				"management.endpoint.parkinglot.show-payload=when-authorized",
				"management.endpoint.parkinglot.roles=OPERATOR");
	}

	private Http application(String... properties) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		Stream.concat(properties().stream(), Arrays.stream(properties))
			.forEach((property) -> arguments.add("--" + property));
		arguments.addAll(List.of("--server.port=0", "--server.address=127.0.0.1",
				"--spring.application.name=endpoint-test", "--management.endpoints.web.exposure.include=*",
				"--rabbit-retry.message-policies.EndpointOrder.queue=" + queue(),
				"--rabbit-retry.message-policies.EndpointOrder.owner=team-orders"));
		ServletWebServerApplicationContext context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(
				Application.class)
			.web(WebApplicationType.SERVLET)
			.run(arguments.toArray(String[]::new));
		this.applications.add(context);
		return new Http(context.getWebServer().getPort(), null);
	}

	<T> T bean(Class<T> type) {
		return this.applications.get(1).getBean(type);
	}

	@AfterAll
	void stop() {
		this.applications.forEach(ServletWebServerApplicationContext::close);
		this.broker.deleteAll(queue());
		this.broker.close();
	}

	@BeforeEach
	void fiveAreParked() {
		clear();
		this.broker.drain(queue());
		IntStream.range(0, 5).forEach((number) -> park(number, headers(number)));
		awaitParked(5);
	}

	void park(int number, ParkedHeaders headers) {
		this.broker.sendJson(parkingLot(), "m" + number, headers.headers(), "{\"card\":\"4111\",\"n\":" + number + "}");
	}

	ParkedHeaders headers(int number) {
		ParkedHeaders headers = ParkedHeaders.of("EndpointOrder", PARKED.plusSeconds(number))
			.with("x-tenant", "secret-tenant")
			.with("x-app-retry-history",
					"2026-07-01T11:59:00Z #1 RATE_LIMITED 10s a; 2026-07-01T12:00:00Z #2 RATE_LIMITED parked b");
		return (number < 3) ? headers
				: headers.with("x-app-failure-fingerprint", "f-validation")
					.with("x-app-retry-reason", "VALIDATION_FAILED")
					.with("x-app-failure-reason", "VALIDATION_FAILED")
					.with("x-app-retry-class", "permanent-business");
	}

	long id(String messageId) {
		return id(messageId, "");
	}

	long id(String messageId, String more) {
		return this.closed.get("parkinglot?messageId=" + messageId + more)
			.json()
			.path("messages")
			.path(0)
			.path("id")
			.asLong();
	}

	private static List<String> texts(JsonNode array, String field) {
		return array.valueStream().map((node) -> node.path(field).asString()).toList();
	}

	@Test
	void messagesAreListedLastParkedFirstPageByPage() {
		JsonNode first = this.closed.get("parkinglot?size=3&count=true").json();
		assertThat(texts(first.path("messages"), "messageId")).containsExactly("m4", "m3", "m2");
		assertThat(first.path("total").asLong()).isEqualTo(5);
		JsonNode message = first.path("messages").path(0);
		assertThat(message.path("reason").asString()).isEqualTo("VALIDATION_FAILED");
		assertThat(message.path("parkedAt").asString()).isEqualTo("2026-07-01T12:00:04Z");
		assertThat(message.path("attempts").asInt()).isEqualTo(4);
		JsonNode second = this.closed.get("parkinglot?size=3&after=" + encoded(first.path("next").asString())).json();
		assertThat(texts(second.path("messages"), "messageId")).containsExactly("m1", "m0");
		assertThat(second.has("next")).isFalse();
	}

	@Test
	void theOldestComeFirstIfThatIsAskedFor() {
		JsonNode first = this.closed.get("parkinglot?size=3&order=OLDEST_FIRST").json();
		assertThat(texts(first.path("messages"), "messageId")).containsExactly("m0", "m1", "m2");
		assertThat(texts(
				this.closed.get("parkinglot?size=3&order=OLDEST_FIRST&after=" + encoded(first.path("next").asString()))
					.json()
					.path("messages"),
				"messageId"))
			.containsExactly("m3", "m4");
	}

	@Test
	void filtersNarrow() {
		assertThat(texts(this.closed.get("parkinglot?failureClass=permanent-business&parkedBefore=2026-07-01T12:00:04Z")
			.json()
			.path("messages"), "messageId")).containsExactly("m3");
		assertThat(texts(this.closed.get("parkinglot?owner=team-payments").json().path("messages"), "messageId"))
			.isEmpty();
		assertThat(texts(this.closed.get("parkinglot?text=read%20TIMED").json().path("messages"), "messageId"))
			.hasSize(5);
		assertThat(texts(this.closed.get("parkinglot/groups?text=validation_F&parkedFrom=2026-07-01T12:00:04Z")
			.json()
			.path("groups"), "fingerprint")).containsExactly("f-validation");
	}

	@Test
	void messagesAreGroupedByCauseAndABudgetIsNone() {
		JsonNode groups = this.closed.get("parkinglot/groups").json().path("groups");
		assertThat(texts(groups, "fingerprint")).containsExactly("f-timeout", "f-validation");
		assertThat(texts(groups, "reason")).containsExactly("DOWNSTREAM_TIMEOUT", "VALIDATION_FAILED");
		assertThat(groups.path(0).path("budgetExhausted").asLong()).isEqualTo(3);
		String cause = groups.path(1).path("cause").path("id").asString();
		assertThat(texts(this.closed.get("parkinglot?cause=" + cause).json().path("messages"), "messageId"))
			.containsExactly("m4", "m3");
		assertThat(groups.path(0).path("count").asLong()).isEqualTo(3);
		assertThat(groups.path(0).path("lastParkedAt").asString()).isEqualTo("2026-07-01T12:00:02Z");
	}

	@Test
	void aMessageIsShownWithoutWhatItsProducerWrote() {
		Http.Answer answer = this.closed.get("parkinglot/" + id("m1"));
		assertThat(answer.json().path("message").path("messageId").asString()).isEqualTo("m1");
		assertThat(answer.json().path("headers").path("x-app-owner").asString()).isEqualTo("team-orders");
		assertThat(answer.json().path("hiddenHeaders").valueStream().map(JsonNode::asString))
			.containsExactly("x-tenant");
		assertThat(answer.json().path("history").valueStream().map(JsonNode::asString)).containsExactly(
				"2026-07-01T11:59:00Z #1 RATE_LIMITED 10s a", "2026-07-01T12:00:00Z #2 RATE_LIMITED parked b");
		assertThat(answer.text()).doesNotContain("4111", "secret-tenant");
	}

	@Test
	void payloadsAreShownToWhoIsAuthorizedIfThatIsAskedFor() {
		String path = "parkinglot/" + id("m1");
		assertThat(this.closed.as("admin").get(path + "?payload=true").status()).isEqualTo(403);
		assertThat(this.showing.get(path + "?payload=true").status()).isEqualTo(403);
		assertThat(this.showing.as("reader").get(path + "?payload=true").status()).isEqualTo(403);
		assertThat(this.showing.as("admin").get(path).text()).doesNotContain("4111");
		JsonNode shown = this.showing.as("admin").get(path + "?payload=true").json();
		assertThat(shown.path("payload").path("content").asString()).isEqualTo("{\"card\":\"4111\",\"n\":1}");
		assertThat(shown.path("payload").path("encoding").asString()).isEqualTo("text");
		assertThat(shown.path("headers").path("x-tenant").asString()).isEqualTo("secret-tenant");
	}

	@Test
	void writingIsOffByDefault() {
		Map<String, String> all = Map.of("all", "true", "expect", "10", "user", "ops", "because", "TEST");
		assertThat(this.closed.post("parkinglot/discard", all).status()).isEqualTo(405);
		assertThat(this.closed.delete("parkinglot/" + id("m1") + "?user=ops&because=TEST").status()).isEqualTo(405);
		assertThat(this.closed.post("replays", all).status()).isEqualTo(405);
		assertThat(this.closed.post("replays/edit", all).status()).isEqualTo(405);
		assertThat(this.closed.post("replays/replay-1/abort", all).status()).isBetween(404, 405);
		assertThat(parked()).hasSize(5);
	}

	@ParameterizedTest(name = "{index}: {0} is {3}")
	@MethodSource("hostile")
	void hostileRequestsAreRefusedWithAReasonAndChangeNothing(String method, String path, String body, int status,
			String error) {
		Http.Answer answer = this.open.send(method, path, body.isEmpty() ? null : body, "application/json");
		assertThat(answer.status()).as(answer.text()).isEqualTo(status);
		assertThat(answer.error()).contains(error);
		assertThat(answer.text()).doesNotContainIgnoringCase("Exception", "\tat ", "select ", "rabbit_retry_", "jdbc");
		assertThat(parked()).hasSize(5);
		assertThat(this.broker.ready(queue())).isZero();
	}

	static Stream<Arguments> hostile() {
		String who = "\"user\":\"ops\",\"because\":\"TEST\"";
		return Stream.of(get("parkinglot?size=-1", 400, "'size'"), get("parkinglot?size=0", 400, "from 1 to 1000"),
				get("parkinglot?size=1001", 400, "from 1 to 1000"), get("parkinglot?size=abc", 400, "whole number"),
				get("parkinglot?size=99999999999999999999", 400, "whole number"),
				get("parkinglot?after=" + encoded("' OR 1=1 --"), 400, "'after'"),
				get("parkinglot?after=" + encoded("+999999999-12-31T23:59:59Z_1"), 400, "'after'"),
				get("parkinglot?after=" + encoded("-999999999-01-01T00:00:00Z_1"), 400, "'after'"),
				get("parkinglot?after=-1", 400, "'after'"), get("parkinglot?page=-1", 400, "Unknown argument 'page'"),
				get("parkinglot?reasn=X", 400, "Unknown argument 'reasn'"),
				get("parkinglot?reason=a&reason=b", 400, "more than once"),
				get("parkinglot?reason=" + LONG, 400, "300 characters"),
				get("parkinglot?reason=a%0d%0aX-Injected:%20b", 400, "control characters"),
				get("parkinglot?correlationId=a%00b", 400, "control characters"),
				get("parkinglot?text=%20", 400, "'text' is blank"),
				get("parkinglot?text=" + LONG, 400, "300 characters"),
				get("parkinglot?text=a%00b", 400, "control characters"),
				post("parkinglot/discard", "{\"text\":\"\",\"expect\":9," + who + "}", 400, "all=true"),
				post("parkinglot/discard", "{\"text\":\" \",\"expect\":9," + who + "}", 400, "'text' is blank"),
				get("parkinglot?failureClass=evil", 400, "permanent-business"),
				get("parkinglot?state=GONE", 400, "PARKED"), get("parkinglot?order=X", 400, "OLDEST_FIRST"),
				get("parkinglot?payloadState=x", 400, "WHOLE"), get("parkinglot?parkedFrom=yesterday", 400, "instant"),
				get("parkinglot?parkedFrom=" + encoded("+999999999-12-31T23:59:59Z"), 400, "instant"),
				get("parkinglot?parkedBefore=" + encoded("9999-12-31T23:59:59-18:00"), 400, "from 0001 to 9999"),
				get("parkinglot?parkedBefore=" + encoded("-0001-12-31T23:59:59Z"), 400, "from 0001 to 9999"),
				post("parkinglot/discard", "{\"parkedBefore\":\"+99999-01-01T00:00:00Z\",\"expect\":9," + who + "}",
						400, "instant"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":9223372036854775807," + who + "}",
						400, "at most 100000000"),
				get("parkinglot?count=maybe", 400, "boolean"), get("parkinglot/groups?size=-5", 400, "'size'"),
				get("parkinglot/0", 404, "no parked message"), get("parkinglot/-1", 404, "no parked message"),
				get("parkinglot/" + encoded("1;drop table x"), 404, "ids are numbers"),
				get("parkinglot/99999999999999999999", 404, "ids are numbers"),
				get("parkinglot/9007199254740990", 404, "no parked message"),
				post("parkinglot/discard", "{}", 400, "all=true"),
				post("parkinglot/discard", "{\"all\":true,\"maximum\":9," + who + "}", 400, "'expect'"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":\"many\"," + who + "}", 400, "expect"),
				post("parkinglot/restore", "{\"all\":true," + who + "}", 400, ""),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":-1," + who + "}", 400, "maximum"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":0," + who + "}", 400, "maximum"),
				post("parkinglot/discard", "{\"all\":\"yes\",\"expect\":9,\"maximum\":9," + who + "}", 400, "boolean"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":9,\"because\":\"TEST\"}", 400,
						"'user'"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":9,\"user\":\"ops\"}", 400,
						"'because'"),
				post("parkinglot/discard", "{\"all\":true,\"expect\":9,\"maximum\":9,\"user\":\" \",\"because\":\"x\"}",
						400, "user"),
				post("parkinglot/discard",
						"{\"all\":true,\"expect\":9,\"maximum\":9,\"user\":\"ops\\r\\nx-admin: 1\",\"because\":\"x\"}",
						400, "control characters"),
				post("parkinglot/discard",
						"{\"all\":true,\"expect\":9,\"maximum\":9,\"user\":\"ops\",\"because\":\"" + LONG + "\"}", 400,
						"'because'"),
				post("parkinglot/discard", "{\"ids\":\"1;drop table x\"," + who + "}", 400, "'ids'"),
				post("parkinglot/discard", "{\"ids\":\"" + "1,".repeat(1000) + "1\"," + who + "}", 400, "ids"),
				post("parkinglot/discard", "{\"reasn\":\"X\",\"all\":true,\"expect\":9,\"maximum\":9," + who + "}", 400,
						"Unknown argument 'reasn'"),
				post("parkinglot/discard", "{\"queue\":{\"$ne\":1},\"expect\":9," + who + "}", 400, ""),
				post("parkinglot/discard", "[1,2]", 400, ""), post("parkinglot/discard", "{\"all\":tr", 400, ""),
				post("parkinglot/purge", "{\"all\":true,\"expect\":9,\"maximum\":9," + who + "}", 404,
						"Supported: discard"),
				Arguments.of("DELETE", "parkinglot/abc?user=ops&because=TEST", "", 404, "ids are numbers"),
				Arguments.of("DELETE", "parkinglot/1?because=TEST", "", 400, "'user'"),
				get("parkinglot/groups?by=messageId", 400,
						"'by' must be one of [messageType, owner, handlerVersion, schemaVersion, queue]"),
				get("parkinglot/groups?by=owner&trend=true", 400, "excludes"),
				get("parkinglot/groups?by=owner&newSince=v", 400, "excludes"), get("replays?state=x", 400, "RUNNING"),
				get("replays?size=-1", 400, "'size'"), get("replays/unknown", 404, ""),
				get("replays/" + encoded("'; drop table x; --"), 404, ""), get("replays/unknown/messages", 404, ""),
				get("replays/unknown/secrets", 404, "Supported: messages"), get("replays/dry-run", 400, "all=true"),
				post("replays", "{\"all\":true," + who + "}", 400, "'expect'"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":-5," + who + "}", 400, "maximum"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"rate\":\"NaN\"," + who + "}", 400,
						"'rate'"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"rate\":\"1e-300\"," + who + "}", 400,
						"at least 0.01"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"rate\":\"1e300\"," + who + "}", 400,
						"at most 100000"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"rate\":\"-Infinity\"," + who + "}", 400,
						"'rate'"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"rate\":-0.0," + who + "}", 400, "positive"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"abortMinimum\":2000000000," + who + "}",
						400, "at most 1000000"),
				post("replays",
						"{\"all\":true,\"expect\":9,\"maximum\":5,\"ramp\":\"9223372036854775807d\"," + who + "}", 400,
						"a time as 30s"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":9223372036854775807," + who + "}", 400,
						"at most 100000000"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"ramp\":\"soon\"," + who + "}", 400,
						"a time as 30s"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"canary\":99999999999," + who + "}", 400,
						"canary"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"user\":\"a\\u0000b\",\"because\":\"x\"}",
						400, "control characters"),
				post("replays", "{\"all\":true,\"expect\":9,\"maximum\":5,\"user\":\"a\\u2028b\",\"because\":\"x\"}",
						400, "U+2028"),
				post("replays", "{\"all\":true,\"expect\":9,\"move\":true,\"canary\":0," + who + "}", 400,
						"move has no target"),
				post("replays", "{\"all\":true,\"expect\":9,\"move\":true,\"target\":\"t\",\"canary\":1," + who + "}",
						400, "canary is 1 with a target"),
				post("replays/unknown/abort", "{" + who + "}", 404, ""),
				post("replays/unknown/restore", "{" + who + "}", 404, ""),
				post("replays/unknown/explode", "{" + who + "}", 404, "Supported: pause"),
				post("replays/unknown", "{" + who + "}", 404, "Supported: edit"),
				post("replays/edit", "{\"body\":\"x\"," + who + "}", 400, "'id'"),
				post("replays/edit", "{\"id\":1,\"bodyBase64\":\"***\"," + who + "}", 400, "base64"),
				post("replays/edit", "{\"id\":1,\"body\":\"x\",\"bodyBase64\":\"eA==\"," + who + "}", 400,
						"one of them"),
				post("replays/edit", "{\"id\":1," + who + "}", 400, "changes nothing"),
				post("replays/edit", "{\"id\":1,\"header.x-replayed-by\":\"me\"," + who + "}", 400,
						"not the producer's"),
				post("replays/edit", "{\"id\":1,\"header.x-a\":\"b\\r\\nc\"," + who + "}", 400, "control character"));
	}

	private static Arguments get(String path, int status, String error) {
		return Arguments.of("GET", path, "", status, error);
	}

	private static Arguments post(String path, String body, int status, String error) {
		return Arguments.of("POST", path, body, status, error);
	}

	static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	@Test
	void whatLooksLikeSqlFindsNothing() {
		for (String field : List.of("queue", "messageType", "reason", "fingerprint", "owner", "handlerVersion",
				"correlationId", "aggregateId", "messageId", "replayId", "text", "schemaVersion")) {
			Http.Answer answer = this.open
				.get("parkinglot?" + field + "=" + encoded("x' OR '1'='1'; drop table rabbit_retry_parked; --"));
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.json().path("messages").valueStream()).isEmpty();
		}
		assertThat(parked()).hasSize(5);
	}

	@Test
	void anotherContentTypeIsRefused() {
		assertThat(this.open
			.send("POST", "parkinglot/discard", "all=true&maximum=9&user=ops&because=TEST",
					"application/x-www-form-urlencoded")
			.status()).isEqualTo(415);
		assertThat(parked()).hasSize(5);
	}

	static List<String> messageIds(List<GetResponse> messages) {
		return messages.stream().map((message) -> message.getProps().getMessageId()).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		LoggedIn loggedIn() {
			return new LoggedIn();
		}

	}

}
