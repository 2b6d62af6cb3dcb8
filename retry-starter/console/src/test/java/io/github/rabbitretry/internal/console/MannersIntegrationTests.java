/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page does when things come late, hidden, misspelled or by accident.
 */
class MannersIntegrationTests extends InBrowser {

	@Test
	void whatIsDoneAfterTheViewWasLeftIsANotice() throws Exception {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null);
				PrefixProxy proxy = new PrefixProxy(service.address(""))) {
			service.park("timeout", 2);
			service.park("invalid", 1);
			service.repair("timeout");
			this.browser.open(proxy.address("/actuator/retryconsole"));
			this.browser.click("Discard 1 of java.lang.IllegalArgumentException");
			this.browser.write("Your name", "olivia");
			this.browser.write("Reason", "SENT_AGAIN");
			PrefixProxy.Held discard = proxy.hold("/parkinglot/discard");
			this.browser.click("Discard 1 message");
			discard.await();
			this.browser.click("Messages");
			this.browser.awaitText("2 messages", "timeout-1");
			discard.release();
			this.browser.awaitText("1 message: discard done, audit entry");
			assertThat(this.browser.fragment()).isEqualTo("#/messages");
			assertThat(this.browser.text()).contains("2 messages", "timeout-1").doesNotContain("1 message discarded");

			this.browser.click("Causes");
			this.browser.click("Replay 2 of java.net.SocketTimeoutException");
			this.browser.write("Reason", "GATEWAY_UP");
			PrefixProxy.Held replay = proxy.hold("/actuator/replays");
			this.browser.click("Replay 2 messages");
			replay.await();
			this.browser.view("#/policies");
			replay.release();
			this.browser.awaitText("has started.", "Handler calls per delivery");
			assertThat(this.browser.fragment()).isEqualTo("#/policies");
		}
	}

	@Test
	void anAnswerToWhatWasAskedBeforeReplacesNothing() throws Exception {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null);
				PrefixProxy proxy = new PrefixProxy(service.address(""))) {
			service.park("timeout", 1);
			this.browser.open(proxy.address("/actuator/retryconsole#/audit"));
			this.browser.awaitText("No entry.");
			PrefixProxy.Held list = proxy.hold("/actuator/parkinglot");
			this.browser.click("Messages");
			list.await();
			this.browser.click("Audit");
			this.browser.awaitText("No entry.");
			list.release();
			this.browser.click("Filter");
			this.browser.awaitQuiet();
			assertThat(this.browser.text()).contains("No entry.").doesNotContain("timeout-0");
		}
	}

	@Test
	void charactersThatHideOrReverseTextAreShownAsEscapes() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.send("hidden-\u200b1", Map.of("x-kind", "other", "x-failure", "paid \u202eoN\u202c twice\u2066"),
					"{\"order\":\"\u200e1\"}");
			service.awaitParked("hidden", 1);
			this.browser.open(service.page() + "#/messages");
			this.browser.awaitText("hidden-\\u200b1", "paid \\u202eoN\\u202c twice\\u2066");
			long id = service.id("hidden-\u200b1");
			for (String view : List.of("#/groups", "#/message/" + id + "?payload=true", "#/messages?text=\u202e")) {
				this.browser.view(view);
				this.browser.awaitText("\\u202e");
				assertThat(this.browser.run("return document.title + document.body.innerText").toString())
					.doesNotContainPattern("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]");
			}
		}
	}

	@Test
	void groupsByAnotherAttributeLeadToTheirCausesAndMessages() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.send("a-1", Map.of("x-kind", "timeout", "x-schema-version", "2"), "{}");
			service.send("a-2", Map.of("x-kind", "invalid", "x-schema-version", "2"), "{}");
			service.send("a-3", Map.of("x-kind", "invalid"), "{}");
			service.awaitParked("a", 3);
			this.browser.open(service.page());
			this.browser.awaitText("3 messages", "of 2 causes");
			this.browser.click("schema version");
			this.browser.awaitText("3 messages", "of 2 schema versions", "By schema version, largest first", "none");
			assertThat(this.browser.text()).contains("rabbit-retry parked groups --by schemaVersion");
			this.browser.write("Reason", "NO_SUCH" + Keys.ENTER);
			this.browser.awaitText("Nothing that matches is parked.");
			assertThat(this.browser.fragment()).isEqualTo("#/groups?reason=NO_SUCH&by=schemaVersion");
			for (String unknown : List.of("messageId", "constructor", "QUEUE")) {
				this.browser.view("#/groups?by=" + unknown);
				this.browser.awaitText("Messages can't be grouped by " + unknown);
				assertThat(this.browser.text()).doesNotContain("Discard…");
			}
			for (String list : List.of("groups", "messages", "bin")) {
				this.browser.view("#/" + list);
				this.browser.write("Text contains", "order" + Keys.ENTER);
				this.browser.awaitQuiet();
				assertThat(this.browser.fragment()).isEqualTo("#/" + list + "?text=order");
			}
			this.browser.view("#/groups?by=schemaVersion");
			this.browser.click("2");
			this.browser.awaitText("2 messages", "a-1", "a-2");
			assertThat(this.browser.fragment()).isEqualTo("#/messages?schemaVersion=2");
			this.browser.view("#/groups?by=schemaVersion");
			this.browser.click("Discard 2 of 2");
			this.browser.awaitText("schema version 2");
			assertThat(this.browser.fragment()).isEqualTo("#/discard?schemaVersion=2");
		}
	}

	@Test
	void anUnknownAddressLeadsToTheCauses() {
		try (Applications applications = new Applications(WebApplicationType.SERVLET)) {
			String page = "http://127.0.0.1:%s/actuator/retryconsole".formatted(
					applications.start(ConsoleContract.Open.class).getEnvironment().getProperty("local.server.port"));
			for (String address : List.of("#/constructor", "#/__proto__", "#/toString", "#/hasOwnProperty/1", "#//",
					"#/%E0%A4%A", "#constructor", "#/groups/%", "#/undefined?%")) {
				this.browser.open("about:blank");
				this.browser.open(page + address);
				this.browser.awaitText("Nothing is parked.");
				assertThat(this.browser.run("return document.title")).as(address).asString().startsWith("Causes");
			}
			this.browser.view("#/replays");
			this.browser.awaitText("There is no view 'replays'. These are the causes.");
		}
	}

	@Test
	void enterInAFieldDoesNoneOfSeveralThings() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 30);
			service.repair("timeout");
			this.browser.open(service.page());
			this.browser.click("Replay 30 of java.net.SocketTimeoutException");
			this.browser.write("Your name", "olivia");
			this.browser.write("First, as a canary", "0");
			this.browser.write("Rate", "1");
			this.browser.write("Reason", "GATEWAY_UP");
			this.browser.click("Replay 30 messages");
			this.browser.awaitText("running");
			long audited = service.audited();
			this.browser.write("Reason", "WRONG_ONE" + Keys.ENTER);
			this.browser.write("Messages per second", "2" + Keys.ENTER);
			this.browser.awaitText("3 succeeded");
			assertThat(service.audited()).isEqualTo(audited);
			assertThat(this.browser.text()).contains("running");

			this.browser.click("Abort");
			this.browser.awaitText("aborted");
			assertThat(service.audited()).isEqualTo(audited + 1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void aSlashBehindTheAddressLeadsToThePage(WebApplicationType type) {
		try (Applications applications = new Applications(type)) {
			this.browser.open("http://127.0.0.1:%s/actuator/retryconsole/".formatted(
					applications.start(ConsoleContract.Open.class).getEnvironment().getProperty("local.server.port")));
			this.browser.awaitText("order-worker", "Nothing is parked.");
		}
	}

	@Test
	void aDeeplyNestedBodyIsShownAsItIs() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			String nested = "[".repeat(20_000) + "]".repeat(20_000);
			service.send("nested-1", Map.of("x-kind", "other"), nested);
			service.awaitParked("nested", 1);
			this.browser.open(service.page());
			this.browser.awaitText("1 message");
			this.browser.view("#/message/" + service.id("nested-1") + "?payload=true");
			this.browser.awaitText("40,000 bytes, whole", "[[[[[[[[");
		}
	}

	@Test
	void aViewThatCanNotBeShownKeepsNothingOfTheOneBefore() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null)) {
			service.park("timeout", 2);
			this.browser.open(service.page());
			this.browser.view("#/messages");
			this.browser.awaitText("timeout-1", "Discard all that match…");
			expectLogged("status of 400");
			for (String address : List.of("#/messages?valueOf=1", "#/messages?toString=x&__proto__=y")) {
				this.browser.view(address);
				assertThat(this.browser.count(".problem")).as(address).isOne();
				assertThat(this.browser.text()).as(address).doesNotContain("timeout-1", "Discard all that match…");
			}
			// a broken view, as one with a mistake in it would be
			this.browser.run("Number.prototype.toLocaleString = () => { throw new Error('broken'); }");
			this.browser.view("#/messages");
			this.browser.awaitText("This view can't be shown");
			assertThat(this.browser.text()).doesNotContain("timeout-1", "Discard all that match…");
		}
	}

	@Test
	void aReplayIsPausedByOneClickAndShowsByWhom() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, SecuredConsole.class)) {
			service.park("timeout", 30);
			service.repair("timeout");
			this.browser.open(service.page());
			this.browser.logIn("otto", Client.PASSWORD);
			this.browser.click("Replay 30 of java.net.SocketTimeoutException");
			this.browser.write("First, as a canary", "0");
			this.browser.write("Rate", "1");
			this.browser.write("Reason", "GATEWAY_UP");
			this.browser.click("Replay 30 messages");
			this.browser.awaitText("running");
			this.browser.click("Pause");
			this.browser.awaitText("paused", "Paused by otto", "paused in the console");
			this.browser.click("Resume");
			this.browser.awaitQuiet();
			assertThat(this.browser.text()).as("resuming wants a reason").contains("Paused by otto");
			this.browser.open("about:blank");
		}
	}

	@Test
	void whoMayOnlyReadIsOfferedNoActs() {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, SecuredConsole.class,
				"rabbit-retry.replay.roles.replay=OPERATOR", "rabbit-retry.replay.roles.discard=CLEANER",
				"rabbit-retry.replay.roles.edit=CLEANER")) {
			service.park("timeout", 2);
			this.browser.open(service.page());
			this.browser.logIn("otto", Client.PASSWORD);
			this.browser.awaitText("2 messages", "Replay…");
			assertThat(this.browser.text()).doesNotContain("Discard…");
			this.browser.view("#/discard?all=true");
			this.browser.awaitText("2 messages would be discarded", "rabbit-retry.replay.roles.discard");
			assertThat(this.browser.hasField("Reason")).isFalse();
			this.browser.view("#/message/" + service.id("timeout-0") + "?payload=true");
			this.browser.awaitText("Properties and headers");
			assertThat(this.browser.text()).doesNotContain("Edit and replay", "Discard…");
		}
	}

	@Test
	void theOutageOfAPolicyIsFilledIn() {
		try (Applications applications = new Applications(WebApplicationType.SERVLET)) {
			this.browser.open("http://127.0.0.1:%s/actuator/retryconsole".formatted(
					applications.start(ConsoleContract.Open.class).getEnvironment().getProperty("local.server.port")));
			this.browser.click("Policies");
			this.browser.awaitText("In an outage of 1 h");
			assertThat(this.browser.run("return document.querySelector('[name=outage]').value")).isEqualTo("1h");
		}
	}

}
