/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.broker.Broker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Migrations from the command line.
 */
class MigrateIntegrationTests {

	@TempDir
	static Path folder;

	@AfterEach
	void deleteQueues() {
		Broker.shared().management().deleteAll("cli.migrated");
		Broker.shared().management().deleteAll("cli.unsafe");
	}

	private static Path config(String name, String queue, String management, String more) throws IOException {
		return Files.writeString(folder.resolve(name), """
				spring:
				  application.name: order-worker
				  rabbitmq.addresses: %s
				rabbit-retry:
				  broker:
				    management-url: %s
				    management-username: %s
				    management-password: %s
				  message-policies:
				    Order:
				      queue: %s
				      retry-backoff: schedule
				      schedule: [1s]
				%s
				""".formatted(Broker.shared().amqpUri(), management, Broker.shared().username(),
				Broker.shared().password(), queue, more));
	}

	private static String management() {
		URI uri = Broker.shared().managementUri().orElseThrow();
		return "http://%s:%d".formatted(uri.getHost(), uri.getPort());
	}

	private static Shell.Result migrate(String what, Path config, String... more) {
		String[] all = new String[more.length + 4];
		System.arraycopy(new String[] { "migrate", what, "--config", config.toString() }, 0, all, 0, 4);
		System.arraycopy(more, 0, all, 4, more.length);
		return new Shell(new ServiceConnector((note) -> {
		})).run(all);
	}

	@Test
	@Tag("smoke")
	void aPolicyThatKeepsAServiceFromStartingKeepsNobodyFromLooking() throws Exception {
		Path config = config("unsafe.yml", "cli.unsafe", management(), "");
		String policy = "/api/policies/%2F/cli-unsafe";
		try (Queues queues = new Queues()) {
			assertThat(migrate("apply", config).exitCode()).isZero();
			Broker.shared()
				.management()
				.put(policy, "{\"pattern\":\"^cli.unsafe$\",\"definition\":{\"overflow\":\"drop-head\"}}");
			Shell.Result doctor = new Shell(new ServiceConnector((note) -> {
			})).run("doctor", "--config", config.toString());
			assertThat(doctor.out()).as(doctor.err()).contains("policy-unsafe", "overflow", "set_policy");
			assertThat(migrate("plan", config).exitCode()).isZero();
			queues.send("cli.unsafe", 1);
			assertThat(queues.drain("cli.unsafe")).hasSize(1);
		}
		finally {
			Broker.shared().management().delete(policy);
		}
	}

	@Test
	void aQueueThatAPolicyEmptiesIsNotFilled() throws Exception {
		String renamed = "      names.parking-lot: cli.emptied.parked";
		Path before = config("before.yml", "cli.emptied", management(), "");
		Path after = config("after.yml", "cli.emptied", management(), renamed);
		Path knowing = config("knowing.yml", "cli.emptied", management(), renamed + "\n  topology.policies: warn");
		String policy = "/api/policies/%2F/cli-emptied";
		try (Queues queues = new Queues()) {
			assertThat(migrate("apply", before).exitCode()).isZero();
			queues.send("cli.emptied.parking-lot", 3);
			Broker.shared()
				.management()
				.put(policy, "{\"pattern\":\"^cli.emptied.parked$\",\"definition\":{\"message-ttl\":600000}}");
			Shell.Result plan = migrate("plan", after, "--from", before.toString());
			assertThat(plan.exitCode()).as(plan.err()).isZero();
			assertThat(plan.out()).contains("cli.emptied.parked", "message-ttl 600000", "set_policy");
			Shell.Result refused = migrate("apply", after, "--from", before.toString(), "--paused");
			assertThat(refused.exitCode()).isOne();
			assertThat(refused.err()).contains("Configured queues would lose messages", "message-ttl 600000",
					"set_policy");
			assertThat(Broker.shared().ctl("-q", "list_queues", "name")).doesNotContain("cli.emptied.parked");
			Shell.Result applied = migrate("apply", knowing, "--from", before.toString(), "--paused");
			assertThat(applied.exitCode()).as(applied.err()).isZero();
			assertThat(queues.drain("cli.emptied.parked")).hasSize(3);
		}
		finally {
			Broker.shared().management().delete(policy);
		}
	}

	@Test
	@Tag("smoke")
	void aQueueTypeAndANameAreChangedStepByStep() throws Exception {
		Path classic = config("classic.yml", "cli.migrated", management(), "  topology.queue-type: classic");
		Path quorum = config("quorum.yml", "cli.migrated", management(), "");
		Path renamed = config("renamed.yml", "cli.migrated.v2", management(), "");
		try (Queues queues = new Queues()) {
			Shell.Result created = migrate("apply", classic);
			assertThat(created.exitCode()).as(created.err()).isZero();
			queues.send("cli.migrated", 150);

			Shell.Result plan = migrate("plan", quorum);
			assertThat(plan.exitCode()).as(plan.err()).isZero();
			assertThat(plan.out()).containsPattern("yes +move messages +cli.migrated +into cli.migrated.migrating\n")
				.containsPattern("\\d +wait until empty +cli.migrated.retry.1s ");
			assertThat(plan.err()).contains("nobody may consume", "cli.migrated.parking-lot");
			Shell.Result refused = migrate("apply", quorum);
			assertThat(refused.exitCode()).isOne();
			assertThat(refused.err()).contains("delete queue  cli.migrated.retry.1s", "Then: --paused");
			Shell.Result applied = migrate("apply", quorum, "--paused");
			assertThat(applied.exitCode()).as(applied.err()).isZero();
			assertThat(applied.out()).isEmpty();
			JsonNode rest = JsonMapper.shared().readTree(migrate("plan", quorum, "--output", "json").out());
			assertThat(rest.path("steps")).isEmpty();
			assertThat(rest.path("leftAlone")).isEmpty();

			assertThat(migrate("apply", renamed, "--paused", "--from", quorum.toString()).exitCode()).isZero();
			assertThat(queues.drain("cli.migrated.v2"))
				.isEqualTo(IntStream.range(0, 150).mapToObj((number) -> "m-" + number).toList());
			assertThat(List.of(Broker.shared().ctl("-q", "list_queues", "name").split("\\R")))
				.filteredOn((name) -> name.startsWith("cli.migrated"))
				.containsExactlyInAnyOrder("cli.migrated.v2", "cli.migrated.v2.dlq", "cli.migrated.v2.parking-lot",
						"cli.migrated.v2.quarantine", "cli.migrated.v2.retry.1s");
		}
	}

	@Test
	void withoutTheManagementApiNothingIsDone() throws Exception {
		Shell.Result result = migrate("apply", config("nowhere.yml", "cli.nowhere", "http://127.0.0.1:1", ""));
		assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
		assertThat(result.err()).contains("management API", "rabbit-retry.broker.management-url");
		assertThat(Broker.shared().ctl("-q", "list_queues", "name")).doesNotContain("cli.nowhere");
	}

}
