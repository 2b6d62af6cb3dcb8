/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When messages were parked, will be deleted, and would be retried.
 */
class TimesIntegrationTests extends InBrowser {

	private static final String POLICY = "rabbit-retry.message-policies.Order.";

	@Test
	void theBinShowsUntilWhenAMessageCanBeRestored() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null,
				POLICY + "ledger.retention=90d")) {
			discard(service);
			OffsetDateTime stored = service.jdbc()
				.queryForObject("select stored_at from rabbit_retry_parked", OffsetDateTime.class);
			String date = String.valueOf(stored.withOffsetSameInstant(ZoneOffset.UTC).plusDays(90)).substring(0, 10);
			assertThat(lastCell()).startsWith(date);
			this.browser.view("#/message/" + service.id("timeout-0"));
			this.browser.awaitText("Kept until\n" + date);
		}
	}

	@Test
	void theBinHasNoDateForWhatIsKeptForEver() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			discard(service);
			assertThat(lastCell()).isEmpty();
			this.browser.view("#/message/" + service.id("timeout-0"));
			this.browser.awaitText("SHA-256 of the body");
			assertThat(this.browser.text()).doesNotContain("Kept until");
		}
	}

	private void discard(OrderService service) {
		service.park("timeout", 1);
		this.browser.open(service.page());
		this.browser.click("Discard 1 of java.net.SocketTimeoutException");
		this.browser.write("Your name", "olivia");
		this.browser.write("Reason", "SENT_AGAIN");
		this.browser.click("Discard 1 message");
		this.browser.awaitText("1 message discarded");
		this.browser.click("Bin");
		this.browser.awaitText("1 message", "Kept until", "timeout-0");
	}

	private String lastCell() {
		return String.valueOf(this.browser.run("return document.querySelector('tbody tr').lastElementChild.innerText"));
	}

	@Test
	void aCauseShowsWhenItsMessagesWereParked() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 5);
			service.jdbc()
				.update("update rabbit_retry_parked set parked_at = ? where message_id in ('timeout-0', 'timeout-1', 'timeout-2')",
						OffsetDateTime.now().minusHours(48));
			this.browser.open(service.page());
			this.browser.awaitText("5 messages");
			assertThat(this.browser.title("svg.trend", "Parked")).isEqualTo(
					"Parked per 2 h since the first: 3; " + String.join("; ", Collections.nCopies(22, "0")) + "; 2");
			assertThat(this.browser.run(
					"return [...document.querySelectorAll('.trend rect')].map((bar) => bar.getBoundingClientRect().height)"))
				.asInstanceOf(InstanceOfAssertFactories.list(Number.class))
				.extracting((height) -> height.doubleValue() > 5)
				.containsExactlyElementsOf(
						List.of(true, false, false, false, false, false, false, false, false, false, false, false,
								false, false, false, false, false, false, false, false, false, false, false, true));
		}
	}

	@Test
	void aPolicyShowsItsAttemptsInAnOutage() {
		try (Applications applications = new Applications(WebApplicationType.SERVLET)) {
			this.browser.open("http://127.0.0.1:%s/actuator/retryconsole#/policies".formatted(applications
				.start(ConsoleContract.Open.class, POLICY + "broker-attempts=4", POLICY + "retry-backoff=schedule",
						POLICY + "schedule=10s,1m,5m,30m", POLICY + "max-retry-age=2h")
				.getEnvironment()
				.getProperty("local.server.port")));
			this.browser.awaitText("In an outage of 1 h that begins when a message first fails",
					"It is parked 36 min 10 s after the first failure, since retries are exhausted. 5 attempts:"
							+ " 0 s, 10 s, 1 min 10 s, 6 min 10 s, 36 min 10 s.");
			assertThat(marks()).isEqualTo("down again again again again again failed");

			this.browser.write("Outage of", "5m");
			this.browser.click("Show");
			this.browser.awaitText("In an outage of 5 min",
					"It succeeds at attempt 4, 1 min 10 s after the outage. Attempts: 0 s, 10 s, 1 min 10 s, 6 min 10 s.");
			assertThat(marks()).isEqualTo("down again again again succeeded");
			assertThat(this.browser.fragment()).isEqualTo("#/policies?outage=5m");
			assertThat(this.browser.run("return document.querySelector('svg.outage').getAttribute('aria-label')"))
				.isEqualTo("Attempts of a message of Order in an outage of 5 min");
		}
	}

	@Test
	void jitterShowsBothEdgesAndBudgetsEndIt() {
		try (Applications applications = new Applications(WebApplicationType.SERVLET)) {
			this.browser.open("http://127.0.0.1:%s/actuator/retryconsole#/policies?outage=%s".formatted(applications
				.start(ConsoleContract.Open.class, POLICY + "broker-attempts=20",
						POLICY + "retry-backoff=exponential-jitter", POLICY + "initial-delay=1m",
						POLICY + "multiplier=1", POLICY + "jitter=0.5",
						POLICY + "max-retry-age=" + Duration.ofMinutes(9))
				.getEnvironment()
				.getProperty("local.server.port"), "1d"));
			this.browser.awaitText("With the shortest delays it is parked", "With the longest delays it is parked",
					"the next attempt would exceed its age");
		}
	}

	private String marks() {
		return String.valueOf(this.browser.run(
				"return [...document.querySelectorAll('.outage rect')].map((mark) => mark.className.baseVal).join(' ')"));
	}

}
