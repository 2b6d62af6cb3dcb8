/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every view can be read by everybody, as far as axe can tell.
 */
class AccessibilityIntegrationTests extends InBrowser {

	private static final String AXE = """
			const done = arguments[arguments.length - 1];
			axe.run(document).then(({ violations, passes }) => done(passes.length ? violations.flatMap((rule) =>
				rule.nodes.map((node) => `${rule.id}: ${node.html} ${node.failureSummary}`)) : ['nothing was looked at']),
				(failure) => done([String(failure)]));
			""";

	@Test
	void axeFindsNothingInLightAndDark() throws IOException {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 120);
			service.park("invalid", 3);
			this.browser.open(service.page());
			this.browser.run(script());
			long id = service.id("timeout-0");
			String job = replay();
			List<String> views = List.of("#/groups", "#/groups?reason=NO_SUCH", "#/groups?by=owner", "#/messages",
					"#/message/" + id, "#/message/" + id + "?payload=true", "#/replay?all=true", "#/discard?all=true",
					"#/jobs", job, "#/audit", "#/bin", "#/restore?all=true", "#/topology", "#/policies?outage=2h");
			for (String scheme : List.of("light", "dark")) {
				this.browser.prefer(scheme);
				assertAccessible(views, scheme);
			}
			this.browser.narrow(360);
			assertAccessible(views, "on a phone");
			for (String view : views) {
				this.browser.view(view);
				assertThat(this.browser
					.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")).as(view)
					.isEqualTo(0L);
			}
		}
	}

	private void assertAccessible(List<String> views, String how) {
		for (String view : views) {
			this.browser.view(view);
			assertThat(this.browser.runAsync(AXE)).as("%s, %s", view, how)
				.asInstanceOf(InstanceOfAssertFactories.LIST)
				.isEmpty();
		}
	}

	/** One that stops, so that there is something of each kind to see. */
	private String replay() {
		this.browser.view("#/replay?all=true");
		this.browser.write("Your name", "olivia");
		this.browser.awaitText("123 messages would be replayed");
		this.browser.write("Reason", "TRY_IT");
		this.browser.write("Type 123 to confirm", "123");
		this.browser.click("Replay 123 messages");
		this.browser.awaitText("stopped", "did not succeed");
		return this.browser.fragment();
	}

	private static String script() throws IOException {
		try (InputStream axe = Objects
			.requireNonNull(AccessibilityIntegrationTests.class.getResourceAsStream("/axe.min.js"))) {
			return new String(axe.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
