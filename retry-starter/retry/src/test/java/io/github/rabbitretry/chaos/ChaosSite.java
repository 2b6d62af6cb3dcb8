/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.rabbitretry.broker.BrokerCluster;
import io.github.rabbitretry.broker.BrokerNode;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes, a producer, and a worker that reaches them through proxies.
 */
final class ChaosSite implements AutoCloseable {

	/** Seconds between a worker's heartbeats; after twice as many it is given up. */
	static final int HEARTBEAT = 3;

	static final int PREFETCH = 50;

	private static final String USER = "chaos-worker";

	private static final int PER_SECOND = 60;

	private final Random random;

	private final BrokerCluster cluster;

	private final List<TcpProxy> proxies;

	private final ChaosRun run;

	private final ChaosProducer producer;

	private ChaosWorker worker;

	private @Nullable BrokerNode frozen;

	ChaosSite(BrokerCluster cluster, Path folder, long seed) {
		this.cluster = cluster;
		this.proxies = cluster.nodes().stream().map(TcpProxy::new).toList();
		put("/api/users/" + USER, "{\"password\":\"secret\",\"tags\":\"\"}");
		permitAll();
		this.run = new ChaosRun(ChaosServers.of(cluster), folder, "chaos.seed", seed, seed % 2 != 0);
		this.random = this.run.random();
		deadLetterAgainSoon();
		this.worker = newWorker();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(this.run.underWay()).isZero());
		this.producer = this.run.producer(1, PER_SECOND);
	}

	ChaosRun run() {
		return this.run;
	}

	ChaosProducer producer() {
		return this.producer;
	}

	Random random() {
		return this.random;
	}

	ChaosWorker worker() {
		return this.worker;
	}

	BrokerCluster cluster() {
		return this.cluster;
	}

	MessageTopology topology() {
		return this.run.topology();
	}

	String retryQueue() {
		return topology().retryQueue(topology().levels().get(0));
	}

	BrokerNode anyNode() {
		return this.cluster.anyNode();
	}

	String ctl(String... arguments) {
		return anyNode().ctl(arguments);
	}

	private void put(String path, String json) {
		anyNode().management().put(path, json);
	}

	/** For so many seconds, and a fraction that the seed decides. */
	void pause(int seconds) {
		ChaosRun.pause(Duration.ofMillis(1_000L * seconds + this.random.nextInt(500)));
	}

	/** How many messages were published. */
	int published() {
		return this.producer.keys().isEmpty() ? 0 : this.producer.keys().lastKey() + 1;
	}

	/** How many messages are in the parking lot, as soon as that can be asked. */
	int parked() {
		return Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.ignoreExceptions()
			.until(() -> (int) this.run.ready(topology().parkingLot()), (count) -> true);
	}

	/**
	 * Waits until messages that are published from now on are handled at once, handled at
	 * their first retry, and parked.
	 * @return how many seconds that took
	 */
	double awaitFlow() {
		long begin = System.nanoTime();
		int first = published();
		long handled = this.run.evidence().size();
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.pollInterval(Duration.ofMillis(100))
			.failFast("the worker ended", () -> !this.worker.alive())
			.until(() -> this.run.evidence()
				.since(handled)
				.stream()
				.filter((number) -> number >= first)
				.map(MessageFate::of)
				.distinct()
				.filter((fate) -> fate == MessageFate.SUCCEEDS || fate == MessageFate.HEALS_AT_FIRST_RETRY)
				.count() == 2);
		int parked = parked();
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> parked() > parked);
		return (System.nanoTime() - begin) / 1e9;
	}

	private ChaosWorker newWorker() {
		return new ChaosWorker(this.run,
				"--spring.rabbitmq.addresses="
						+ this.proxies.stream().map(TcpProxy::address).collect(Collectors.joining(",")),
				"--spring.rabbitmq.address-shuffle-mode=random", "--spring.rabbitmq.username=" + USER,
				"--spring.rabbitmq.password=secret", "--spring.rabbitmq.requested-heartbeat=%ds".formatted(HEARTBEAT),
				"--spring.rabbitmq.listener.type=" + (this.random.nextBoolean() ? "simple" : "direct"),
				"--spring.rabbitmq.listener.simple.prefetch=" + PREFETCH,
				"--spring.rabbitmq.listener.direct.prefetch=" + PREFETCH, "--chaos.work-micros=3000",
				"--rabbit-retry.handover.confirm-timeout=5s");
	}

	void startWorker() {
		assertThat(this.worker.alive()).as("the worker lives").isFalse();
		this.worker = newWorker();
	}

	void haltWorker(HandoverStep step) {
		this.worker.haltAt(step, 1 + this.random.nextInt(20));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !this.worker.alive());
	}

	void killLeader(String queue) {
		this.cluster.leaderOf(queue).kill();
	}

	void freezeNode() {
		this.frozen = this.cluster.nodes().get(this.random.nextInt(this.cluster.nodes().size()));
		this.frozen.freeze();
	}

	void unfreezeNode() {
		if (this.frozen != null) {
			this.frozen.unfreeze();
		}
	}

	void restartOneAfterTheOther() {
		for (BrokerNode node : this.cluster.nodes()) {
			node.stop();
			awaitFlow();
			node.startAgain();
			awaitFlow();
		}
	}

	void startNodes() {
		this.cluster.startAllAgain();
		deadLetterAgainSoon();
	}

	/** A node forgets what rabbitmqctl has set when it stops. */
	private void deadLetterAgainSoon() {
		ChaosRun.deadLetterAgainAfter(anyNode(), Duration.ofSeconds(5));
	}

	void network(Consumer<TcpProxy> change) {
		this.proxies.forEach(change);
	}

	void permit(String configure, String write, String read) {
		put("/api/permissions/%2F/" + USER,
				"{\"configure\":\"%s\",\"write\":\"%s\",\"read\":\"%s\"}".formatted(configure, write, read));
	}

	void permitAll() {
		permit(".*", ".*", ".*");
	}

	/** What was permitted to open connections stays so. */
	void forbidAll() {
		permit("", "", "");
		anyNode().management().delete("/api/connections/username/" + USER);
	}

	/** Sets the one policy for our queues whose names match. */
	private void policy(String pattern, String definition) {
		put("/api/policies/%2F/chaos",
				"{\"pattern\":\"^%s\",\"definition\":{%s},\"apply-to\":\"queues\"}".formatted(pattern, definition));
	}

	void limit(String pattern, int messages) {
		policy(pattern, "\"max-length\":%d,\"overflow\":\"reject-publish\"".formatted(messages));
	}

	void removePolicy() {
		anyNode().management().delete("/api/policies/%2F/chaos");
	}

	/** An alarm holds confirms back, and deliveries with them, until they time out. */
	void shortenConsumerTimeout() {
		ctl("eval", "[rpc:call(Node, application, set_env, [rabbit, channel_tick_interval, 1000]) "
				+ "|| Node <- rabbit_nodes:list_running()].");
		// a channel that exists ticks once a minute
		ctl("close_all_connections", "chaos");
		awaitFlow();
		policy("chaos", "\"consumer-timeout\":3000");
		anyNode().memoryAlarm(true);
	}

	void restoreConsumerTimeout() {
		removePolicy();
		anyNode().memoryAlarm(false);
	}

	/**
	 * Ends the load, and waits until every message is at its end.
	 */
	void settle() {
		this.producer.faultsOver();
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(this.producer::done);
		this.run.add(this.producer);
		this.run.awaitCalm();
		// longer than what the broker could not dead-letter waits
		Duration calm = Duration.ofSeconds(8);
		if (!this.run.awaitEmpty(calm)) {
			this.worker.stop();
			this.worker = newWorker();
			if (!this.run.awaitEmpty(calm)) {
				// a queue may keep messages even for consumers whose connections are gone
				this.cluster.killAll();
				startNodes();
				assertThat(this.run.awaitEmpty(calm)).isTrue();
			}
		}
		this.worker.stop();
	}

	@Override
	public void close() throws Exception {
		this.worker.kill();
		for (AutoCloseable part : this.proxies) {
			part.close();
		}
		this.producer.close();
		this.run.close();
	}

}
