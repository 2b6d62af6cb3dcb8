/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long each view takes with a million parked messages, from the click until it is
 * shown.
 */
@Tag("alone")
class MillionParkedIntegrationTests extends InBrowser {

	private static final int PARKED = 1_000_000;

	private static final int TIMES = 5;

	/**
	 * They take 0.9 s on a machine that others use, too. Here is room for more of that.
	 */
	private static final double LONGEST_MILLIS = 2000;

	/** The page sets its state to busy as soon as the address changes. */
	private static final String MEASURE = """
			const [address, done] = arguments;
			const begin = performance.now();
			const look = () => document.querySelector('[aria-busy]').getAttribute('aria-busy') === 'false'
				? requestAnimationFrame(() => done(performance.now() - begin)) : setTimeout(look, 5);
			addEventListener('hashchange', look, { once: true });
			location.hash = address;
			""";

	@Test
	void eachViewAnswersAtOnce() {
		try (Database database = Database.start();
				OrderService service = ParkedRows.start(database, PARKED, 200, List.of("timeout"))) {
			service.jdbc()
				.update("update rabbit_retry_parked set state = 'DISCARDED' where id in (select id from rabbit_retry_parked limit 1000)");
			this.browser.open(service.page());
			this.browser.awaitText("999,000 messages", "200 causes");
			largestCauseGrowsEvenly();
			Map<String, Double> fastest = new LinkedHashMap<>();
			for (String view : List.of("#/groups", "#/groups?text=failure7", "#/groups?reason=REASON_1",
					"#/groups?by=handlerVersion", "#/groups?by=schemaVersion", "#/messages?schemaVersion=v3",
					"#/messages", "#/messages?reason=REASON_1", "#/messages?text=failure7",
					"#/message/500000?payload=true", "#/bin", "#/jobs", "#/audit", "#/topology", "#/policies",
					"#/replay?reason=REASON_1")) {
				fastest.put(view, fastest(view));
			}
			assertThat(fastest).allSatisfy((view, millis) -> assertThat(millis).isLessThan(LONGEST_MILLIS));
		}
	}

	/** Every other message is one of it. */
	private void largestCauseGrowsEvenly() {
		String trend = this.browser.title("svg.trend", "estimated");
		assertThat(trend.substring(trend.indexOf(": ") + 2).split("; ")).hasSize(24)
			.allSatisfy((count) -> assertThat(Long.parseLong(count.replace(",", ""))).isBetween(PARKED / 100L,
					PARKED / 30L));
	}

	private double fastest(String view) {
		return Stream.generate(() -> {
			// requests nothing
			this.browser.runAsync(MEASURE, "#/restore?all=true");
			return ((Number) this.browser.runAsync(MEASURE, view)).doubleValue();
		}).limit(TIMES).sorted().toList().get(0);
	}

}
