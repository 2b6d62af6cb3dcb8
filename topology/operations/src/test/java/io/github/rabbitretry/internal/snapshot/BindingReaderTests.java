/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UnreadableBinding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * With one binding that the broker has no JSON for, each list that it is in is answered
 * by 500.
 */
class BindingReaderTests {

	private static final Map<String, Object> GOOD = binding("orders", "order");

	private static final Map<String, Object> OTHER = binding("order.retry", "order");

	private static final String SOURCE = "/api/exchanges/%%2F/%s/bindings/source";

	private final Map<String, @Nullable Object> answers = new HashMap<>();

	private final List<String> asked = new ArrayList<>();

	private static Map<String, Object> binding(String exchange, String queue) {
		return Map.of("source", exchange, "destination", queue, "destination_type", "queue", "routing_key", "k");
	}

	private static Map<String, Object> ends(String exchange, String queue) {
		return Map.of("source", exchange, "destination", queue, "destination_type", "queue");
	}

	private BindingReader reader() {
		return new BindingReader("/", (path) -> {
			this.asked.add(path);
			boolean ends = path.endsWith("?columns=source,destination,destination_type");
			String key = path.replaceAll("\\?.*", "") + (ends ? " ends" : "");
			if (this.answers.get(key) instanceof Integer status) {
				throw new ManagementUnavailableException("HTTP status " + status, status);
			}
			if (!this.answers.containsKey(key)) {
				throw new ManagementUnavailableException("HTTP status 500", 500);
			}
			return this.answers.get(key);
		});
	}

	@Test
	void oneQuestionIsEnoughWhereItIsAnswered() {
		this.answers.put("/api/bindings/%2F", List.of(GOOD, OTHER));
		BindingReader.Bindings bindings = reader().all();
		assertThat(bindings.read()).hasSize(2);
		assertThat(bindings.unreadable()).isEmpty();
		assertThat(this.asked).hasSize(1);
	}

	@Test
	void whatIsBesideTheUnreadableOneIsRead() {
		Map<String, Object> beside = binding("orders", "invoice");
		this.answers.put("/api/bindings/%2F ends", List.of(ends("", "order"), ends("orders", "order"),
				ends("orders", "order"), ends("orders", "invoice"), ends("order.retry", "order")));
		this.answers.put(SOURCE.formatted("order.retry"), List.of(OTHER));
		this.answers.put(SOURCE.formatted("orders") + " ends",
				List.of(ends("orders", "order"), ends("orders", "order"), ends("orders", "invoice")));
		this.answers.put("/api/bindings/%2F/e/orders/q/invoice", List.of(beside));
		BindingReader.Bindings bindings = reader().all();
		assertThat(bindings.read()).extracting(BindingSnapshot::source, BindingSnapshot::destination)
			.containsExactly(tuple("orders", "invoice"), tuple("order.retry", "order"));
		assertThat(bindings.unreadable()).singleElement()
			.hasToString(new UnreadableBinding("orders", "order", true, "HTTP status 500").toString());
	}

	@Test
	void anExchangeThatIsGoneMeanwhileHasNone() {
		this.answers.put(SOURCE.formatted("orders"), 404);
		assertThat(reader().from(List.of("orders")).read()).isEmpty();
	}

	@Test
	void anyOtherAnswerIsNoReasonToAskOn() {
		this.answers.put("/api/bindings/%2F", 403);
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> reader().all());
		assertThat(this.asked).hasSize(1);
	}

}
