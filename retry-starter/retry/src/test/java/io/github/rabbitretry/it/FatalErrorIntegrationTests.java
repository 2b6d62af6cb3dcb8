/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process whose threads end with an {@link Error} either goes on consuming or ends,
 * whatever is configured; it never stays and consumes nothing.
 */
class FatalErrorIntegrationTests {

	private static final String QUEUE = FatalErrorWorker.QUEUE;

	@TempDir
	private Path folder;

	private final TestBroker broker = TestBroker.connect();

	private JavaProcess process;

	@AfterEach
	void stop() {
		if (this.process.alive()) {
			this.process.kill();
		}
		this.broker.purgeUnroutable();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void inAReaderWithoutMemoryClosesAllConsumers() throws IOException {
		start("stop");
		NestedHeader.send(this.broker, QUEUE, "unreadable");
		awaitLogged("HEALTH DOWN");
		assertStopped();
		assertThat(logged()).contains("OutOfMemoryError").contains("StackOverflowError");
	}

	@Test
	void inAContainersThreadClosesAllConsumers() throws IOException {
		start("stop");
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.OUT_OF_MEMORY, true), "{}");
		awaitLogged("HEALTH DOWN");
		assertStopped();
	}

	/** Its container can't close its channel then. */
	@Test
	void inAContainersThreadThatCanNotEvenReportItClosesAllConsumers() throws IOException {
		start("stop");
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.OUT_OF_MEMORY, FatalErrorWorker.SILENTLY), "{}");
		awaitLogged("HEALTH DOWN");
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.broker.ready(QUEUE) == 1 && consumers(QUEUE) == 0);
		assertThat(this.process.alive()).isTrue();
	}

	/**
	 * Its container waits for the other threads then, for as long as it does otherwise.
	 */
	@Test
	void inAContainersThreadLeavesTheOthersTheTimeToEndTheirMessages() {
		start("stop", "--spring.rabbitmq.listener.simple.concurrency=2",
				"--spring.rabbitmq.listener.simple.prefetch=1");
		this.broker.sendJson(QUEUE, "slow", Map.of(FatalErrorWorker.SLOW, true), "{}");
		awaitLogged("BEGUN");
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.OUT_OF_MEMORY, true), "{}");
		awaitLogged("HANDLED slow");
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> consumers(QUEUE) == 0 && this.broker.ready(QUEUE) > 0);
		assertThat(this.broker.ready(QUEUE)).isEqualTo(1);
	}

	/** Other instances get what it had, and health stays down until a restart. */
	private void assertStopped() throws IOException {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.broker.ready(QUEUE) == 1 && consumers(QUEUE) + consumers(QUEUE + ".dlq") == 0);
		this.broker.sendJson(QUEUE, "later", Map.of(), "{}");
		this.broker.sendJson(QUEUE + ".dlq", "dead", Map.of(), "{}");
		Awaitility.await()
			.during(Duration.ofSeconds(12))
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.broker.ready(QUEUE) == 2 && this.broker.ready(QUEUE + ".dlq") == 1);
		assertThat(this.process.alive()).isTrue();
		assertThat(logged()).doesNotContain("HEALTH UP").doesNotContain("HANDLED");
	}

	private long consumers(String queue) throws IOException {
		return this.broker.channel().consumerCount(queue);
	}

	@Test
	void inAReaderEndsTheProcessIfThatIsConfigured() {
		start("exit");
		NestedHeader.send(this.broker, QUEUE, "unreadable");
		assertThat(this.process.awaitExit()).isEqualTo(99);
	}

	@Test
	void inAContainersThreadEndsTheProcessIfThatIsConfigured() {
		start("exit");
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.OUT_OF_MEMORY, true), "{}");
		assertThat(this.process.awaitExit()).isEqualTo(99);
	}

	private void start(String action, String... more) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"--rabbit-retry.message-policies.Order.delivery-limit=2", "--rabbit-retry.on-fatal-error=" + action));
		arguments.addAll(List.of(more));
		this.process = JavaProcess.start(FatalErrorWorker.class, 128, this.folder, arguments);
		awaitLogged("Started FatalErrorWorker");
		// every type's are there
		this.broker.purgeUnroutable();
	}

	private void awaitLogged(String text) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> logged().contains(text));
	}

	private String logged() {
		try {
			return Files.readString(this.folder.resolve("worker.log"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
