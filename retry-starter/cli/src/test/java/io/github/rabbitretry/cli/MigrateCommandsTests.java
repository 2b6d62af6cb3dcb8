/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.rabbitretry.cli.output.Display;
import io.github.rabbitretry.cli.output.MigrationTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class MigrateCommandsTests {

	private final Shell shell = new Shell(new Recording());

	@TempDir
	private Path folder = Path.of("");

	@Test
	void aServiceHasNoPartInIt() {
		assertThat(this.shell.run("migrate", "plan").err()).contains("--config");
		assertThat(this.shell.run("migrate", "apply", "--config", "x.yml", "--url", "http://127.0.0.1:1").exitCode())
			.isEqualTo(2);
	}

	@Test
	void oneOfPlanAndApplyIsNeeded() {
		Shell.Result result = this.shell.run("migrate");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("plan and apply");
	}

	@Test
	void aBrokerThatIsNotThereIsNotAvailable() throws Exception {
		Path config = Files.writeString(this.folder.resolve("application.yml"), """
				spring:
				  application.name: order-worker
				  rabbitmq.addresses: amqp://guest@127.0.0.1:1
				rabbit-retry:
				  message-policies:
				    Order.queue: orders
				""");
		Shell.Result result = this.shell.run("migrate", "plan", "--config", config.toString());
		assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
		assertThat(result.out()).isEmpty();
		Shell.Result unlikely = this.shell.run("migrate", "apply", "--config", config.toString(), "--wait", "soon");
		assertThat(unlikely.exitCode()).isEqualTo(2);
		assertThat(unlikely.err()).contains("--wait");
	}

	@Test
	void aBrokerMayBeNamedByAListOfItsNodes() throws Exception {
		Path config = Files.writeString(this.folder.resolve("nodes.yml"), """
				spring:
				  application.name: order-worker
				  rabbitmq:
				    addresses:
				    - 127.0.0.1:1
				    - 127.0.0.1:2
				rabbit-retry:
				  message-policies:
				    Order.queue: orders
				""");
		assertThat(this.shell.run("migrate", "plan", "--config", config.toString()).exitCode())
			.as("the broker is not there")
			.isEqualTo(5);
	}

	/** The service may have connection factories of its own. */
	@Test
	void aBrokerThatNothingNamesIsNotGuessed() throws Exception {
		Path config = Files.writeString(this.folder.resolve("own-factories.yml"), """
				spring:
				  application.name: order-worker
				rabbit-retry:
				  message-policies:
				    Order.queue: orders
				""");
		for (String what : List.of("plan", "apply")) {
			Shell.Result result = this.shell.run("migrate", what, "--config", config.toString());
			assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
			assertThat(result.err()).contains("spring.rabbitmq.addresses", "ConnectionFactory beans", "--broker");
		}
		assertThat(this.shell.run("migrate", "plan", "--config", config.toString(), "--broker", "amqp://127.0.0.1:1")
			.exitCode()).as("the broker is not there").isEqualTo(5);
	}

	@Test
	void stepsAndWhatIsLeftAloneAreTables() {
		String text = MigrationTables.plan(JsonMapper.shared().readTree("""
				{"steps":[{"number":1,"action":"delete queue","subject":"a.retry.1s","detail":"","paused":true}],
				"leftAlone":[{"what":"queue 'b'","why":"it is theirs"}]}
				"""), new Display(0, true, false, null));
		assertThat(text.lines()).containsExactly("STEP  PAUSE  ACTION        WHAT",
				"   1  yes    delete queue  a.retry.1s", "", "LEFT ALONE  WHY", "queue 'b'   it is theirs");
	}

	@Test
	void whyThingsAreLeftAloneIsNeverCut() {
		String why = "policies do not give them all that they had, and the old queue has messages";
		String plan = "{\"steps\":[],\"leftAlone\":[{\"what\":\"queue '%s'\",\"why\":\"%s\"}]}"
			.formatted("order.command.create.retry.30m.of-the-old-policy", why);
		for (int width : List.of(0, 40, 100)) {
			assertThat(MigrationTables.plan(JsonMapper.shared().readTree(plan), new Display(width, false, false, null)))
				.contains("queue 'order.command.create.retry.30m.of-the-old-policy'  " + why)
				.doesNotContain("Not shown");
		}
	}

}
