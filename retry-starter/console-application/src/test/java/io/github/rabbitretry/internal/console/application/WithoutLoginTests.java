/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On loopback, without a login.
 */
class WithoutLoginTests {

	private static final String DISCARD = "{\"because\":\"TEST\",\"expect\":\"0\",\"messageType\":\"Order\",\"user\":\"olivia\"}";

	@Test
	void everythingIsAllowedToThisMachineButNotToOtherSites() {
		try (RunningConsole console = RunningConsole.start()) {
			Client client = new Client(console);
			assertThat(client.page("/").headers().firstValue("Location"))
				.hasValueSatisfying((location) -> assertThat(location).endsWith("/actuator/retryconsole"));
			assertThat(client.page("/actuator/retryconsole").statusCode()).isEqualTo(200);
			assertThat(client.page("/login").statusCode()).isEqualTo(404);
			assertThat(client.page("/logout").statusCode()).isEqualTo(404);
			assertThat(client.get("/actuator/retryconsole/session").body()).contains("\"rabbit-retry-console\"")
				.doesNotContain("\"user\"");
			assertThat(client.get("/actuator/parkinglot/1?payload=true").statusCode()).isEqualTo(404);
			assertThat(client.post("/actuator/parkinglot/discard", DISCARD).statusCode()).isEqualTo(200);
			assertThat(client.post("/actuator/parkinglot/discard", DISCARD.replace(",\"user\":\"olivia\"", ""))
				.statusCode()).as("who it is").isEqualTo(400);
			assertThat(
					client.post("/actuator/parkinglot/discard", DISCARD, "Sec-Fetch-Site", "cross-site").statusCode())
				.isEqualTo(403);
			assertThat(RawRequest.status(console, "rebound.example")).as("another name of this machine").isEqualTo(400);
			assertThat(RawRequest.status(console, "localhost")).isEqualTo(200);
		}
	}

}
