/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators do, in a browser: with and without Spring Security, on both web stacks.
 */
class OperatorsDayIntegrationTests extends InBrowser {

	private static final int MOST_CLICKS = 6;

	/** With a good part done. */
	private static final Pattern RUNNING = Pattern.compile("running\\s+[3-9]\\d(\\.\\d)? %");

	private static final Duration LONGEST = Duration.ofSeconds(60);

	@Test
	void fromThePageToASafeReplayOfOneOfFourCauses() {
		try (OrderService service = OrderService.start("orders", WebApplicationType.SERVLET, null)) {
			service.park("timeout", 250);
			service.park("invalid", 250);
			service.park("busy", 250);
			service.park("other", 250);
			service.repair("timeout");

			Instant began = Instant.now();
			this.browser.open(service.page());
			this.browser.awaitText("1,000 messages", "of 4 causes");
			this.browser.title("svg.trend", "Parked");
			this.browser.picture("console-causes");
			this.browser.click("Replay 250 of java.net.SocketTimeoutException");
			this.browser.write("Your name", "olivia");
			this.browser.awaitText("250 messages would be replayed");
			this.browser.write("Reason", "HANDLER_FIXED");
			this.browser.write("Type 250 to confirm", "250");
			this.browser.click("Replay 250 messages");
			this.browser.awaitText("canary");
			this.browser.await((text) -> RUNNING.matcher(text).find());
			this.browser.picture("console-replay");
			this.browser.awaitText("finished", "100 %", "250 succeeded");
			this.browser.click("Audit");
			// the menu has a link of this name too
			this.browser.awaitText("olivia", "HANDLER_FIXED");

			assertThat(this.browser.clicks()).isLessThanOrEqualTo(MOST_CLICKS);
			assertThat(Duration.between(began, Instant.now())).isLessThan(LONGEST);
			assertThat(service.handled("timeout")).isEqualTo(250);
			assertThat(service.count("", "PARKED")).isEqualTo(750);
			this.browser.view("#/message/" + service.id("invalid-0"));
			this.browser.picture("console-message");
		}
	}

	@Test
	void inAServletContainer() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			this.browser.open(service.page());
			day(service, null);
		}
	}

	@Test
	void inAServletContainerAfterALogin() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, SecuredConsole.class)) {
			this.browser.open(service.page());
			this.browser.logIn("otto", Client.PASSWORD);
			day(service, "otto");
		}
	}

	@Test
	void onWebFlux() {
		try (OrderService service = OrderService.start(WebApplicationType.REACTIVE, null)) {
			this.browser.open(service.page());
			day(service, null);
		}
	}

	@Test
	void onWebFluxAfterALogin() {
		// the browser asks for an icon of the login's page
		expectLogged("favicon.ico");
		try (OrderService service = OrderService.start(WebApplicationType.REACTIVE, SecuredConsole.class)) {
			this.browser.open(service.page());
			this.browser.logIn("otto", Client.PASSWORD);
			day(service, "otto");
		}
	}

	@Test
	void onWebFluxAfterABasicLogin() {
		try (OrderService service = OrderService.start(WebApplicationType.REACTIVE, BasicLogin.class)) {
			// logs in; an address with a password in it is no place for scripts
			this.browser.open(service.page().replace("//", "//otto:%s@".formatted(Client.PASSWORD)));
			this.browser.open(service.page());
			day(service, "otto");
		}
	}

	/**
	 * Replays what succeeds and what does not, discards, restores, edits.
	 * @param user who has logged in, if anybody has
	 */
	private void day(OrderService service, String user) {
		service.park("timeout", 30);
		service.park("invalid", 12);
		service.repair("timeout");
		String who = (user != null) ? user : "olivia";

		this.browser.click("Causes");
		this.browser.click("Filter");
		this.browser.awaitText("42 messages", (user != null) ? user : "not logged in");
		this.browser.click("Replay 30 of java.net.SocketTimeoutException");
		this.browser.awaitText("30 messages would be replayed");
		if (user == null) {
			this.browser.write("Your name", who);
		}
		this.browser.write("First, as a canary", "5");
		this.browser.write("Rate", "unlimited");
		this.browser.write("Reason", "GATEWAY_UP");
		this.browser.click("Replay 30 messages");
		this.browser.awaitText("finished", "30 succeeded", "100 %");
		assertThat(service.handled("timeout")).isEqualTo(30);

		this.browser.click("Causes");
		this.browser.click("Replay 12 of java.lang.IllegalArgumentException");
		this.browser.awaitText("12 messages would be replayed");
		this.browser.write("First, as a canary", "1");
		this.browser.write("Reason", "TRY_IT");
		this.browser.click("Replay 12 messages");
		this.browser.awaitText("stopped", "1 parked again", "11 not published", "Replay the rest");
		assertThat(service.count("invalid", "PARKED")).isEqualTo(12);

		this.browser.click("Causes");
		this.browser.click("Discard 12 of java.lang.IllegalArgumentException");
		this.browser.awaitText("12 messages would be discarded");
		this.browser.write("Reason", "SENT_AGAIN");
		this.browser.click("Discard 12 messages");
		this.browser.awaitText("12 messages discarded");
		this.browser.click("Bin");
		this.browser.awaitText("12 messages", "Kept until");
		this.browser.click("Restore all that match…");
		this.browser.awaitText("12 messages would be parked again");
		this.browser.write("Reason", "NOT_THESE");
		this.browser.click("Restore 12 messages");
		this.browser.awaitText("12 messages parked again");
		assertThat(service.count("invalid", "PARKED")).isEqualTo(12);

		edit(service);

		this.browser.click("Audit");
		this.browser.awaitText(who, "GATEWAY_UP", "TRY_IT", "SENT_AGAIN", "NOT_THESE", "TYPING_ERROR", "replay",
				"discard", "restore", "edit");
	}

	private void edit(OrderService service) {
		service.send("wrong-1", Map.of("x-kind", "wrong", "x-failure", "no such kind"), "{\"amount\":-1}");
		service.awaitParked("wrong", 1);
		this.browser.view("#/message/%d?payload=true".formatted(service.id("wrong-1")));
		this.browser.click("Replay it with another body or other headers");
		this.browser.write("Body", "{\"amount\":1}");
		this.browser.write("Headers, one in a line", "x-kind: timeout");
		this.browser.awaitText("-1", "what is changed");
		this.browser.write("Reason", "TYPING_ERROR");
		this.browser.click("Edit and replay");
		this.browser.awaitText("finished", "1 succeeded");
		assertThat(service.count("wrong", "REPLAYED")).isOne();
	}

	/** Browsers ask for name and password themselves. */
	@Configuration(proxyBeanMethods = false)
	@Import(SecuredConsole.class)
	static class BasicLogin {

		@Bean
		SecurityWebFilterChain basicLogin(ServerHttpSecurity http) {
			return http.authorizeExchange((requests) -> requests.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
