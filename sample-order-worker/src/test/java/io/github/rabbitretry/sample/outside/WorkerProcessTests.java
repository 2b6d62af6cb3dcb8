/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerProcessTests {

	@TempDir
	private Path folder = Path.of("");

	@Test
	void aWorkerThatComesBackIsWaitedFor() throws IOException {
		try (WorkerProcess worker = new WorkerProcess(Path.of("worker.jar"), this.folder.resolve("worker.log"),
				URI.create("amqp://127.0.0.1:1"), List.of())) {
			assertThat(worker.healthy()).isFalse();
			AtomicInteger asked = new AtomicInteger();
			HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", worker.address().getPort()), 0);
			server.createContext("/actuator/health", (exchange) -> {
				exchange.sendResponseHeaders((asked.incrementAndGet() < 3) ? 503 : 200, -1);
				exchange.close();
			});
			server.start();
			try {
				worker.awaitHealthy();
				assertThat(asked).hasValue(3);
			}
			finally {
				server.stop(0);
			}
		}
	}

}
