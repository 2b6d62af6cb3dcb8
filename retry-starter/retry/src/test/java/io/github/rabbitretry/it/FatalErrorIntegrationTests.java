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
	void inAReaderEndsTheProcess() {
		start();
		NestedHeader.send(this.broker, QUEUE, "unreadable");
		assertThat(this.process.awaitExit()).isEqualTo(99);
	}

	@Test
	void inAContainersThreadEndsTheProcess() {
		start();
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.OUT_OF_MEMORY, true), "{}");
		assertThat(this.process.awaitExit()).isEqualTo(99);
	}

	@Test
	void inAHandlerEndsTheProcessAndTheMessageIsDeliveredAgain() {
		start();
		this.broker.sendJson(QUEUE, "heavy", Map.of(FatalErrorWorker.IN_HANDLER, true), "{}");
		assertThat(this.process.awaitExit()).isEqualTo(99);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.broker.ready(QUEUE) == 1);
	}

	private void start() {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"--rabbit-retry.message-policies.Order.delivery-limit=2"));
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
