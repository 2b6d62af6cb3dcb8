/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.broker.BrokerCluster;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.operations.RabbitRetryOperationsAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A policy that would lose messages in a cluster of three nodes, under a worker.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClusterPolicyIntegrationTests {

	private static final int BEFORE = 3_000;

	private static BrokerCluster cluster;

	@TempDir
	private Path folder;

	@BeforeAll
	static void start() {
		cluster = BrokerCluster.start(3);
		ChaosRun.deadLetterAgainAfter(cluster.anyNode(), Duration.ofSeconds(5));
	}

	@AfterAll
	static void close() {
		cluster.close();
	}

	@Test
	void aPolicyThatDropsTheOldestIsRefusedAtStartup() throws Exception {
		try (ChaosRun run = new ChaosRun(ChaosServers.of(cluster), this.folder, "chaos.cluster.policy")) {
			run.declare();
			try {
				setDropHead();
				assertThatException().isThrownBy(() -> start(run).close())
					.withMessageContaining("overflow")
					.withMessageContaining("chaos.cluster.policy");
			}
			finally {
				clearDropHead();
			}
		}
	}

	@Test
	void aPolicyThatDropsTheOldestIsReportedWhenItIsSetLater(CapturedOutput output) throws Exception {
		try (ChaosRun run = new ChaosRun(ChaosServers.of(cluster), this.folder, "chaos.cluster.policy.later")) {
			run.declare();
			run.publish(ChaosRun.numbers(0, BEFORE));
			try (ConfigurableApplicationContext worker = start(run)) {
				assertThat(policyProblems(worker)).isEmpty();
				// a queue that ceases to dead-letter at least once loses what it is
				// dead-lettering
				run.awaitCalm();
				setDropHead();
				Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> !policyProblems(worker).isEmpty());
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.untilAsserted(() -> assertThat(output).contains("Broker policies would lose messages")
						.contains("set_policy"));
				clearDropHead();
				Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> policyProblems(worker).isEmpty());
				run.publish(ChaosRun.numbers(BEFORE, 2 * BEFORE));
				run.awaitCalm();
			}
			finally {
				clearDropHead();
			}
			run.account().assertNothingIsLost();
		}
	}

	private static ConfigurableApplicationContext start(ChaosRun run) {
		return run.start("--spring.main.sources=" + Operations.class.getName(),
				"--rabbit-retry.topology.policies-interval=5s", "--rabbit-retry.broker.management-url=http://127.0.0.1:"
						+ cluster.anyNode().managementUri().orElseThrow().getPort());
	}

	private static void setDropHead() {
		cluster.anyNode()
			.ctl("set_policy", "drop-head", ".*", "{\"max-length\":1000000,\"overflow\":\"drop-head\"}", "--apply-to",
					"queues");
	}

	private static void clearDropHead() {
		if (cluster.anyNode().ctl("-q", "list_policies").contains("drop-head")) {
			cluster.anyNode().ctl("clear_policy", "drop-head");
		}
	}

	private static List<HealthProblem> policyProblems(ConfigurableApplicationContext worker) {
		return worker.getBeanProvider(HealthSource.class)
			.stream()
			.flatMap((source) -> source.problems().stream())
			.filter((problem) -> problem.code().contains("polic"))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RabbitRetryOperationsAutoConfiguration.class)
	static class Operations {

	}

}
