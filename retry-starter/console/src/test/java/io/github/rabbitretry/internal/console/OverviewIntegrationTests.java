/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is seen at a glance, and what is a click away.
 */
class OverviewIntegrationTests extends InBrowser {

	@Test
	void theWayOfAMessageTypeIsDrawnAndItsQueuesAreBehindIt() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null,
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.initial-delay=5m")) {
			service.send("timeout-1", Map.of("x-kind", "timeout"), "{}");
			String queue = service.queue() + ".retry.5m";
			this.browser.open(service.page() + "#/topology");
			this.browser.awaitText("Order, owner team-orders", "Work queue", "Parking lot");
			this.browser.await((text) -> {
				this.browser.click("Refresh");
				return text.contains("1 " + queue) && text.contains("all back by");
			});
			assertThat(this.browser.text()).doesNotContain("Unacknowledged");
			this.browser.click("All queues of Order");
			this.browser.awaitText("Unacknowledged", service.queue() + ".dlq");
		}
	}

	@Test
	void aFilterThatIsSetCanBeRemovedAndWhatAllRowsShareIsSaidOnce() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 2);
			service.park("invalid", 1);
			this.browser.open(service.page() + "#/messages?failureClass=transient&handlerVersion=order-worker:8");
			this.browser.awaitText("2 messages", "Failure class transient", "Handler version order-worker:8",
					"All of these: Order, %s; team-orders; parked".formatted(service.queue()));
			assertThat(this.browser.text()).doesNotContain("Type and queue");
			this.browser.click("Remove the filter Failure class");
			this.browser.awaitText("3 messages");
			assertThat(this.browser.fragment()).isEqualTo("#/messages?handlerVersion=order-worker%3A8");
		}
	}

	@Test
	void aReplayBeginsWithWhatItsDryRunFoundAndEndsWithWhatItReached() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 2);
			service.repair("timeout");
			this.browser.open(service.page());
			this.browser.click("Replay 2 of java.net.SocketTimeoutException");
			this.browser.awaitText("2 messages would be replayed");
			this.browser.await((text) -> "dry".equals(this.browser.run("return document.activeElement.id")));
			assertThat(this.browser.text()).doesNotContain("Wait for the canary");
			this.browser.write("Your name", "olivia");
			this.browser.write("Reason", "GATEWAY_UP");
			this.browser.click("Replay 2 messages");
			this.browser.awaitText("All 2 messages succeeded. Nothing remains to be done.");
			this.browser.click("Causes");
			this.browser.awaitText("Nothing is parked.", "Last one parked", "now replayed");
		}
	}

	@Test
	void aMessageIsShownAlthoughTheReplayThatItCameBackFromWasDeleted() {
		expectLogged("replay-deleted");
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 1);
			service.jdbc().update("update rabbit_retry_parked set replay_id = 'replay-deleted'");
			this.browser.open(service.page() + "#/message/" + service.id("timeout-0"));
			this.browser.awaitText("Came back from replay replay-deleted", "Properties and headers");
			this.browser.awaitQuiet();
			assertThat(this.browser.count(".problem")).isZero();
		}
	}

	@Test
	void aListReportsWhatIsNewAndShowsItWhenAsked() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 2);
			this.browser.open(service.page());
			this.browser.awaitText("2 messages");
			service.park("invalid", 3);
			// as when the tab is shown again
			this.browser.run("document.dispatchEvent(new Event('visibilitychange'))");
			this.browser.awaitText("2 messages", "3 new: show");
			this.browser.click("3 new: show");
			this.browser.awaitText("5 messages", "of 2 causes");
			assertThat(this.browser.text()).doesNotContain("new: show");
		}
	}

}
