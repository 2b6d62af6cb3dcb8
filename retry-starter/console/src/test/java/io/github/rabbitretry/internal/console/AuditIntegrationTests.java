/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who did what, as the page tells it.
 */
class AuditIntegrationTests extends InBrowser {

	@Test
	void whoDiscardedWhatYesterdayIsSaidInFiveClicks() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("invalid", 3);
			service.park("timeout", 1);
			this.browser.open(service.page());
			discard("3 of java.lang.IllegalArgumentException", "olivia", "SENT_AGAIN");
			this.browser.click("Causes");
			discard("1 of java.net.SocketTimeoutException", "otto", "TOO_LATE");
			service.jdbc()
				.update("update rabbit_retry_audit set acted_at = dateadd(day, -1, acted_at) where reason = 'SENT_AGAIN'");

			Instant began = Instant.now();
			int before = this.browser.clicks();
			this.browser.open("about:blank");
			this.browser.open(service.page());
			this.browser.click("Audit");
			this.browser.choose("act", "DISCARD");
			this.browser.awaitText("SENT_AGAIN", "TOO_LATE");
			this.browser.click("Yesterday");
			this.browser.await((text) -> text.contains("SENT_AGAIN") && !text.contains("TOO_LATE"));
			String text = this.browser.text();
			assertThat(text)
				.contains("olivia", "cause IllegalArgumentException: amount must be positive, parked before 20")
				.doesNotContain("cause=", "parkedBefore=");
			assertThat(text).contains("rabbit-retry audit --act DISCARD --from 20");
			assertThat(this.browser.clicks() - before).isLessThanOrEqualTo(5);
			assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(30));

			this.browser.clickFirst("Messages of entry");
			this.browser.awaitText("invalid-0", "invalid-1", "invalid-2");
			assertThat(this.browser.text()).doesNotContain("timeout-0");
			this.browser.click("Bin");
			this.browser.awaitText("olivia", "SENT_AGAIN", "otto", "TOO_LATE");

			this.browser.click("Audit");
			this.browser.clickFirst("Restore what entry");
			this.browser.write("Reason", "STILL_WANTED");
			this.browser.click("Restore 1 message");
			this.browser.awaitText("1 message parked again");
			this.browser.click("Audit");
			this.browser.write("Person", "otto" + Keys.ENTER);
			this.browser.await((shown) -> shown.contains("TOO_LATE") && !shown.contains("SENT_AGAIN"));
			assertThat(this.browser.has("Restore…")).isFalse();
			assertThat(this.browser.has("Messages of entry")).as("a link to messages that are parked again").isFalse();
			this.browser.click("Clear");
			this.browser.awaitText("SENT_AGAIN");
			assertThat(this.browser.has("Restore…")).isTrue();
		}
	}

	private void discard(String what, String user, String why) {
		this.browser.click("Discard " + what);
		this.browser.write("Your name", user);
		this.browser.write("Reason", why);
		this.browser.clickFirst("Discard " + what.charAt(0) + " message");
		this.browser.awaitText("discarded, audit entry");
	}

}
