/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.doctor.TopologyReport.QueueReport;
import io.github.rabbitretry.internal.doctor.TopologyReport.TypeReport;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.rabbitretry.internal.doctor.BrokenBroker.LEGACY;
import static io.github.rabbitretry.internal.doctor.BrokenBroker.ORDER;
import static io.github.rabbitretry.internal.doctor.BrokenBroker.SHARED;
import static io.github.rabbitretry.internal.doctor.BrokenBroker.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each kind of broken topology is made on a real broker and found; the commands that are
 * printed are run as they are, and then nothing is found.
 */
class TopologyDoctorIntegrationTests {

	private static final String RETRY = ORDER + ".retry.1h";

	private static final String PARKING_LOT = ORDER + ".parking-lot";

	private static final String DEAD_LETTERS = ORDER + ".dlq";

	private static final String LADDER = "rabbit-retry.delay.v1";

	private static final String DURABLE = "\"durable\":true";

	/** What has to be encoded in an address or quoted in a shell. */
	private static final String ODD = "a%b+c~d ü/'\"#?";

	private static final String USER = "user '" + WORKER + "'";

	private static @Nullable BrokenBroker shared;

	private static int number;

	@AfterAll
	static void remove() {
		if (shared != null) {
			shared.close();
			shared = null;
		}
	}

	/** One for all cases, as long as each is mended. */
	private static BrokenBroker healthy() {
		BrokenBroker broker = shared;
		if (broker == null) {
			number++;
			// what the management API tells is mostly that old
			Broker.shared()
				.ctl("eval", "application:set_env(rabbit, collect_statistics_interval, 500), "
						+ "application:set_env(rabbit, quorum_tick_interval, 500).");
			broker = new BrokenBroker("doctor-" + number);
			shared = broker;
			awaitHealthy(broker);
		}
		return broker;
	}

	private static void awaitHealthy(BrokenBroker broker) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.pollInterval(Duration.ofMillis(250))
			.untilAsserted(() -> assertThat(broker.examine().findings()).isEmpty());
	}

	@ParameterizedTest
	@MethodSource("broken")
	void isDiagnosedAndThePrintedCommandsMendIt(Broken broken) {
		assumeTrue(Broker.shared().canControl());
		assumeTrue(broken.versions == null || Broker.shared().version().matches(broken.versions));
		BrokenBroker broker = healthy();
		boolean mended = false;
		try {
			broken.breaking.accept(broker);
			Finding finding = find(broker, broken);
			assertThat(finding.severity()).isEqualTo(broken.severity);
			assertThat(finding.fact()).containsIgnoringCase(broken.subject);
			assertThat(finding.remedy()).isNotBlank();
			if (broken.mending != null) {
				broken.mending.accept(broker);
			}
			else {
				assertThat(finding.commands()).isNotEmpty();
				finding.commands().forEach(PrintedCommand::run);
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.pollInterval(Duration.ofMillis(250))
				.untilAsserted(() -> assertThat(broker.examine().findings()).noneMatch(broken::is));
			broken.after.accept(broker);
			awaitHealthy(broker);
			mended = true;
		}
		finally {
			if (!mended) {
				Broker.shared().memoryAlarm(false);
				remove();
			}
		}
	}

	private static Finding find(BrokenBroker broker, Broken broken) {
		List<Finding> found = new ArrayList<>();
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(250)).untilAsserted(() -> {
			List<Finding> findings = broker.examine().findings();
			findings.stream().filter(broken::is).filter(broken::canBeMended).forEach(found::add);
			assertThat(found).as(() -> findings.toString()).isNotEmpty();
		});
		return found.get(0);
	}

	static Stream<Broken> broken() {
		return Stream.of(queues(), exchanges(), existingQueues(), policies(), leftovers(), consumers(), brokers())
			.flatMap((some) -> some);
	}

	private static Stream<Broken> queues() {
		return Stream.of(error("queue-missing", RETRY, (broker) -> broker.delete("queues", RETRY)),
				error("queue-missing", PARKING_LOT, (broker) -> broker.delete("queues", PARKING_LOT)),
				error("queue-missing", LADDER + ".8s", (broker) -> broker.delete("queues", LADDER + ".8s")),
				error("queue-missing", LADDER + ".unroutable",
						(broker) -> broker.delete("queues", LADDER + ".unroutable")),
				error("queue-wrong", PARKING_LOT,
						(broker) -> broker.anew(PARKING_LOT, DURABLE,
								Map.of("x-queue-type", "classic", "x-overflow", "reject-publish")))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				error("queue-wrong", PARKING_LOT,
						(broker) -> broker.anew(PARKING_LOT, "\"durable\":false", Map.of("x-queue-type", "classic")))
					.mended((broker) -> broker.asExpected(PARKING_LOT))
					.on("4\\.[0-2]\\..*"),
				error("queue-wrong", PARKING_LOT,
						(broker) -> broker.anew(PARKING_LOT, DURABLE + ",\"auto_delete\":true",
								Map.of("x-queue-type", "classic")))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				error("queue-wrong", RETRY, (broker) -> broker.otherwise(RETRY, Map.of("x-expires", 3_600_000))),
				error("queue-wrong", RETRY, (broker) -> broker.otherwise(RETRY, Map.of("x-message-ttl", 60_000))),
				error("queue-wrong", PARKING_LOT,
						(broker) -> broker.otherwise(PARKING_LOT, Map.of("x-message-ttl", 60_000)))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				error("queue-wrong", RETRY,
						(broker) -> broker.otherwise(RETRY, Map.of("x-dead-letter-exchange", "orders")))
					.mended((broker) -> broker.asExpected(RETRY)),
				error("queue-wrong", LADDER + ".16s",
						(broker) -> broker.otherwise(LADDER + ".16s", Map.of(), "x-dead-letter-exchange",
								"x-dead-letter-strategy"))
					.mended((broker) -> broker.asExpected(LADDER + ".16s")),
				error("queue-wrong", RETRY,
						(broker) -> broker.otherwise(RETRY, Map.of("x-dead-letter-routing-key", "nowhere")))
					.mended((broker) -> broker.asExpected(RETRY)),
				error("queue-wrong", RETRY, (broker) -> broker.otherwise(RETRY, Map.of(), "x-dead-letter-strategy")),
				error("queue-wrong", RETRY, (broker) -> broker.otherwise(RETRY, Map.of("x-overflow", "drop-head"))),
				error("queue-wrong", PARKING_LOT,
						(broker) -> broker.otherwise(PARKING_LOT, Map.of("x-delivery-limit", 20)))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				warning("queue-wrong", PARKING_LOT,
						(broker) -> broker.otherwise(PARKING_LOT, Map.of("x-max-length", 1000)))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				warning("queue-wrong", PARKING_LOT,
						(broker) -> broker.otherwise(PARKING_LOT, Map.of("x-single-active-consumer", true)))
					.mended((broker) -> broker.asExpected(PARKING_LOT)),
				error("queue-unavailable", PARKING_LOT, (broker) -> broker.server(PARKING_LOT, "stop_server"))
					.mended((broker) -> broker.server(PARKING_LOT, "restart_server")));
	}

	private static Stream<Broken> exchanges() {
		String copies = ORDER + ".copies";
		return Stream.of(
				error("exchange-missing", ORDER + ".retry", (broker) -> broker.delete("exchanges", ORDER + ".retry")),
				error("exchange-missing", LADDER + ".delivery",
						(broker) -> broker.delete("exchanges", LADDER + ".delivery")),
				error("exchange-missing", LADDER + ".4s", (broker) -> broker.delete("exchanges", LADDER + ".4s")),
				error("exchange-wrong", SHARED + ".dlx", (broker) -> {
					broker.delete("exchanges", SHARED + ".dlx");
					broker.exchange(SHARED + ".dlx", "fanout", "{}");
				}).mended((broker) -> declareAnew(broker, SHARED + ".dlx")),
				error("exchange-wrong", ORDER + ".retry", (broker) -> {
					broker.delete("exchanges", ORDER + ".retry");
					broker.exchange(ORDER + ".retry", "direct", "{\"alternate-exchange\":\"amq.fanout\"}");
				}).mended((broker) -> declareAnew(broker, ORDER + ".retry")),
				error("binding-missing", ORDER, (broker) -> broker.delete("bindings", "e/order.retry/q/order/order")),
				error("binding-missing", LADDER + ".1s",
						(broker) -> broker.delete("bindings",
								"e/%s.2s/q/%s.1s/%s".formatted(LADDER, LADDER, "%2A.".repeat(18) + "0.1.%23"))),
				error("binding-unexpected", LADDER + ".2s",
						(broker) -> broker.bind(LADDER + ".2s", "e", LADDER + ".1s", "*.".repeat(18) + "0.#")),
				info("binding-unexpected", ORDER + ".retry", (broker) -> {
					broker.queue(copies, DURABLE, Map.of());
					broker.bind(ORDER + ".retry", "q", copies, ORDER);
				}).mended((broker) -> broker.delete("queues", copies)),
				error("binding-unexpected", LADDER + ".delivery",
						(broker) -> broker.bind(LADDER + ".delivery", "q", ORDER, "#")),
				error("binding-unexpected", LADDER + ".delivery",
						(broker) -> broker.bind(LADDER + ".delivery", "q", PARKING_LOT, "*.".repeat(22) + ORDER)),
				error("binding-unexpected", LADDER + ".32s",
						(broker) -> broker.bind(LADDER + ".32s", "e", "orders", "#")),
				error("binding-unexpected", ORDER + ".retry", (broker) -> {
					broker.queue("audit", DURABLE, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
					broker.bind(ORDER + ".retry", "q", "audit", RETRY);
				}).mended((broker) -> broker.delete("queues", "audit")),
				error("binding-unexpected", PARKING_LOT, (broker) -> broker.bind("orders", "q", PARKING_LOT, "order.*"))
					.mended((broker) -> broker.unbind("orders", PARKING_LOT, "order.*")),
				error("binding-unexpected", DEAD_LETTERS, (broker) -> broker.bind("orders", "q", DEAD_LETTERS, "#"))
					.mended((broker) -> broker.unbind("orders", DEAD_LETTERS, "#")),
				warning("binding-unexpected", DEAD_LETTERS,
						(broker) -> broker.bind("amq.topic", "q", DEAD_LETTERS, "#"))
					.mended((broker) -> broker.unbind("amq.topic", DEAD_LETTERS, "#")),
				warning("binding-unexpected", RETRY, (broker) -> broker.bind("amq.topic", "q", RETRY, "order.#"))
					.mended((broker) -> broker.unbind("amq.topic", RETRY, "order.#")),
				warning("binding-unexpected", RETRY, (broker) -> broker.bind("amq.topic", "q", RETRY, ODD))
					.mended((broker) -> broker.unbind("amq.topic", RETRY, ODD)),
				error("routing-cycle", ORDER,
						(broker) -> broker.bind(ORDER + ".dlx", "q", ORDER + ".retry.10s", DEAD_LETTERS))
					.mended((broker) -> broker.unbind(ORDER + ".dlx", ORDER + ".retry.10s", DEAD_LETTERS)),
				error("routing-cycle", ORDER, (broker) -> {
					broker.bind(ORDER + ".dlx", "e", ORDER + ".retry", DEAD_LETTERS);
					broker.bind(ORDER + ".retry", "q", ORDER, DEAD_LETTERS);
				}).mended((broker) -> {
					broker.delete("bindings", "e/order.dlx/e/order.retry/order.dlq");
					broker.delete("bindings", "e/order.retry/q/order/order.dlq");
				}));
	}

	private static Stream<Broken> existingQueues() {
		return Stream.of(
				warning("dead-letters-lost", LEGACY, (broker) -> broker.delete("policies", "legacy-dlx"))
					.then(BrokenBroker::noPolicies),
				error("dead-letters-lost", LEGACY,
						(broker) -> broker.policy("legacy-dlx", "^legacy$", "{\"dead-letter-exchange\":\"gone\"}"))
					.then(BrokenBroker::noPolicies),
				error("dead-letters-lost", LEGACY,
						(broker) -> broker.policy("legacy-dlx", "^legacy$",
								"{\"dead-letter-exchange\":\"legacy.dlx\"}"))
					.then(BrokenBroker::noPolicies),
				error("dead-letters-lost", LEGACY, (broker) -> {
					broker.delete("queues", LEGACY);
					broker.queue(LEGACY, DURABLE, Map.of("x-dead-letter-exchange", "legacy.dlx"));
					broker.delete("exchanges", "legacy.dlx");
					broker.delete("policies", "legacy-dlx");
				}).mended((broker) -> {
					legacy(broker);
					broker.noPolicies();
					mend(broker);
				}).then(BrokenBroker::noPolicies), info("dead-letters-elsewhere", LEGACY, (broker) -> {
					broker.queue("elsewhere", DURABLE, Map.of());
					broker.bind("amq.fanout", "q", "elsewhere", "");
					broker.policy("legacy-dlx", "^legacy$", "{\"dead-letter-exchange\":\"amq.fanout\"}");
				}).then((broker) -> {
					broker.delete("queues", "elsewhere");
					broker.delete("bindings", "e/amq.fanout/q/legacy.dlq/legacy");
					broker.noPolicies();
				}), error("existing-queue-unfit", LEGACY, (broker) -> broker.delete("queues", LEGACY))
					.mended(TopologyDoctorIntegrationTests::legacy),
				error("existing-queue-unfit", LEGACY, (broker) -> {
					broker.delete("queues", LEGACY);
					broker.queue(LEGACY, DURABLE, Map.of("x-queue-type", "stream"));
				}).mended(TopologyDoctorIntegrationTests::legacy), warning("existing-queue-unfit", LEGACY, (broker) -> {
					broker.delete("queues", LEGACY);
					broker.queue(LEGACY, DURABLE + ",\"auto_delete\":true", Map.of());
				}).mended(TopologyDoctorIntegrationTests::legacy),
				error("consumer-timeout-short", "consumer-timeout", (broker) -> {
					broker.delete("queues", LEGACY);
					broker.queue(LEGACY, DURABLE, Map.of("x-queue-type", "quorum", "x-consumer-timeout", 90_000));
				}).mended(TopologyDoctorIntegrationTests::legacy));
	}

	private static void legacy(BrokenBroker broker) {
		broker.delete("queues", LEGACY);
		broker.queue(LEGACY, DURABLE, Map.of());
		broker.consume(LEGACY);
	}

	private static Stream<Broken> policies() {
		return Stream
			.of(error("policy-unsafe", "policy 'p'",
					(broker) -> broker.policy("p", "^(order|rabbit-retry)\\.", "{\"overflow\":\"drop-head\"}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "\\.parking-lot$", "{\"message-ttl\":60000}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "\\.retry\\.1h$", "{\"message-ttl\":60000}")),
					error("policy-unsafe", "operator policy 'op'",
							(broker) -> broker.operatorPolicy("op", "\\.parking-lot$", "{\"message-ttl\":60000}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "^order\\.retry\\.", "{\"expires\":3600000}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "\\.parking-lot$", "{\"delivery-limit\":10}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "^rabbit-retry", "{\"dead-letter-routing-key\":\"k\"}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "^order\\.retry$",
									"{\"alternate-exchange\":\"amq.fanout\"}")),
					warning("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "\\.parking-lot$", "{\"max-length\":1000}")),
					error("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "^order$", "{\"consumer-timeout\":90000}")),
					info("policy-unsafe", "policy 'p'",
							(broker) -> broker.policy("p", "^order$", "{\"consumer-timeout\":200000}")))
			.map((broken) -> broken.then(BrokenBroker::noPolicies));
	}

	private static Stream<Broken> leftovers() {
		Map<String, Object> quorum = Map.of("x-queue-type", "quorum");
		return Stream.of(
				info("leftover", "order.retry.30s",
						(broker) -> broker.queue("order.retry.30s", DURABLE, formerRetryQueue("quorum"))),
				warning("leftover", "order.retry.30s", (broker) -> {
					broker.queue("order.retry.30s", DURABLE, quorum);
					broker.publish("amq.default", "order.retry.30s");
				}).mended((broker) -> broker.delete("queues", "order.retry.30s")),
				info("leftover", "order.delay.500ms", (broker) -> broker.queue("order.delay.500ms", DURABLE, quorum))
					.mended((broker) -> broker.delete("queues", "order.delay.500ms")),
				info("leftover", "order.undeliverable",
						(broker) -> broker.queue("order.undeliverable", DURABLE, quorum))
					.mended((broker) -> broker.delete("queues", "order.undeliverable")),
				info("leftover", "shared.quarantine", (broker) -> broker.queue("shared.quarantine", DURABLE, quorum))
					.mended((broker) -> broker.delete("queues", "shared.quarantine")),
				info("leftover", "order.delay", (broker) -> broker.exchange("order.delay", "topic", "{}"))
					.mended((broker) -> broker.delete("exchanges", "order.delay")),
				info("former-queue", BrokenBroker.FORMER.queue(),
						(broker) -> broker.declare(TopologyParts.of(List.of(BrokenBroker.FORMER)))),
				warning("leftover", "renamed", (broker) -> {
					for (String end : List.of("", ".dlq", ".parking-lot")) {
						broker.queue("renamed" + end, DURABLE, Map.of("x-queue-type", "quorum", "x-overflow",
								"reject-publish", "x-dead-letter-exchange", "renamed.dlx"));
					}
					broker.post("bindings", "e/orders/q/renamed", "{\"routing_key\":\"order.*\"}");
					broker.publish("amq.default", "renamed");
				}).mended((broker) -> {
					for (String end : List.of("", ".dlq", ".parking-lot")) {
						broker.delete("queues", "renamed" + end);
					}
				}));
	}

	private static Stream<Broken> consumers() {
		return Stream.of(
				warning("queue-unconsumed", ORDER, (broker) -> broker.stopConsuming(ORDER))
					.mended((broker) -> broker.consume(ORDER)),
				warning("queue-unconsumed", DEAD_LETTERS, (broker) -> broker.stopConsuming(DEAD_LETTERS))
					.mended((broker) -> broker.consume(DEAD_LETTERS)),
				warning("queue-unconsumed", ORDER + ".quarantine",
						(broker) -> broker.stopConsuming(ORDER + ".quarantine"))
					.mended((broker) -> broker.consume(ORDER + ".quarantine")),
				error("consumer-unexpected", RETRY, (broker) -> broker.consumeOnce(RETRY, false))
					.mended((broker) -> broker.stopConsuming("stranger")),
				warning("consumer-unexpected", PARKING_LOT, (broker) -> broker.consumeOnce(PARKING_LOT, false))
					.mended((broker) -> broker.stopConsuming("stranger")),
				warning("consumer-unexpected", SHARED, (broker) -> {
					broker.stopConsuming(SHARED);
					broker.consumeOnce(SHARED, true);
				}).mended((broker) -> {
					broker.stopConsuming("stranger");
					broker.consume(SHARED);
				}),
				// who publishes there has to be changed
				new Broken("publisher-shared", Severity.WARNING, "127.0.0.1",
						(broker) -> broker.consumeAndPublish(SHARED))
					.mended(BrokenBroker::closePublishing));
	}

	private static Stream<Broken> brokers() {
		return Stream.of(
				// the node itself shows it some seconds later
				error("broker-alarm", "alarm", (broker) -> Broker.shared().memoryAlarm(true))
					.mended((broker) -> Broker.shared().memoryAlarm(false)),
				warning("messages-unroutable", LADDER + ".unroutable",
						(broker) -> broker.publish(LADDER + ".delivery", "nobody"))
					.mended((broker) -> broker.delete("queues", LADDER + ".unroutable/contents")),
				warning("messages-stuck", RETRY, (broker) -> {
					broker.delete("exchanges", ORDER + ".retry");
					broker.post("exchanges", "amq.default/publish",
							"{\"properties\":{\"delivery_mode\":2,\"expiration\":\"1\"},\"routing_key\":\"%s\",\"payload\":\"x\",\"payload_encoding\":\"string\"}"
								.formatted(RETRY));
				}).mended((broker) -> broker.delete("queues", RETRY)).then(TopologyDoctorIntegrationTests::mend),
				error("permission-missing", USER,
						(broker) -> broker.put("permissions", WORKER,
								"{\"configure\":\"^order\",\"write\":\".*\",\"read\":\".*\"}"))
					.then(BrokenBroker::permit),
				error("permission-missing", USER,
						(broker) -> broker.put("permissions", WORKER,
								"{\"configure\":\"\",\"write\":\"\",\"read\":\"\"}"))
					.then(BrokenBroker::permit),
				error("permission-missing", USER, (broker) -> broker.delete("permissions", WORKER))
					.then(BrokenBroker::permit),
				info("permission-broad", USER,
						(broker) -> broker.put("permissions", WORKER,
								"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}"))
					.mended(BrokenBroker::permit),
				info("permission-broad", USER,
						(broker) -> broker.management()
							.put("/api/users/" + WORKER, "{\"password\":\"w\",\"tags\":\"administrator\"}"))
					.mended((broker) -> broker.management()
						.put("/api/users/" + WORKER, "{\"password\":\"w\",\"tags\":\"\"}")));
	}

	private static Map<String, Object> formerRetryQueue(String type) {
		Map<String, Object> arguments = new HashMap<>(
				Map.of("x-queue-type", type, "x-message-ttl", 30_000, "x-overflow", "reject-publish",
						"x-dead-letter-exchange", ORDER + ".retry", "x-dead-letter-routing-key", ORDER));
		if (type.equals("quorum")) {
			arguments.put("x-dead-letter-strategy", "at-least-once");
		}
		return arguments;
	}

	@ParameterizedTest
	@ValueSource(strings = { "classic", "quorum" })
	void noCommandDeletesAQueueThatHasGotMessagesOrConsumersMeanwhile(String type) {
		BrokenBroker broker = healthy();
		String leftover = "order.retry.30s";
		broker.queue(leftover, DURABLE, formerRetryQueue(type));
		Finding finding = find(broker, info("leftover", leftover, (any) -> {
		}));
		try {
			broker.publish("amq.default", leftover);
			awaitDepth(broker, leftover, 1);
			assertThat(finding.commands()).singleElement()
				.satisfies((command) -> assertThat(PrintedCommand.succeeds(command)).isFalse());
			broker.delete("queues", leftover + "/contents");
			broker.consume(leftover);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> broker.get("/api/queues/" + broker.virtualHost() + "/" + leftover + "?columns=consumers")
					.contains(":1"));
			assertThat(PrintedCommand.succeeds(finding.commands().get(0))).isFalse();
			broker.stopConsuming(leftover);
		}
		finally {
			broker.delete("queues", leftover);
		}
	}

	/**
	 * The broker's numbers of a quorum queue are seconds old, unless it is told
	 * otherwise.
	 */
	@Test
	void noCommandDeletesMessagesThatWereConfirmedAMomentAgo() {
		BrokenBroker broker = healthy();
		quorumTick(5000);
		broker.otherwise(RETRY, Map.of("x-message-ttl", 7_200_000));
		quorumTick(500);
		try {
			List<String> commands = new ArrayList<>();
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
				commands.clear();
				broker.examine()
					.findings()
					.stream()
					.filter((finding) -> finding.code().equals("queue-wrong"))
					.forEach((finding) -> commands.addAll(finding.commands()));
				return commands.stream().anyMatch((command) -> command.contains("-X DELETE"));
			});
			broker.publishConfirmed(RETRY, 100);
			commands.forEach(PrintedCommand::succeeds);
			assertThat(broker.ready(RETRY)).isEqualTo(100);
			assertThat(broker.examine().findings()).extracting(Finding::code).doesNotContain("binding-missing");
		}
		finally {
			broker.asExpected(RETRY);
		}
		awaitHealthy(broker);
	}

	private static void quorumTick(int milliseconds) {
		Broker.shared().ctl("eval", "application:set_env(rabbit, quorum_tick_interval, %d).".formatted(milliseconds));
	}

	@ParameterizedTest
	@ValueSource(strings = { "shared.quarantine", "order.retry.30s", "ghost.parking-lot", "ghost.dlq" })
	void noCommandDeletesAQueueForItsNameAlone(String name) {
		BrokenBroker broker = healthy();
		broker.queue(name, DURABLE, Map.of("x-queue-type", "quorum"));
		try {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> broker.get("/api/queues/" + broker.virtualHost() + "/" + name + "?columns=messages")
					.contains(":0"));
			broker.publishConfirmed(name, 50);
			broker.examine().findings().forEach((finding) -> finding.commands().forEach(PrintedCommand::succeeds));
			assertThat(broker.ready(name)).isEqualTo(50);
		}
		finally {
			broker.delete("queues", name);
		}
		awaitHealthy(broker);
	}

	@Test
	void noCommandRemovesWhatAnotherServiceHasBoundToTheEndOfTheLadder() {
		BrokenBroker broker = healthy();
		broker.queue("payments", DURABLE, Map.of());
		broker.bind(LADDER + ".delivery", "q", "payments", "*.".repeat(22) + "payments");
		broker.bind(LADDER + ".delivery", "q", "payments", "#");
		try {
			assertThat(broker.examine().findings()).extracting(Finding::severity).containsOnly(Severity.INFO);
			broker.examine().findings().forEach((finding) -> finding.commands().forEach(PrintedCommand::succeeds));
			assertThat(broker.get("/api/queues/%s/payments/bindings".formatted(broker.virtualHost())))
				.contains("\"routing_key\":\"#\"");
		}
		finally {
			broker.delete("queues", "payments");
		}
		awaitHealthy(broker);
	}

	private static void awaitDepth(BrokenBroker broker, String queue, int messages) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> broker.get("/api/queues/" + broker.virtualHost() + "/" + queue + "?columns=messages")
				.contains(":" + messages));
	}

	private static void declareAnew(BrokenBroker broker, String exchange) {
		broker.delete("exchanges", exchange);
		mend(broker);
	}

	/** Everything that is printed, as somebody does who reads it from top to bottom. */
	private static void mend(BrokenBroker broker) {
		broker.examine()
			.findings()
			.stream()
			.filter((finding) -> finding.severity() == Severity.ERROR)
			.forEach((finding) -> finding.commands().forEach(PrintedCommand::run));
	}

	@Test
	@Tag("smoke")
	void whatIsMissingAltogetherIsMendedFromTopToBottom() {
		BrokenBroker broker = healthy();
		for (String queue : List.of(RETRY, LADDER + ".1s", PARKING_LOT)) {
			broker.delete("queues", queue);
		}
		for (String exchange : List.of(ORDER + ".dlx", ORDER + ".retry", LADDER + ".1s", LADDER + ".2s", LADDER)) {
			broker.delete("exchanges", exchange);
		}
		assertThat(broker.examine().findings()).extracting(Finding::code)
			.containsOnly("queue-missing", "exchange-missing");
		mend(broker);
		awaitHealthy(broker);
	}

	@Test
	void whatIsWrongWithOnePolicyIsMendedByRunningWhatIsPrintedOnce() {
		BrokenBroker broker = healthy();
		broker.policy("p", "\\.parking-lot$", "{\"message-ttl\":60000,\"max-length\":1000,\"max-length-bytes\":1000}");
		try {
			List<Finding> findings = broker.examine().findings();
			assertThat(findings).extracting(Finding::code).containsOnly("policy-unsafe");
			findings.forEach((finding) -> finding.commands().forEach(PrintedCommand::run));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.pollInterval(Duration.ofMillis(250))
				.untilAsserted(() -> assertThat(broker.examine().findings()).isEmpty());
		}
		finally {
			broker.noPolicies();
		}
		awaitHealthy(broker);
	}

	@Test
	void whereNothingIsDeclaredThatIsOneFinding() {
		BrokenBroker broker = healthy();
		try {
			broker.deleteAll();
			assertThat(broker.examine().findings()).extracting(Finding::code)
				.containsOnlyOnce("nothing-declared")
				.doesNotContain("queue-missing", "exchange-missing");
			assertThat(broker.examine(new ManagementAccess("http://127.0.0.1:1", "nobody", "s3cret")).findings())
				.extracting(Finding::code)
				.containsOnlyOnce("nothing-declared")
				.doesNotContain("queue-missing", "exchange-missing");
		}
		finally {
			remove();
		}
	}

	@Test
	void withoutTheManagementApiAmqpTellsWhatItCan() {
		BrokenBroker broker = healthy();
		ManagementAccess nobody = new ManagementAccess("http://127.0.0.1:1", "nobody", "s3cret");
		TopologyReport healthy = broker.examine(nobody);
		assertThat(healthy.findings()).isEmpty();
		assertThat(healthy.examinedBy()).isEqualTo("AMQP alone");
		assertThat(healthy.unexamined()).first()
			.asString()
			.startsWith("policies, bindings, exchanges and queues that no policy expects, consumers")
			.contains("http://127.0.0.1:1/");
		assertThat(healthy.toString()).doesNotContain("s3cret");
		broker.delete("queues", RETRY);
		broker.otherwise(PARKING_LOT, Map.of("x-delivery-limit", 20));
		try {
			assertThat(broker.examine(nobody).findings())
				.extracting((finding) -> finding.code() + " " + finding.subject())
				.containsExactlyInAnyOrder("queue-missing " + RETRY, "queue-wrong " + PARKING_LOT);
		}
		finally {
			broker.asExpected(PARKING_LOT);
			mend(broker);
		}
		awaitHealthy(broker);
	}

	@Test
	@Tag("smoke")
	void aBindingThatTheManagementApiHasNoJsonForHidesItselfAlone() {
		BrokenBroker broker = healthy();
		broker.bindUnreadably("orders", ORDER);
		try {
			broker.delete("bindings", "e/order.retry/q/order/order");
			TopologyReport report = broker.examine();
			assertThat(report.examinedBy()).startsWith("management API at");
			assertThat(report.unexamined()).singleElement()
				.asString()
				.startsWith("bindings of queue 'order' to exchange 'orders': ")
				.contains("HTTP status 500");
			assertThat(report.findings()).extracting(Finding::code).containsExactly("binding-missing");
			mend(broker);
		}
		finally {
			broker.unbindUnreadable("orders", ORDER);
		}
		awaitHealthy(broker);
	}

	@Test
	@Tag("smoke")
	void modelDepthsAndDiagramAreToldForEachMessageType() {
		TopologyReport report = healthy().examine();
		assertThat(report.broker()).isEqualTo(Broker.shared().version());
		assertThat(report.unexamined()).isEmpty();
		assertThat(report.messageTypes()).extracting(TypeReport::messageType)
			.containsExactly("Order", "Shared", "Legacy", "Ordered");
		TypeReport order = report.messageTypes().get(0);
		assertThat(order.queues()).extracting(QueueReport::name)
			.contains(ORDER, RETRY, DEAD_LETTERS, PARKING_LOT, ORDER + ".quarantine");
		assertThat(order.queues()).allSatisfy((queue) -> {
			assertThat(queue.present()).isTrue();
			assertThat(queue.messages()).isZero();
			assertThat(queue.state()).isEqualTo("running");
		});
		assertThat(order.queues()).filteredOn((queue) -> queue.role().equals("work"))
			.singleElement()
			.satisfies((queue) -> assertThat(queue.consumers()).isEqualTo(1));
		assertThat(order.diagram()).startsWith("flowchart LR");
		assertThat(report.shared()).hasSize(23);
		assertThat(report.only("Shared").messageTypes()).hasSize(1);
	}

	private static Broken error(String code, String subject, Consumer<BrokenBroker> breaking) {
		return new Broken(code, Severity.ERROR, subject, breaking);
	}

	private static Broken warning(String code, String subject, Consumer<BrokenBroker> breaking) {
		return new Broken(code, Severity.WARNING, subject, breaking);
	}

	private static Broken info(String code, String subject, Consumer<BrokenBroker> breaking) {
		return new Broken(code, Severity.INFO, subject, breaking);
	}

	/**
	 * A broken topology.
	 */
	static final class Broken {

		private final String code;

		private final Severity severity;

		private final String subject;

		private final Consumer<BrokenBroker> breaking;

		/** Where no command helps, what people do. */
		private @Nullable Consumer<BrokenBroker> mending;

		/** What else brings all back as it was. */
		private Consumer<BrokenBroker> after = (broker) -> {
		};

		private @Nullable String versions;

		Broken(String code, Severity severity, String subject, Consumer<BrokenBroker> breaking) {
			this.code = code;
			this.severity = severity;
			this.subject = subject;
			this.breaking = breaking;
		}

		Broken mended(Consumer<BrokenBroker> by) {
			this.mending = by;
			return this;
		}

		Broken then(Consumer<BrokenBroker> next) {
			this.after = next;
			return this;
		}

		String code() {
			return this.code;
		}

		Broken on(String pattern) {
			this.versions = pattern;
			return this;
		}

		/** Whose connection it is, is known some seconds later. */
		boolean canBeMended(Finding finding) {
			return this.mending != null || !finding.commands().isEmpty();
		}

		boolean is(Finding finding) {
			boolean about = finding.subject().equals(this.subject)
					|| finding.code().matches("publisher-shared|broker-alarm");
			return finding.code().equals(this.code) && finding.severity() == this.severity && about;
		}

		@Override
		public String toString() {
			return "%s %s".formatted(this.code, this.subject);
		}

	}

}
