/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.ServletContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users may do, with passwords.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityTests {

	private static final String PARKED = "/actuator/parkinglot";

	private static final String REPLAYS = "/actuator/replays";

	private static final String DISCARD = "{\"because\":\"TEST\",\"expect\":\"0\",\"messageType\":\"Order\"}";

	private RunningConsole console;

	@BeforeAll
	void start() {
		this.console = RunningConsole.start(RunningConsole.USERS);
	}

	@AfterAll
	void stop() {
		this.console.close();
	}

	private Client as(String user) {
		return new Client(this.console, user);
	}

	private Client anonymous() {
		return new Client(this.console);
	}

	/** There is no message: what is allowed finds none. */
	@ParameterizedTest
	@CsvSource({ "viewer, 403, 403, 403, 403", "operator, 403, 404, 200, 403", "reader, 404, 403, 403, 403",
			"editor, 404, 403, 403, 404" })
	void dependsOnTheirRoles(String user, int body, int replay, int discard, int edit) {
		for (String path : new String[] { PARKED, PARKED + "/groups", REPLAYS, "/actuator/retryexplain",
				"/actuator/retryconsole", "/actuator/retryconsole/session", "/actuator", "/" }) {
			assertThat(as(user).get(path).statusCode()).as(path).isIn(200, 302);
		}
		assertThat(as(user).get(PARKED + "/1").statusCode()).isEqualTo(404);
		assertThat(as(user).get(PARKED + "/1?payload=true").statusCode()).as("body").isEqualTo(body);
		assertThat(as(user).post(REPLAYS + "/r-1/pause", "{\"because\":\"TEST\"}").statusCode()).as("replay")
			.isEqualTo(replay);
		assertThat(as(user).post(PARKED + "/discard", DISCARD).statusCode()).as("discard").isEqualTo(discard);
		assertThat(as(user).post(PARKED + "/restore", DISCARD).statusCode()).as("restore").isEqualTo(discard);
		assertThat(as(user).post(REPLAYS + "/edit", "{\"id\":\"1\",\"because\":\"TEST\",\"body\":\"{}\"}").statusCode())
			.as("edit")
			.isEqualTo(edit);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "*/*", "image/png" })
	void isNothingWithoutALoginAndNoBrowserIsAskedForAPassword(String accept) {
		HttpResponse<String> answer = anonymous().get(PARKED, "Accept", accept);
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.headers().map()).doesNotContainKeys("www-authenticate", "WWW-Authenticate", "set-cookie");
		assertThat(anonymous().post(PARKED + "/discard", DISCARD, "Accept", accept).statusCode()).isIn(401, 403);
	}

	@Test
	void isNothingWithAWrongPasswordAndNoBrowserIsAskedForAnother() {
		HttpResponse<String> answer = anonymous().get(PARKED, "Authorization", Client.basic("operator", "wrong"));
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.headers().firstValue("WWW-Authenticate")).isEmpty();
	}

	@Test
	void isRefusedForAWhileWhereManyHaveFailedButNotElsewhere() {
		try (RunningConsole guessed = RunningConsole.start(
				Stream.concat(Stream.of(RunningConsole.USERS), Stream.of("server.forward-headers-strategy=framework"))
					.toArray(String[]::new))) {
			Client program = new Client(guessed);
			for (int guess = 0; guess < LoginThrottle.MOST_OF_ADDRESS; guess++) {
				assertThat(program
					.get(PARKED, "X-Forwarded-For", "192.0.2.1", "Authorization", Client.basic("operator", "a" + guess))
					.statusCode()).isEqualTo((guess < LoginThrottle.MOST_OF_ADDRESS - 1) ? 401 : 429);
			}
			String right = Client.basic("viewer", RunningConsole.PASSWORD);
			assertThat(program.get(PARKED, "X-Forwarded-For", "192.0.2.1", "Authorization", right).statusCode())
				.isEqualTo(429);
			assertThat(program.get(PARKED, "X-Forwarded-For", "192.0.2.2", "Authorization", right).statusCode())
				.isEqualTo(200);
			Client browser = new Client(guessed);
			for (int guess = 0; guess < LoginThrottle.MOST_OF_ADDRESS; guess++) {
				assertThat(browser.submit("/login", "username", "viewer", "password", "wrong")
					.headers()
					.firstValue("Location"))
					.hasValue((guess < LoginThrottle.MOST_OF_ADDRESS - 1) ? "./login?error" : "./login?wait");
			}
			assertThat(browser.logIn("viewer").headers().firstValue("Location")).hasValue("./login?wait");
			assertThat(browser.page("/login?wait").body()).contains("Too many logins failed. Wait 5 minutes");
			assertThat(browser.get(PARKED).statusCode()).isEqualTo(401);
		}
	}

	@Test
	void beginsForBrowsersWithAForm() {
		Client browser = anonymous();
		HttpResponse<String> refused = browser.page("/actuator/retryconsole");
		assertThat(refused.statusCode()).isEqualTo(302);
		assertThat(refused.headers().firstValue("Location"))
			.hasValueSatisfying((location) -> assertThat(location).endsWith("/login"));
		assertThat(browser.page("/login").headers().firstValue("Content-Security-Policy"))
			.hasValueSatisfying((policy) -> assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe"));

		HttpResponse<String> wrong = browser.submit("/login", "username", "operator", "password", "wrong");
		assertThat(wrong.headers().firstValue("Location"))
			.hasValueSatisfying((location) -> assertThat(location).endsWith("/login?error"));
		assertThat(browser.get(PARKED).statusCode()).isEqualTo(401);

		assertThat(browser.logIn("operator").headers().firstValue("Location"))
			.hasValueSatisfying((location) -> assertThat(location).endsWith("/"));
		assertThat(browser.get("/actuator/retryconsole/session").body()).contains("\"user\":\"operator\"",
				"\"logout\":\"../logout\"");
	}

	@Test
	void leadsFromTheRootToTheConsole() {
		Client browser = anonymous();
		browser.logIn("viewer");
		assertThat(browser.page("/").headers().firstValue("Location"))
			.hasValueSatisfying((location) -> assertThat(location).endsWith("/actuator/retryconsole"));
	}

	@Test
	void isNotInHandsOfOtherSites() {
		Client browser = anonymous();
		browser.logIn("operator");
		assertThat(browser.cookie()).hasValueSatisfying((cookie) -> assertThat(cookie.isHttpOnly()).isTrue());
		assertThat(browser.post(PARKED + "/discard", DISCARD).statusCode()).isEqualTo(403);
		assertThat(browser
			.post(PARKED + "/discard", DISCARD, "Authorization", Client.basic("operator", RunningConsole.PASSWORD))
			.statusCode()).as("a session and a password").isEqualTo(403);
		assertThat(browser.post(PARKED + "/discard", DISCARD, browser.token()).statusCode()).isEqualTo(200);
		Client without = anonymous();
		without.send("POST", "/login", "username=operator&password=" + RunningConsole.PASSWORD, "Content-Type",
				"application/x-www-form-urlencoded");
		assertThat(without.get(PARKED).statusCode()).as("a login without its token").isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/login", "/logout" })
	void asksAgainWhereTheFormIsOfASessionThatHasEnded(String form) {
		HttpResponse<String> answer = anonymous().send("POST", form, "_csrf=old&username=operator&password=secret",
				"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html");
		assertThat(answer.statusCode()).isEqualTo(302);
		assertThat(answer.headers().firstValue("Location")).hasValue("./");
		assertThat(anonymous().page("/").headers().firstValue("Location")).hasValue("./login");
	}

	@Test
	void needsNotKnowSchemeHostAndPrefixOfAProxy() {
		Client browser = anonymous();
		assertThat(browser.page("/actuator/retryconsole").headers().firstValue("Location")).hasValue("../login");
		assertThat(
				browser.submit("/login", "username", "operator", "password", "wrong").headers().firstValue("Location"))
			.hasValue("./login?error");
		assertThat(browser.logIn("operator").headers().firstValue("Location")).hasValue("./");
		assertThat(browser.page("/").headers().firstValue("Location")).hasValue("./actuator/retryconsole");
		assertThat(browser.page("/logout").body()).contains("Logged in as operator.");
		assertThat(browser.submit("/logout").headers().firstValue("Location")).hasValue("./login?logout");
	}

	@Test
	void leadsToTheConsoleWhereverItsPathIsMapped() {
		try (RunningConsole mapped = RunningConsole.start("management.endpoints.web.path-mapping.retryconsole=pages",
				"management.endpoints.web.base-path=/manage/all", "server.servlet.context-path=/ops")) {
			Client browser = new Client(mapped);
			assertThat(browser.page("/ops/").headers().firstValue("Location")).hasValue("./manage/all/pages");
			assertThat(browser.page("/ops/manage/all/pages").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void keepsNoSessionForPrograms() {
		Client program = as("viewer");
		assertThat(program.get(PARKED).headers().firstValue("Set-Cookie")).isEmpty();
	}

	@Test
	void endsWithTheSession() {
		Client browser = anonymous();
		browser.logIn("operator");
		assertThat(browser.get(PARKED).statusCode()).isEqualTo(200);
		String session = browser.cookie().orElseThrow().toString();
		assertThat(browser.submit("/logout").statusCode()).isEqualTo(302);
		assertThat(anonymous().get(PARKED, "Cookie", session).statusCode()).isEqualTo(401);

		ServletContext servlets = ((WebApplicationContext) this.console.context()).getServletContext();
		assertThat(Objects.requireNonNull(servlets).getSessionTimeout()).as("minutes").isEqualTo(30);
	}

	@Test
	void isNotNeededForHealthWhichHasNoDetails() {
		HttpResponse<String> health = anonymous().get("/actuator/health");
		assertThat(health.body()).contains("\"status\"").doesNotContain("components", "details");
		assertThat(anonymous().get("/actuator/health/rabbitRetry").statusCode()).isEqualTo(404);
	}

}
