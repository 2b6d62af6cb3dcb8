/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dry runs are recorded, so opening a link from elsewhere begins none.
 */
class DryRunLinksIntegrationTests extends InBrowser {

	private static final String ASKS = "A dry run changes nothing, but it is recorded";

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void onlyAClickInThePageBeginsOneAtOnce(boolean login) {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET,
				login ? SecuredConsole.class : null)) {
			service.park("timeout", 3);
			this.browser.open(service.page());
			if (login) {
				this.browser.logIn("otto", Client.PASSWORD);
			}
			this.browser.awaitText("3 messages");
			String link = "#/replay?reason=" + reason(service);
			this.browser.view(link);
			if (!login) {
				this.browser.write("Your name", "olivia");
			}
			this.browser.click("Dry run");
			this.browser.awaitText("3 messages would be replayed");
			long audited = service.audited();

			this.browser.open("about:blank");
			this.browser.open(service.page() + link);
			this.browser.awaitText("Replay reason", reason(service), ASKS, "Dry run");
			this.browser.awaitQuiet();
			this.browser.view("#/jobs");
			this.browser.view("#/discard?all=true");
			this.browser.awaitText("Discard all messages", ASKS);
			assertThat(service.audited()).isEqualTo(audited);
			assertThat(this.browser.text()).doesNotContain("would be");

			this.browser.click("Dry run");
			this.browser.awaitText("3 messages would be discarded");
			this.browser.click("Causes");
			this.browser.click("Dry run 3 of java.net.SocketTimeoutException");
			this.browser.awaitText("3 messages would be replayed");
			assertThat(service.audited()).isEqualTo(audited + 2);
		}
	}

	private static String reason(OrderService service) {
		return String.valueOf(
				service.jdbc().queryForObject("select max(last_reason) from rabbit_retry_failure_kind", String.class));
	}

}
