/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Does what the tutorial says, block by block. Of its code blocks, {@code java} and
 * {@code yaml} are files, {@code sh} are commands, {@code json} is the answer to the last
 * command, {@code text} is what the service logs, and {@code xml} are dependencies. Three
 * dots stand for anything.
 */
class TutorialIntegrationTests {

	/** The sections behind these show parts of tests. */
	private static final Pattern STEP = Pattern.compile("\\d+\\. |# Tutorial|Unit tests");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

	private static final Pattern ARTIFACT = Pattern
		.compile("<groupId>([^<]*)</groupId>\\s*<artifactId>([^<]*)</artifactId>(?:\\s*<version>([^<]*)</version>)?");

	private final SnippetService service;

	private final Page rootPom = Page.of("pom.xml");

	private boolean withParking;

	private String lastCommand = "";

	private String lastAnswer = "";

	TutorialIntegrationTests(@TempDir Path folder) {
		this.service = new SnippetService(folder, "com.example.orders.OrdersApplication");
	}

	@Test
	void everyStepDoesWhatThePageSays() {
		List<String> steps = Arrays.stream(Page.of("src/docs/tutorial.md").text().split("(?m)^## "))
			.filter((section) -> STEP.matcher(section).lookingAt())
			.toList();
		assertThat(steps).hasSizeGreaterThanOrEqualTo(11);
		for (String section : steps) {
			assertThatNoException().as(section.lines().findFirst().orElseThrow()).isThrownBy(() -> run(section));
		}
	}

	@AfterEach
	void stop() {
		this.service.close();
		Broker.shared().management().deleteAll("tutorial.orders");
	}

	private void run(String section) throws Exception {
		for (MatchResult block : BLOCK.matcher(section).results().toList()) {
			String text = block.group(2);
			switch (block.group(1)) {
				case "xml" -> dependencies(text);
				case "java", "yaml" ->
					this.service.write(text.lines().findFirst().orElseThrow().replaceFirst("\\S+ ", ""), text);
				case "sh" -> commands(text);
				case "json" -> assertAnswer(text);
				case "text" -> text.lines().forEach((line) -> this.service.awaitLog(expected(line)));
				default -> throw new IllegalArgumentException("what is " + block.group());
			}
		}
	}

	private void dependencies(String xml) {
		List<MatchResult> artifacts = ARTIFACT.matcher(xml).results().toList();
		assertThat(artifacts).isNotEmpty().allSatisfy((artifact) -> {
			String name = artifact.group(2);
			switch (artifact.group(1)) {
				case "io.github.rabbitretry" -> assertThat(this.rootPom.text())
					.contains("<artifactId>" + name + "</artifactId>", "<version>" + artifact.group(3) + "</version>");
				case "org.springframework.boot" -> {
					if (artifact.group(3) != null) {
						assertThat(this.rootPom.text()).containsPattern("<artifactId>" + name
								+ "</artifactId>\\s*<version>" + artifact.group(3) + "</version>");
					}
				}
				default -> assertThat(name).isIn("h2", "orders");
			}
			this.withParking |= name.equals("rabbit-retry-parking-spring-boot-starter");
		});
	}

	private void commands(String block) throws Exception {
		for (String command : block.lines().toList()) {
			if (command.startsWith("mvn spring-boot:run")) {
				String[] arguments = command.replaceFirst(".*run(?: -Dspring-boot.run.arguments=)?", "")
					.split("(?<=.) ");
				this.service.start(this.withParking, arguments[0].isEmpty() ? new String[0] : arguments);
			}
			else if (command.startsWith("curl ")) {
				this.lastCommand = command;
				this.lastAnswer = Curl.run(command, this.service.port());
			}
			else if (command.equals("mvn test")) {
				TestExecutionSummary summary = this.service.test();
				assertThat(summary.getFailures()).isEmpty();
				assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
			}
			else if (command.startsWith("mvn -q install ")) {
				assertThat(command.replaceFirst(".* -pl (\\S+) .*", "$1").split(","))
					.allSatisfy((module) -> assertThat(Page.ROOT.resolve(module).resolve("pom.xml")).exists());
			}
			else {
				// a broker is there
				assertThat(command).matches("docker run .*|src/testbed/run");
			}
		}
	}

	/**
	 * Asks again where asking changes nothing: ledger and replay work in the background.
	 */
	private void assertAnswer(String json) {
		Pattern expected = expected(json.replaceAll("\\s*\\n\\s*", ""));
		if (this.lastCommand.contains(" -d ")) {
			assertThat(this.lastAnswer).matches(expected);
			return;
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofSeconds(1))
			.untilAsserted(() -> assertThat(Curl.run(this.lastCommand, this.service.port())).matches(expected));
	}

	private static Pattern expected(String text) {
		StringBuilder regex = new StringBuilder();
		for (String part : text.split("(?<=\\.\\.\\.)|(?=\\.\\.\\.)")) {
			regex.append(part.equals("...") ? ".*" : Pattern.quote(part));
		}
		return Pattern
			.compile(regex.toString().replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "\\\\E[\\\\d:.TZ-]+\\\\Q"));
	}

}
