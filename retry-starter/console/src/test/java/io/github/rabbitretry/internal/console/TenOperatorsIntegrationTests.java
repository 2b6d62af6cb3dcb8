/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.github.rabbitretry.database.Database;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten operators act on the same messages at once, over HTTP as the page does.
 */
@Tag("alone")
class TenOperatorsIntegrationTests {

	private static final int PARKED = 100_000;

	private static final int OPERATORS = 10;

	private static final int ACTS = 10;

	/** Nine of ten causes are repaired. */
	private static final List<String> KINDS = List.of("timeout", "timeout", "timeout", "timeout", "timeout", "timeout",
			"timeout", "timeout", "timeout", "invalid");

	/** What operators select; each overlaps with others. */
	private static final List<Map<String, Object>> FILTERS = List.of(Map.of("reason", "REASON_0"),
			Map.of("reason", "REASON_1"), Map.of("handlerVersion", "order-worker:1"),
			Map.of("handlerVersion", "order-worker:0"), Map.of("text", "failure9"), Map.of("text", "failure3"),
			Map.of("owner", "team-orders"), Map.of("all", true));

	@Test
	void replayNothingTwiceLoseNothingAndAreAllInTheAudit() throws Exception {
		try (Database database = Database.start();
				OrderService service = ParkedRows.start(database, PARKED, KINDS.size(), KINDS)) {
			service.repair("timeout");
			List<String> acts = actAtOnce(service);
			awaitQuiet(service);

			List<String> handled = service.handled();
			assertThat(handled).doesNotHaveDuplicates().hasSizeGreaterThan(PARKED / 10);
			List<String> kept = service.jdbc()
				.queryForList("select message_id from rabbit_retry_parked where state in ('PARKED', 'DISCARDED')",
						String.class);
			assertThat(kept).doesNotHaveDuplicates();
			Set<String> all = new HashSet<>(handled);
			all.addAll(kept);
			assertThat(all).as("each message was handled, is parked or is discarded")
				.hasSize(handled.size() + kept.size())
				.hasSize(PARKED);

			assertThat(audited(service)).containsExactlyInAnyOrderElementsOf(acts);
			assertThat(new HashSet<>(acts)).extracting((act) -> act.split(" ")[1])
				.contains("REPLAY", "DISCARD", "RESTORE", "PAUSE", "RESUME", "ABORT");
			assertThat(service.count("", "DISCARDED")).isPositive()
				.isEqualTo(sum(service, "DISCARD") - sum(service, "RESTORE"));
			assertThat(service.jdbc()
				.queryForObject("select count(*) from rabbit_retry_replay_item where state in ('UNCERTAIN', 'FAILED')",
						Long.class))
				.isZero();
		}
	}

	private static List<String> actAtOnce(OrderService service) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(OPERATORS);
		try {
			List<Callable<List<String>>> operators = IntStream.range(0, OPERATORS)
				.<Callable<List<String>>>mapToObj((number) -> () -> new Operator(service, number).act())
				.toList();
			List<String> acts = new ArrayList<>();
			for (Future<List<String>> done : threads.invokeAll(operators)) {
				acts.addAll(done.get());
			}
			return acts;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Until no replay runs, and what failed again is parked. */
	private static void awaitQuiet(OrderService service) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.until(() -> service.jdbc()
				.queryForObject("""
						select count(*) from rabbit_retry_replay_job where state in ('CANARY', 'RUNNING', 'PAUSED')""",
						Long.class)
					+ service.jdbc().queryForObject("""
							select count(*) from rabbit_retry_replay_item where state = 'PUBLISHED'""", Long.class),
					(left) -> left == 0);
	}

	private static List<String> audited(OrderService service) {
		return service.jdbc()
			.queryForList(
					"select user_name || ' ' || act" + " from rabbit_retry_audit where act not in ('STOP', 'FINISH')",
					String.class);
	}

	private static long sum(OrderService service, String act) {
		return service.jdbc()
			.queryForObject(
					"select coalesce(sum(message_count), 0) from rabbit_retry_audit where act = ? and not dry_run",
					Long.class, act);
	}

	/** One of them, who notes what was not refused. */
	private static final class Operator {

		private final Client client;

		private final String name;

		private final Random random;

		private final List<String> acts = new ArrayList<>();

		Operator(OrderService service, int number) {
			this.client = Client.of(service.address("/actuator/"));
			this.name = "operator-" + number;
			this.random = new Random(number);
		}

		List<String> act() {
			for (int act = 0; act < ACTS; act++) {
				switch (this.random.nextInt(4)) {
					case 0 -> discard();
					case 1 -> discardAndRestore();
					default -> replay();
				}
			}
			return this.acts;
		}

		private void replay() {
			Map<String, Object> selection = new HashMap<>(FILTERS.get(this.random.nextInt(FILTERS.size())));
			StringJoiner query = new StringJoiner("&", "replays/dry-run?", "");
			selection.forEach((name, value) -> query.add(name + "=" + value));
			assertThat(this.client.get(query.toString()).status()).isEqualTo(200);
			selection.putAll(Map.of("expect", PARKED, "maximum", 2000, "rate", "unlimited", "canary", 5, "takeReserved",
					this.random.nextInt(8) == 0));
			JsonNode started = post("replays", "REPLAY", selection);
			if (started != null) {
				String id = "replays/" + started.path("replay").path("id").asString();
				switch (this.random.nextInt(4)) {
					case 0 -> post(id + "/abort", "ABORT", Map.of());
					case 1 -> {
						post(id + "/pause", "PAUSE", Map.of());
						post(id + "/resume", "RESUME", Map.of("withoutCanary", true));
					}
					case 2 -> post(id + "/rate", "CHANGE_RATE", Map.of("rate", "5000"));
					default -> {
						// is left alone
					}
				}
			}
		}

		private @Nullable JsonNode discard() {
			Map<String, Object> selection = new HashMap<>(FILTERS.get(this.random.nextInt(FILTERS.size())));
			selection.putAll(Map.of("expect", PARKED, "maximum", 500));
			return post("parkinglot/discard", "DISCARD", selection);
		}

		private void discardAndRestore() {
			JsonNode discarded = discard();
			if (discarded != null) {
				post("parkinglot/restore", "RESTORE", Map.of("discard", discarded.path("auditId").asLong()));
			}
		}

		/** Conflicts with what others do are refused, and change nothing. */
		private @Nullable JsonNode post(String path, String act, Map<String, Object> values) {
			Map<String, Object> body = new HashMap<>(values);
			body.putAll(Map.of("user", this.name, "because", "TEST"));
			Client.Answer answer = this.client.post(path, JsonMapper.shared().writeValueAsString(body));
			assertThat(answer.status()).as(answer.text()).isIn(200, 409);
			if (answer.status() == 409) {
				return null;
			}
			JsonNode json = answer.json();
			if (path.startsWith("parkinglot") && !json.has("auditId")) {
				// nothing was left to discard
				return null;
			}
			this.acts.add(this.name + " " + act);
			return json;
		}

	}

}
