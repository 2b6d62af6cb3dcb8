/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A link may come from anywhere, so opening one only reads: nothing is audited in the
 * name of the user who opens it.
 */
class DryRunLinksIntegrationTests extends InBrowser {

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void openingALinkShowsWhatWouldBeDoneAndIsNotAudited(boolean login) {
		try (OrderService service = OrderService.start(WebApplicationType.SERVLET,
				login ? SecuredConsole.class : null)) {
			service.park("timeout", 3);
			this.browser.open(service.page());
			if (login) {
				this.browser.logIn("otto", Client.PASSWORD);
			}
			this.browser.awaitText("3 messages");
			for (String act : List.of("replay", "discard")) {
				this.browser.view("#/" + act + "?all=true");
				this.browser.awaitText("3 messages would be " + act + "ed");
			}
			assertThat(service.audited()).isZero();
		}
	}

}
