/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends messages that no client library would send through ring, parking, the dead-letter
 * consumer, ledger and replay, and asks afterwards where each is. {@code fuzz.seed}
 * repeats a run's messages, {@code fuzz.messages} sets their number.
 */
class FuzzIntegrationTests {

	private static final OperatorAction ACT = new OperatorAction("fuzzer", "HANDLER_FIXED");

	private static final String LEDGER = "fuzz.ledger";

	private static final String PLAIN = "fuzz.plain";

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int MOST_MORE_THREADS = 30;

	private static final int WARM_UP = 1_000_000_000;

	private final int messages = Integer.getInteger("fuzz.messages", 20_000);

	private final long seed = Long.getLong("fuzz.seed", 2);

	private final Broker broker = Broker.shared();

	private final FuzzQueues queues = new FuzzQueues(this.broker, "fuzz.");

	private final List<String> failures = new ArrayList<>();

	private TestBroker client;

	private ConfigurableApplicationContext ledger;

	private ConfigurableApplicationContext plain;

	@TempDir
	private Path folder;

	@BeforeEach
	void start() {
		this.client = TestBroker.connect();
		deleteAll();
		this.ledger = application(LEDGER, "spring.datasource.url=jdbc:h2:file:" + this.folder.resolve("ledger"));
		this.plain = application(PLAIN, "rabbit-retry.ledger.enabled=false");
		this.client.purge(DelayLadder.UNROUTABLE);
	}

	private static ConfigurableApplicationContext application(String queue, String... more) {
		List<String> properties = new ArrayList<>(List.of("fuzz.queue=" + queue, "spring.main.banner-mode=off",
				"spring.application.name=" + queue, "logging.level.io.github.rabbitretry.decisions=warn",
				"logging.level.io.github.rabbitretry.audit=warn", "logging.level.org.apache.kafka=warn",
				"spring.rabbitmq.listener.simple.concurrency=2", "rabbit-retry.message-policies.Fuzz.queue=" + queue,
				"rabbit-retry.message-policies.Fuzz.retry-backoff=fixed",
				"rabbit-retry.message-policies.Fuzz.initial-delay=200ms",
				"rabbit-retry.message-policies.Fuzz.broker-attempts=2",
				"rabbit-retry.message-policies.Fuzz.local-attempts=1", "rabbit-retry.message-policies.Fuzz.jitter=0",
				"rabbit-retry.classification.rules[0].exception=" + FuzzApplication.ImpossibleException.class.getName(),
				"rabbit-retry.classification.rules[0].failure-class=permanent-business",
				"rabbit-retry.classification.rules[0].reason=IMPOSSIBLE"));
		properties.addAll(List.of(more));
		return TestApplication.start(FuzzApplication.class, properties.toArray(String[]::new));
	}

	@AfterEach
	void stop() {
		this.ledger.close();
		this.plain.close();
		deleteAll();
		this.client.close();
	}

	private void deleteAll() {
		this.client.deleteAll(LEDGER);
		this.client.deleteAll(PLAIN);
	}

	@Test
	void everyConfirmedMessageEndsOnce() throws Exception {
		say("seed %d, %d messages, %s".formatted(this.seed, this.messages, this.broker.description()));
		FuzzMessages fuzz = new FuzzMessages(this.seed, LEDGER);
		warmUp();
		Map<String, Integer> consumers = this.queues.consumers();
		Map<String, Integer> threads = threads();
		long heap = usedHeap();
		Set<Integer> confirmed;
		Set<Integer> uncertain;
		try (LogVolume log = new LogVolume(); FuzzSender sender = new FuzzSender(this.broker)) {
			rejectForeign(fuzz, sender, this.messages / 10);
			for (int id = this.messages / 10; id < this.messages; id++) {
				sender.send(fuzz.message(id, target(id)));
			}
			sender.flush();
			confirmed = sender.ids(Sent.CONFIRMED);
			uncertain = new TreeSet<>(sender.ids(Sent.UNKNOWN));
			uncertain.addAll(sender.ids(Sent.REFUSED));
			say(sender.toString());
			awaitCalm("sent");
			say("before the replays: %s in the ledger, %s".formatted(rows(), full()));
			this.ledger.getBean(FuzzApplication.class).mend();
			attempt("replay of the ledger", this::replayLedger);
			awaitCalm("replayed");
			say("after the replays: %s in the ledger, %s".formatted(rows(), full()));
			say(log.toString());
			assertThat(log.count()).as("lines logged").isLessThan(200 + this.messages / 10);
		}
		FuzzAccount account = account();
		say(account.toString());
		say("kinds: " + account.kinds(confirmed, (id) -> fuzz.message(id, target(id)).kind()));
		account.assertEndsOnce(confirmed, uncertain);
		assertThat(this.failures).isEmpty();
		assertThat(this.queues.consumers()).as("consumers").isEqualTo(consumers);
		Map<String, Integer> grown = threads();
		threads.forEach((name, count) -> grown.merge(name, -count, Integer::sum));
		grown.values().removeIf((count) -> count <= 0);
		say("threads that were not there before: " + grown);
		// the replay opens a connection of its own when it is first used: a reader, and
		// a few threads of the client's pool, by the number of processors
		assertThat(grown.values().stream().mapToInt(Integer::intValue).sum()).as("threads")
			.isLessThanOrEqualTo(MOST_MORE_THREADS);
		assertThat(usedHeap()).as("heap in use").isLessThan(heap + (100 << 20));
	}

	/**
	 * The broker delivers messages that no AMQP 0-9-1 client survives: each delivery ends
	 * the connection, as a crash does. They end somewhere, and all others are handled.
	 */
	@Test
	void whatKillsEveryConsumerIsSetAsideAndAllElseGoesOn() throws Exception {
		say("killers, seed %d, %s".formatted(this.seed, this.broker.description()));
		FuzzMessages fuzz = new FuzzMessages(this.seed, LEDGER);
		warmUp();
		Map<String, Integer> consumers = this.queues.consumers();
		try (LogVolume log = new LogVolume(); FuzzSender sender = new FuzzSender(this.broker)) {
			for (int id = 0; id < 800; id++) {
				sender.send(switch (id % 200) {
					case 0 -> fuzz.unconvertible(id);
					case 1 -> (id < 400) ? fuzz.tooDeep(id) : fuzz.unconvertible(id);
					default -> fuzz.plain(id);
				});
			}
			sender.flush();
			say(sender.toString());
			assertThat(sender.ids(Sent.CONFIRMED)).hasSize(800);
			awaitCalm("sent");
			this.ledger.getBean(FuzzApplication.class).mend();
			attempt("replay of the ledger", this::replayLedger);
			awaitCalm("replayed");
			say("after the replay: %s in the ledger, %s".formatted(rows(), full()));
			say(log.toString());
			assertThat(log.count()).as("lines logged").isLessThan(3_000);
			// Spring AMQP looks after its consumers every ten seconds
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.pollInterval(Duration.ofSeconds(3))
				.during(Duration.ofSeconds(12))
				.untilAsserted(() -> assertThat(this.queues.consumers()).isEqualTo(consumers));
			FuzzAccount account = account();
			say(account.toString());
			Set<Integer> others = new TreeSet<>(sender.ids(Sent.CONFIRMED));
			others.removeIf((id) -> id % 200 < 2);
			account.assertNothingIsLost(others);
			// no AMQP 0-9-1 client can look which they are
			assertThat(this.queues.messages()).as("set aside").containsEntry(DelayLadder.UNROUTABLE, 8);
			// each of eight ends at most five connections in the work queue and as many
			// of
			// the dead-letter consumer, which hold two prefetch counts of listeners and
			// one of it
			assertThat(account.doubled().size()).as("duplicates").isLessThan(8 * 2 * 5 * 750);
		}
		assertThat(this.failures).isEmpty();
	}

	/** Where a message is sent to, from its number. */
	private static String target(int id) {
		return switch (id / 8 % 20) {
			case 0, 1, 2, 3, 4 -> PLAIN;
			case 5 -> LEDGER + ".parking-lot";
			case 6 -> PLAIN + ".parking-lot";
			case 7 -> LEDGER + ".dlq";
			case 8 -> LEDGER + ".quarantine";
			default -> LEDGER;
		};
	}

	private void warmUp() throws IOException {
		try (Amqp091 connection = new Amqp091(this.broker)) {
			for (String queue : List.of(LEDGER, PLAIN)) {
				for (int number = 0; number < 200; number++) {
					int id = WARM_UP + number * 8;
					connection.publish(
							List.of(new FuzzMessage(id, queue, "warm-up", false, FuzzProperties.headers(new byte[0]),
									FuzzMessages.marker(id).getBytes(StandardCharsets.US_ASCII), false)));
				}
			}
		}
		awaitCalm("warmed up");
	}

	/**
	 * A consumer that is not ours rejects messages, which no listener of ours has seen.
	 */
	private void rejectForeign(FuzzMessages fuzz, FuzzSender sender, int count) throws IOException {
		RabbitListenerEndpointRegistry listeners = this.ledger.getBean(RabbitListenerEndpointRegistry.class);
		listeners.stop();
		for (int id = 0; id < count; id++) {
			sender.send(fuzz.message(id));
		}
		sender.flush();
		int connections = 0;
		for (int left = 1; left > 0; connections++) {
			try (Amqp091 foreign = new Amqp091(this.broker)) {
				foreign.reject(LEDGER);
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.pollInterval(Duration.ofSeconds(1))
					.until(() -> this.queues.messages().get(LEDGER) == 0);
			}
			catch (IOException ex) {
				say("the foreign consumer's connection ended: " + ex.getMessage());
			}
			left = this.queues.messages().get(LEDGER);
			assertThat(connections).as("connections of the foreign consumer").isLessThan(count);
		}
		listeners.start();
	}

	/** Waits until nothing moves that should. */
	private void awaitCalm(String when) {
		Map<String, Integer> left = new TreeMap<>();
		try {
			Awaitility.await()
				.atMost(PATIENCE.plusSeconds(this.messages / 200))
				.pollInterval(Duration.ofSeconds(2))
				.during(Duration.ofSeconds(4))
				.until(() -> {
					left.clear();
					left.putAll(this.queues.messages());
					left.keySet().removeIf((queue) -> left.get(queue) == 0 || !moves(queue));
					return left.isEmpty();
				});
		}
		catch (ConditionTimeoutException ex) {
			this.failures.add("not at rest when %s: %s".formatted(when, full()));
			say("STUCK when %s: %s".formatted(when, full()));
		}
	}

	/** Whether messages of a queue go on from there by themselves. */
	private static boolean moves(String queue) {
		return !queue.equals(PLAIN + ".parking-lot") && !queue.equals(DelayLadder.UNROUTABLE) && (queue.equals(LEDGER)
				|| queue.equals(PLAIN) || queue.matches(".*\\.(dlq|quarantine|parking-lot|retry\\..*|delay\\..*)"));
	}

	/** The account tells where the messages are, whatever failed. */
	private void attempt(String what, Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException | Error ex) {
			this.failures.add("%s: %s".formatted(what, ex));
			say("FAILED: " + what);
			ex.printStackTrace(System.out);
		}
	}

	private void replayLedger() {
		ReplayService replays = this.ledger.getBean(ReplayService.class);
		String id = replays
			.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(1_000_000), ACT))
			.id();
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> !replays.job(id).state().active());
		say("replay: " + replays.job(id));
	}

	private Map<String, Integer> full() {
		Map<String, Integer> full = this.queues.messages();
		full.values().removeIf((messages) -> messages == 0);
		return full;
	}

	private Map<String, Long> rows() {
		return this.ledger.getBean(JdbcTemplate.class)
			.queryForList("select state from rabbit_retry_parked", String.class)
			.stream()
			.collect(Collectors.groupingBy((state) -> state, TreeMap::new, Collectors.counting()));
	}

	private FuzzAccount account() throws IOException {
		FuzzAccount account = new FuzzAccount(WARM_UP);
		for (ConfigurableApplicationContext application : List.of(this.ledger, this.plain)) {
			FuzzApplication handler = application.getBean(FuzzApplication.class);
			handler.handled().forEach((id, count) -> account.ended(id, "handled", count));
			account.parts(handler.parts());
		}
		this.ledger.getBean(JdbcTemplate.class)
			.query("select c.payload from rabbit_retry_parked_content c "
					+ "join rabbit_retry_parked p on p.id = c.parked_id where p.state = 'PARKED'", (rows) -> {
						account.ended(id(rows.getBytes(1)), "in the ledger", 1);
					});
		try (Amqp091 connection = new Amqp091(this.broker)) {
			for (String queue : this.queues.messages().keySet()) {
				if (queue.equals(DelayLadder.UNROUTABLE)) {
					continue;
				}
				for (byte[] body : connection.drain(queue)) {
					account.ended(id(body), "in " + queue, 1);
				}
			}
		}
		return account;
	}

	private static int id(byte[] body) {
		Matcher id = FuzzApplication.ID.matcher(new String(body, StandardCharsets.ISO_8859_1));
		return id.find() ? Integer.parseInt(id.group(1)) : -1;
	}

	/** Numbers of threads by their names without numbers. */
	private static Map<String, Integer> threads() {
		Map<String, Integer> threads = new TreeMap<>();
		Thread.getAllStackTraces()
			.keySet()
			.forEach((thread) -> threads.merge(thread.getName().replaceAll("[0-9a-f]*\\d[0-9a-f.:]*", "_"), 1,
					Integer::sum));
		return threads;
	}

	private static long usedHeap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private void say(String text) {
		System.out.println("fuzz: " + text);
	}

}
