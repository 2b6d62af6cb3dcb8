/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.broker.Broker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Users that have what the exported commands give them, from the first declaration to a
 * replay.
 */
class ExportedPermissionsIntegrationTests {

	private static final String QUEUE = "cli.least";

	private static final String NO_DATABASE = "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

	private static final String FORMER = QUEUE + ".before";

	private static final String PASSWORD = "s3cret";

	private static final List<String> ROLES = List.of("topology", "worker", "operator", "monitor");

	@TempDir
	private Path folder = Path.of("");

	private static Shell.Result run(String... arguments) {
		return new Shell(new ServiceConnector((note) -> {
		})).realTime().run(arguments);
	}

	private static void shell(String commands, Runnable declaration) {
		boolean declared = false;
		for (String line : commands.lines().filter((command) -> !command.startsWith("#")).toList()) {
			if (line.contains("set_topic_permissions") && !declared) {
				declaration.run();
				declared = true;
			}
			List<String> words = new ArrayList<>(List.of(line.replace("'", "").split(" ")));
			assertThat(words.remove(0)).isEqualTo("rabbitmqctl");
			if (words.get(0).equals("add_user")) {
				words.add(PASSWORD);
			}
			Broker.shared().ctl(words.toArray(String[]::new));
		}
		if (!declared) {
			declaration.run();
		}
	}

	private Path configOf(String role) throws Exception {
		Broker broker = Broker.shared();
		return OrderService.config(this.folder.resolve(role + ".yml"), QUEUE,
				"amqp://order-worker-%s:%s@%s:%d".formatted(role, PASSWORD, broker.host(), broker.port()), "",
				"  ledger.enabled: false\n  message-policies.CreateOrder.former-queues: [" + FORMER
						+ "]\n  topology.mode: " + (role.equals("topology") ? "declare" : "verify"));
	}

	@AfterEach
	void removeUsersAndQueues() {
		Broker.shared().management().deleteAll(QUEUE);
		ROLES.forEach((role) -> Broker.shared().management().delete("/api/users/order-worker-" + role));
	}

	@Test
	void anOperatorLooksWhileTheServiceIsDown() throws Exception {
		assumeTrue(Broker.shared().canControl());
		Path worker = configOf("worker");
		Shell.Result export = run("export", "permissions", "--config", worker.toString());
		assertThat(export.exitCode()).as(export.err()).isZero();
		assertThat(run("export", "permissions", "--roles", "root", "--config", worker.toString()).exitCode())
			.as("a role that does not exist")
			.isEqualTo(3);
		Path topology = configOf("topology");
		shell(export.out(),
				() -> OrderService.start(topology, NO_DATABASE, "spring.rabbitmq.listener.simple.auto-startup=false")
					.close());
		Broker.shared()
			.management()
			.put("/api/queues/%2F/" + FORMER,
					"{\"durable\":true,\"auto_delete\":false,\"arguments\":{\"x-queue-type\":\"quorum\"}}");
		try (Queues queues = new Queues()) {
			OrderService.broken = true;
			try (OrderService service = OrderService.start(worker, NO_DATABASE)) {
				queues.send(QUEUE, 2);
				queues.send(FORMER, 1);
				await().atMost(Duration.ofSeconds(30)).until(() -> queues.ready(QUEUE + ".parking-lot") == 3);
				assertThat(run("export", "definitions", "--url", service.url()).out()).contains(QUEUE + ".dlq");
			}
			try (OrderService operator = OrderService.start(configOf("operator"), NO_DATABASE,
					"spring.rabbitmq.listener.simple.auto-startup=false", "rabbit-retry.topology.mode=none",
					"rabbit-retry.dead-letter-consumer.enabled=false")) {
				assertThat(run("waiting", "--url", operator.url()).out()).contains(QUEUE);
			}
			assertThat(queues.drain(QUEUE + ".parking-lot")).hasSize(3);
		}
	}

}
