/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A login with a provider of OAuth 2 that runs here.
 */
class OAuth2LoginTests {

	private static final String REGISTRATION = "spring.security.oauth2.client.registration.company.";

	/** A client for programs, which users cannot log in with. */
	private static final String MACHINE = "spring.security.oauth2.client.registration.machine.";

	private static final String PROVIDER = "spring.security.oauth2.client.provider.company.";

	private HttpServer provider;

	private String user = "{}";

	@BeforeEach
	void startProvider() throws IOException {
		this.provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
		answer("/token", () -> "{\"access_token\":\"t\",\"token_type\":\"bearer\",\"scope\":\"OPERATOR\"}");
		answer("/user", () -> this.user);
		this.provider.start();
	}

	@AfterEach
	void stopProvider() {
		this.provider.stop(0);
	}

	private void answer(String path, Supplier<String> json) {
		this.provider.createContext(path, (exchange) -> {
			byte[] body = json.get().getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
	}

	private RunningConsole console() {
		String address = "http://127.0.0.1:" + this.provider.getAddress().getPort();
		return RunningConsole.start(MACHINE + "client-id=console", MACHINE + "client-secret=secret",
				MACHINE + "authorization-grant-type=client_credentials", MACHINE + "provider=company",
				REGISTRATION + "client-id=console", REGISTRATION + "client-secret=secret",
				REGISTRATION + "authorization-grant-type=authorization_code",
				REGISTRATION + "redirect-uri={baseUrl}/login/oauth2/code/{registrationId}",
				PROVIDER + "authorization-uri=" + address + "/authorize", PROVIDER + "token-uri=" + address + "/token",
				PROVIDER + "user-info-uri=" + address + "/user", PROVIDER + "user-name-attribute=sub",
				"rabbit-retry.console.roles-claim=realm.roles");
	}

	private static Client logIn(RunningConsole console) {
		Client browser = new Client(console);
		assertThat(browser.page("/actuator/retryconsole").statusCode()).isEqualTo(302);
		assertThat(browser.page("/login").body()).contains("<a href=\"oauth2/authorization/company\">Log in with ")
			.doesNotContain("password", "machine");
		URI asked = URI
			.create(browser.page("/oauth2/authorization/company").headers().firstValue("Location").orElseThrow());
		assertThat(asked.getPath()).isEqualTo("/authorize");
		String state = UriComponentsBuilder.fromUri(asked).build(true).getQueryParams().getFirst("state");
		browser.page("/login/oauth2/code/company?code=c&state=" + state);
		return browser;
	}

	@Test
	void givesTheRolesOfTheClaim() {
		this.user = "{\"sub\":\"olivia\",\"realm\":{\"roles\":[\"VIEWER\"]}}";
		try (RunningConsole console = console()) {
			Client browser = logIn(console);
			assertThat(browser.get("/actuator/retryconsole/session").body()).contains("\"user\":\"olivia\"",
					"\"password\":false");
			assertThat(browser
				.post("/actuator/parkinglot/discard", "{\"because\":\"TEST\",\"expect\":\"0\"}", browser.token())
				.body()).contains("OPERATOR", "rabbit-retry.replay.roles.discard");
		}
	}

	@Test
	void givesNothingWithoutRoles() {
		this.user = "{\"sub\":\"olivia\",\"roles\":[\"VIEWER\"]}";
		try (RunningConsole console = console()) {
			Client browser = logIn(console);
			assertThat(browser.get("/actuator/parkinglot").statusCode()).isEqualTo(403);
			assertThat(browser.page("/logout").statusCode()).isEqualTo(200);
			assertThat(new Client(console, "olivia").get("/actuator/parkinglot").statusCode())
				.as("there are no passwords")
				.isEqualTo(401);
		}
	}

}
