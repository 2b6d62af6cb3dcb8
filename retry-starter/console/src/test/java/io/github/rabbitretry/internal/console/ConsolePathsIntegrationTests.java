/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page finds its files and the endpoints wherever they are put.
 */
class ConsolePathsIntegrationTests extends InBrowser {

	private static final List<String> MAPPED = List.of("management.endpoints.web.base-path=/manage",
			"management.endpoints.web.path-mapping.retryconsole=ops/console",
			"management.endpoints.web.path-mapping.parkinglot=ops/parked",
			"management.endpoints.web.path-mapping.replays=jobs");

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void belowAContextPathAndMapped(WebApplicationType type) {
		List<String> properties = new ArrayList<>(MAPPED);
		properties.add("server.servlet.context-path=/shop");
		properties.add("spring.webflux.base-path=/shop");
		works(type, "/shop/manage/ops/console", properties);
		assertThat(this.browser.text()).containsPattern("rabbit-retry .* --url http://[^/ ]+/shop/manage(\\s|$)");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void atAManagementPort(WebApplicationType type) {
		works(type, "/admin/actuator/retryconsole", List.of("management.server.port=0",
				"management.server.address=127.0.0.1", "management.server.base-path=/admin"));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void atTheRootOfAManagementPort(WebApplicationType type) {
		works(type, "/retryconsole", List.of("management.server.port=0", "management.server.address=127.0.0.1",
				"management.endpoints.web.base-path=/"));
	}

	@Test
	void behindAProxyThatStripsAPrefix() throws IOException {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null);
				PrefixProxy proxy = new PrefixProxy(service.address(""))) {
			works(service, proxy.address("/actuator/retryconsole"));
			this.browser.awaitText("--url " + proxy.address("/actuator"));
		}
	}

	@Test
	void aPageThatAProxyKeepsFromStartingSaysSo() throws IOException {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET, null);
				PrefixProxy proxy = new PrefixProxy(service.address(""))) {
			proxy.restrict("require-trusted-types-for 'script'; trusted-types lit-html");
			this.browser.open(proxy.address("/actuator/retryconsole"));
			this.browser.awaitText("Nothing is parked.");
			proxy.restrict("require-trusted-types-for 'script'; trusted-types 'none'");
			expectLogged("trusted-types");
			expectLogged("lit-html");
			this.browser.open(proxy.address("/actuator/retryconsole"));
			this.browser.awaitText("The console can't start here.", "trusted-types lit-html");
		}
	}

	private void works(WebApplicationType type, String path, List<String> properties) {
		try (OrderService service = OrderService.start(type, null, properties.toArray(String[]::new))) {
			works(service, service.address(path));
		}
	}

	private void works(OrderService service, String address) {
		service.park("timeout", 2);
		service.repair("timeout");
		this.browser.open(address);
		this.browser.awaitText("2 messages");
		this.browser.click("Replay 2 of java.net.SocketTimeoutException");
		this.browser.write("Your name", "olivia");
		this.browser.write("Reason", "GATEWAY_UP");
		this.browser.click("Replay 2 messages");
		this.browser.awaitText("2 succeeded", "100 %", "Nothing remains to be done.");
	}

}
