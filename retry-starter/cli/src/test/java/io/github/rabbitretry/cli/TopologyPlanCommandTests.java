/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.rabbitretry.cli.output.Display;
import io.github.rabbitretry.cli.output.TopologyTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyPlanCommandTests {

	private final Shell shell = new Shell(new Recording());

	@TempDir
	private Path folder = Path.of("");

	@Test
	void aServiceHasNoPartInIt() {
		assertThat(this.shell.run("topology", "plan", "--former-config", "x.yml").err()).contains("--config");
		assertThat(this.shell.run("topology", "plan", "--config", "x.yml", "--url", "http://127.0.0.1:1").exitCode())
			.isEqualTo(2);
	}

	@Test
	void aBrokerThatIsNotThereIsNotAvailable() throws Exception {
		Shell.Result result = plan("  rabbitmq.addresses: 127.0.0.1:1,127.0.0.1:2");
		assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
		assertThat(result.out()).isEmpty();
	}

	/** The service may have connection factories of its own. */
	@Test
	void aBrokerThatNothingNamesIsNotGuessed() throws Exception {
		Shell.Result result = plan("  application.name: order-worker");
		assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
		assertThat(result.err()).contains("spring.rabbitmq.addresses", "--broker");
		assertThat(plan("  application.name: order-worker", "--broker", "amqp://127.0.0.1:1").exitCode()).isEqualTo(5);
	}

	private Shell.Result plan(String spring, String... more) throws IOException {
		Path config = Files.writeString(this.folder.resolve("application.yml"), """
				spring:
				%s
				rabbit-retry:
				  message-policies:
				    Order.queue: orders
				""".formatted(spring));
		String[] command = new String[4 + more.length];
		System.arraycopy(new String[] { "topology", "plan", "--config", config.toString() }, 0, command, 0, 4);
		System.arraycopy(more, 0, command, 4, more.length);
		return this.shell.run(command);
	}

	/** Names of the broker's cannot end a comment. */
	@Test
	void aPlanIsAScript() {
		String text = TopologyTables.plan(JsonMapper.shared().readTree("""
				{"steps":[{"what":"Stop it.","commands":[]},{"what":"Wait.","commands":["sleep 10"]}],
				"leftAlone":["Queue 'a\\nrm' is left alone."]}
				"""), new Display(false, true));
		assertThat(text.lines()).containsExactly("# 1. Stop it.", "# 2. Wait.", "sleep 10",
				"# Queue 'a\\u000arm' is left alone.");
	}

}
