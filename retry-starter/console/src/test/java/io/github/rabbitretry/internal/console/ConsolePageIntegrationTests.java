/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page in a browser, as far as each build looks at it.
 */
@Tag("smoke")
class ConsolePageIntegrationTests extends InBrowser {

	private static final String SCRIPT = "<script>window.hacked=true</script>";

	private static final String IMAGE = "<img src=x onerror=window.hacked=true>";

	@Test
	void showsWhatIsParkedByItsCauseAndWhateverMessagesSayAsText() {
		try (OrderService service = OrderService.start("console." + IMAGE + UUID.randomUUID(),
				WebApplicationType.SERVLET, null)) {
			service.park("timeout", 3);
			service.send("hostile-1", Map.of("x-kind", "other", "x-failure", SCRIPT + IMAGE, "x-" + IMAGE, SCRIPT),
					"{\"a\":\"%s\"}".formatted("javascript:" + SCRIPT));
			service.awaitParked("hostile", 1);

			this.browser.open(service.page());
			this.browser.awaitText("order-worker", "staging", "SocketTimeoutException", "Read timed out", "4 messages",
					"of 2 causes", "team-orders", "order-worker:8", SCRIPT, IMAGE);
			this.browser.click("Messages 1 of java.lang.IllegalStateException");
			this.browser.awaitText("hostile-1", SCRIPT);
			this.browser.clickFirst(String.valueOf(service.id("hostile-1")));
			this.browser.click("Show body and all headers");
			this.browser.awaitText("javascript:" + SCRIPT, "x-" + IMAGE);

			assertThat(this.browser.count("img, body script, iframe")).isZero();
			assertThat(this.browser.run("return window.hacked")).isNull();
		}
	}

}
