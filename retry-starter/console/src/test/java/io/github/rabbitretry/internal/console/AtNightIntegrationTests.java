/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people on call reach for.
 */
class AtNightIntegrationTests extends InBrowser {

	@Test
	void aMoveKnowsTheQueuesAndSaysIfThereIsNone() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 2);
			this.browser.open(service.page());
			this.browser.click("Replay 2 of java.net.SocketTimeoutException");
			this.browser.awaitText("2 messages would be replayed");
			this.browser.write("Your name", "olivia");
			this.browser.click("More options");
			this.browser.write("To another queue", "no.such.queue");
			this.browser.run("document.querySelector('[name=move]').click()");
			this.browser.awaitText("There is no queue 'no.such.queue': the replay would publish nothing");
			this.browser
				.await((text) -> this.browser.count("#queues option[value='%s']".formatted(service.queue())) == 1);
			this.browser.write("To another queue", service.queue() + ".dlq");
			this.browser.write("Reason", "TO_ANALYSIS");
			this.browser.await((text) -> text.contains("Messages move to") && !text.contains("There is no queue"));
			this.browser.click("Move 2 messages");
			this.browser.awaitText("2 messages published to " + service.queue());
		}
	}

	@Test
	void twoCausesAreChosenTogether() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 3);
			service.park("busy", 2);
			service.park("invalid", 1);
			this.browser.open(service.page());
			this.browser.awaitText("6 messages", "of 3 causes");
			for (String cause : List.of("3 of java.net.SocketTimeoutException",
					"1 of java.lang.IllegalArgumentException")) {
				this.browser.run("document.querySelector(arguments[0]).click()",
						"[aria-label='Choose %s']".formatted(cause));
			}
			this.browser.click("Discard the 2 causes that are chosen");
			this.browser.awaitText("4 messages would be discarded");
			this.browser.write("Your name", "olivia");
			this.browser.write("Reason", "SENT_AGAIN");
			this.browser.click("Discard 4 messages");
			this.browser.awaitText("4 messages discarded");
			assertThat(service.count("busy", "PARKED")).isEqualTo(2);
			assertThat(service.count("", "DISCARDED")).isEqualTo(4);
		}
	}

	@Test
	void aTextOfTheLogFindsItsCause() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("busy", 2);
			service.park("timeout", 1);
			this.browser.open(service.page());
			this.browser.awaitText("3 messages", "no connection within # s");
			for (String logged : List.of("no connection within 5 s", "TimeoutException: no connection",
					"java.util.concurrent.TimeoutException: no connection within 17 s")) {
				this.browser.view("#/groups");
				this.browser.write("Text contains", logged + Keys.ENTER);
				this.browser.awaitText("2 messages", "of 1 cause");
			}
		}
	}

	@Test
	void whoReadsABodyIsInTheAudit() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, SecuredConsole.class)) {
			service.park("timeout", 1);
			this.browser.open(service.page());
			this.browser.logIn("otto", Client.PASSWORD);
			this.browser.awaitText("1 message");
			this.browser.view("#/message/" + service.id("timeout-0"));
			assertThat(service.audited()).isZero();
			this.browser.click("Show body and all headers");
			this.browser.awaitText("\"order\": 0");
			this.browser.click("Audit");
			this.browser.awaitText("otto", "read body", "BODY_SHOWN");
			this.browser.click(String.valueOf(service.id("timeout-0")));
			this.browser.awaitText("Properties and headers");
		}
	}

	@Test
	void theOldestMessagesComeFirstIfThatIsAskedFor() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("first", 1);
			service.park("timeout", 55);
			this.browser.open(service.page() + "#/messages");
			this.browser.awaitText("56 messages", "last parked first");
			assertThat(this.browser.text()).doesNotContain("first-0");
			this.browser.click("Oldest first");
			this.browser.awaitText("56 messages", "first parked first", "first-0", "parked list --oldest-first");
			this.browser.click("Next page");
			this.browser.awaitText("continued", "timeout-");
			assertThat(this.browser.text()).doesNotContain("first-0");
			this.browser.click("Newest first");
			this.browser.awaitText("last parked first", "Next page");
		}
	}

}
