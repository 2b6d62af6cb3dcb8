/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for the console over HTTP, on both web stacks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleContract {

	private static final String DISCARD = "{\"queue\":\"orders\",\"dryRun\":true,\"because\":\"TEST\"}";

	private static final String NAMED = "{\"queue\":\"orders\",\"dryRun\":true,\"because\":\"TEST\",\"user\":\"ops\"}";

	private final Applications applications = new Applications(type());

	private Client open = Client.of("http://127.0.0.1/");

	private Client secured = this.open;

	/** Which kind of web server. */
	abstract WebApplicationType type();

	/** The property that puts the whole application under a path. */
	abstract String contextPath();

	/** An application with users, and the rules of Spring Boot. */
	abstract Class<?> secured();

	@BeforeAll
	void start() {
		this.open = Applications.client(this.applications.start(Open.class, "rabbit-retry.console.environment=staging"),
				"server", "/actuator/");
		this.secured = Applications.client(this.applications.start(secured(), "spring.autoconfigure.exclude="),
				"server", "/actuator/");
	}

	@AfterAll
	void stop() {
		this.applications.close();
	}

	private static void assertGuarded(Client.Answer answer) {
		assertThat(answer.header("Content-Security-Policy"))
			.hasValue("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
					+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
					+ "require-trusted-types-for 'script'; trusted-types lit-html");
		assertThat(answer.header("X-Content-Type-Options")).hasValue("nosniff");
		assertThat(answer.header("Referrer-Policy")).hasValue("no-referrer");
		assertThat(answer.header("Cache-Control"))
			.hasValue(answer.response().uri().getPath().endsWith("/session") ? "no-store" : "no-cache");
	}

	@Test
	void thePageIsServedAsBrowsersAskForIt() {
		Client.Answer page = this.open.get("retryconsole", "Accept", "text/html,application/xml;q=0.9,*/*;q=0.8");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.header("Content-Type")).hasValue("text/html;charset=UTF-8");
		assertThat(page.text()).contains("\"retryconsole/app.js\"", "\"retryconsole/style.css\"").doesNotContain("{{");
		assertGuarded(page);
	}

	@Test
	void everyFileIsServedWithItsTypeAndTheHeaders() {
		assertThat(ConsoleFiles.NAMES).allSatisfy((name) -> {
			Client.Answer file = this.open.get("retryconsole/" + name);
			assertThat(file.status()).isEqualTo(200);
			assertThat(file.header("Content-Type")).hasValue(switch (name.substring(name.lastIndexOf('.'))) {
				case ".js" -> "text/javascript;charset=UTF-8";
				case ".css" -> "text/css;charset=UTF-8";
				default -> "image/svg+xml;charset=UTF-8";
			});
			assertThat(file.text()).isNotEmpty();
			assertGuarded(file);
		});
	}

	@Test
	void aFileIsServedToWhoAcceptsItsTypeOnly() {
		assertThat(this.open.get("retryconsole/style.css", "Accept", "text/css").status()).isEqualTo(200);
		assertThat(this.open.get("retryconsole/app.js", "Accept", "text/javascript").status()).isEqualTo(200);
		assertThat(this.open.get("retryconsole/session", "Accept", "application/json").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "retryconsole/other.js", "retryconsole/index.html", "retryconsole/vendored.md",
			"retryconsole/ConsoleFiles.class", "retryconsole/APP.JS", "retryconsole/app.js/", "retryconsole/a/app.js",
			"retryconsole/..%2fapplication.properties", "retryconsole/%2e%2e%2fconsole%2fapp.js",
			"retryconsole/..%5capp.js", "retryconsole/%2e%2e/%2e%2e/application.properties", "retryconsole/app.js%00" })
	void anythingElseIsNotThere(String path) {
		Client.Answer answer = this.open.get(path);
		assertThat(answer.status()).isIn(400, 404);
		assertThat(answer.text()).doesNotContain("spring.", "import ");
	}

	@Test
	void anUnknownFileHasTheHeadersToo() {
		assertGuarded(this.open.get("retryconsole/other.js"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH", "DELETE" })
	void thePageIsOnlyRead(String method) {
		assertThat(this.open.send(method, "retryconsole", "{}").status()).isEqualTo(405);
		assertThat(this.open.send(method, "retryconsole/session", "{}").status()).isEqualTo(405);
	}

	@Test
	void theSessionHasWhatThePageNeeds() {
		Client.Answer session = this.open.get("retryconsole/session");
		assertThat(session.header("Content-Type")).hasValue("application/json");
		assertThat(session.text()).isEqualTo("{\"application\":\"order-worker\",\"environment\":\"staging\","
				+ "\"permitted\":[\"replay\",\"discard\",\"edit\"],\"endpoints\":"
				+ "{\"parkinglot\":\"parkinglot\",\"replays\":\"replays\",\"retryexplain\":\"retryexplain\"}}");
		assertThat(session.header(ConsoleGuard.CSRF_HEADER)).isEmpty();
		assertGuarded(session);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cross-site", "same-site", "something-new" })
	void writesOfOtherSitesPagesAreRefused(String site) {
		assertThat(Stream
			.of(this.open.post("parkinglot/discard", NAMED, "Sec-Fetch-Site", site),
					this.open.post("%70arkinglot/discard", NAMED, "Sec-Fetch-Site", site),
					this.open.post("parkinglot;a=b/discard", NAMED, "Sec-Fetch-Site", site),
					this.open.post("replays", NAMED, "Sec-Fetch-Site", site),
					this.open.send("DELETE", "parkinglot/1?because=x&user=ops", null, "Sec-Fetch-Site", site))
			.map(Client.Answer::status)).containsOnly(403);
		Client.Answer refused = this.open.post("replays/1/abort", "{}", "Sec-Fetch-Site", site);
		assertThat(refused.json().path("error").asString()).contains("another site");
		assertThat(this.open.get("parkinglot", "Sec-Fetch-Site", site).status()).isEqualTo(200);
	}

	@Test
	void writesOfItsOwnPageAndOfProgramsAreNot() {
		assertThat(this.open.post("parkinglot/discard", NAMED, "Sec-Fetch-Site", "same-origin").status())
			.isEqualTo(200);
		assertThat(this.open.post("parkinglot/discard", NAMED, "Sec-Fetch-Site", "none").status()).isEqualTo(200);
		assertThat(this.open.post("parkinglot/discard", NAMED).status()).isEqualTo(200);
	}

	@Test
	void answersOfOtherEndpointsAreKeptNowhere() {
		for (String path : List.of("parkinglot?size=1", "parkinglot/groups", "replays")) {
			Client.Answer answer = this.open.get(path);
			assertThat(answer.header("Cache-Control")).as(path).contains("no-store");
			assertThat(answer.header("X-Content-Type-Options")).as(path).contains("nosniff");
			assertThat(answer.header("Content-Security-Policy")).as(path).isEmpty();
		}
	}

	@Test
	void whoHasNotLoggedInSeesNothing() {
		assertThat(List.of("retryconsole", "retryconsole/app.js", "retryconsole/session"))
			.allSatisfy((path) -> assertThat(this.secured.get(path).status()).isEqualTo(401));
	}

	@Test
	void theSessionOfWhoHasLoggedInHasTheirNameAndTheToken() {
		Client otto = this.secured.as("otto");
		assertGuarded(otto.get("retryconsole"));
		assertThat(otto.get("retryconsole/app.js").header(ConsoleGuard.CSRF_TOKEN)).isEmpty();
		Client.Answer session = otto.get("retryconsole/session");
		assertThat(session.json().path("user").asString()).isEqualTo("otto");
		assertThat(session.json().path("password").asBoolean()).isTrue();
		assertThat(session.json().has("environment")).isFalse();
		assertGuarded(session);
		String header = session.header(ConsoleGuard.CSRF_HEADER).orElseThrow();
		String token = session.header(ConsoleGuard.CSRF_TOKEN).orElseThrow();
		assertThat(otto.post("parkinglot/discard", DISCARD).status()).isIn(401, 403);
		assertThat(otto.post("parkinglot/discard", DISCARD, header, token + "x").status()).isIn(401, 403);
		assertThat(otto.post("parkinglot/discard", DISCARD, header, token).status()).isEqualTo(200);
		assertThat(this.secured.as("rita").post("parkinglot/discard", DISCARD, header, token).status()).isIn(401, 403);
	}

	@Test
	void pathsMayBeMappedBelowAContextPath() {
		ConfigurableApplicationContext context = this.applications.start(Open.class, contextPath() + "=/shop",
				"management.endpoints.web.base-path=/manage",
				"management.endpoints.web.path-mapping.retryconsole=ops/console",
				"management.endpoints.web.path-mapping.parkinglot=ops/parked");
		Client client = Applications.client(context, "server", "/shop/manage/");
		assertGuarded(client.get("ops/console"));
		assertThat(client.get("ops/console").text()).contains("\"console/app.js\"");
		assertThat(client.get("ops/console/app.js").status()).isEqualTo(200);
		assertThat(client.get("ops/console/session").json().path("endpoints").path("parkinglot").asString())
			.isEqualTo("../ops/parked");
		assertThat(client.get("ops/console/session").json().path("endpoints").path("replays").asString())
			.isEqualTo("../replays");
		assertThat(client.get("ops/console/session").json().path("base").asString()).isEqualTo("../");
		assertThat(client.post("ops/parked/discard", NAMED, "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
		assertThat(client.post("replays", NAMED, "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
	}

	@Test
	void aManagementPortOfItsOwnIsGuardedToo() {
		Client client = Applications.client(this.applications.start(Open.class, "management.server.port=0",
				"management.server.address=127.0.0.1", "management.server.base-path=/admin"), "management",
				"/admin/actuator/");
		assertGuarded(client.get("retryconsole"));
		assertGuarded(client.get("retryconsole/session"));
		assertThat(client.post("parkinglot/discard", NAMED, "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
		assertThat(client.post("parkinglot/discard", NAMED).status()).isEqualTo(200);
	}

	@Test
	void aManagementPortOfItsOwnHasTheTokenToo() {
		Client otto = Applications.client(this.applications.start(secured(), "spring.autoconfigure.exclude=",
				"management.server.port=0", "management.server.address=127.0.0.1"), "management", "/actuator/")
			.as("otto");
		Client.Answer session = otto.get("retryconsole/session");
		assertThat(session.json().path("user").asString()).isEqualTo("otto");
		assertThat(otto.post("parkinglot/discard", DISCARD).status()).isIn(401, 403);
		assertThat(otto
			.post("parkinglot/discard", DISCARD, session.header(ConsoleGuard.CSRF_HEADER).orElseThrow(),
					session.header(ConsoleGuard.CSRF_TOKEN).orElseThrow())
			.status()).isEqualTo(200);
	}

	static List<UserDetails> users() {
		return Stream.of("otto", "rita")
			.map((name) -> User.withUsername(name).password("{noop}" + Client.PASSWORD).roles("OPERATOR").build())
			.toList();
	}

	/** Without Spring Security. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = Applications.OTHER_SERVER)
	static class Open {

	}

}
