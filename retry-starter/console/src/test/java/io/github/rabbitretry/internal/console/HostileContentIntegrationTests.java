/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.JavascriptException;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever producers, exceptions and operators say is text in every view.
 */
class HostileContentIntegrationTests extends InBrowser {

	/** Without what a cause's text leaves out: numbers and quoted parts. */
	private static final String HOSTILE = "><script>window.hacked=true</script><img src=x onerror=window.hacked=true>"
			+ "<svg onload=window.hacked=true>";

	@Test
	void isTextInEveryView() {
		try (OrderService service = OrderService.start("console." + HOSTILE + UUID.randomUUID(),
				WebApplicationType.SERVLET, null, "rabbit-retry.message-policies.Order.owner=" + HOSTILE,
				"rabbit-retry.console.environment=" + HOSTILE)) {
			service.send("hostile-" + HOSTILE, Map.of("x-kind", "other", "x-failure", HOSTILE, "x-" + HOSTILE, HOSTILE,
					"x-correlation-id", HOSTILE, "x-producer", HOSTILE), "{\"a\":\"%s\"}".formatted(HOSTILE));
			service.awaitParked("hostile", 1);
			long id = service.id("hostile-" + HOSTILE);

			this.browser.open(service.page());
			this.browser.awaitText("1 message", HOSTILE);
			inert();
			this.browser.view("#/replay?ids=" + id);
			this.browser.write("Your name", HOSTILE);
			this.browser.awaitText("1 message would be replayed", HOSTILE);
			inert();
			this.browser.write("Reason", HOSTILE);
			this.browser.click("Replay 1 message");
			this.browser.awaitText("1 parked again", HOSTILE);
			String job = this.browser.fragment();
			inert();
			this.browser.view("#/discard?queue=" + UUID.randomUUID() + HOSTILE);
			this.browser.awaitText("0 messages would be discarded");
			inert();
			for (String view : List.of("#/messages", "#/messages?state=ANY", "#/message/" + id + "?payload=true",
					"#/message/<img src=x onerror=window.hacked=1>", "#/jobs", job, "#/audit", "#/bin", "#/topology",
					"#/policies", "#/groups?text=" + HOSTILE, "#/job/" + HOSTILE.replace("/", ""))) {
				this.browser.view(view);
				inert();
			}
			// there are no such messages and replays
			expectLogged("status of 400");
			expectLogged("status of 404");
		}
	}

	/** That all these tests would notice it. */
	@Test
	void isStoppedAndNoticedIfAScriptGotIntoThePage() {
		try (Applications applications = new Applications(WebApplicationType.SERVLET)) {
			this.browser.open("http://127.0.0.1:%s/actuator/retryconsole".formatted(
					applications.start(ConsoleContract.Open.class).getEnvironment().getProperty("local.server.port")));
			this.browser.awaitText("order-worker");
			assertThat(this.browser.mistakes()).isEmpty();
			assertThatExceptionOfType(JavascriptException.class)
				.isThrownBy(
						() -> this.browser.run("document.createElement('script').textContent = 'window.hacked=true'"))
				.withMessageContaining("TrustedScript");
			assertThat(this.browser.mistakes()).anyMatch((mistake) -> mistake.contains("require-trusted-types-for"));
			// Trusted Types let this pass
			this.browser.run("return import('data:text/javascript,window.hacked=true').catch(() => {})");
			assertThat(this.browser.mistakes()).anyMatch((mistake) -> mistake.contains("script-src"));
			assertThat(this.browser.run("return window.hacked")).isNull();
			this.browser.forgetAll();
		}
	}

	private void inert() {
		this.browser.awaitQuiet();
		assertThat(this.browser.count("img, body script, svg[onload], iframe")).as(this.browser.fragment()).isZero();
		assertThat(this.browser.run("return window.hacked")).as(this.browser.fragment()).isNull();
	}

}
