/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceConnectorTests {

	private final List<String> notes = new ArrayList<>();

	private final Shell shell = new Shell(new ServiceConnector(this.notes::add));

	@ParameterizedTest
	@ValueSource(strings = { "--url http://127.0.0.1:1 --config x.yml", "--broker amqp://127.0.0.1", "--config x.yml",
			"--application orders", "--timeout 0", "--url ftp://127.0.0.1", "--login ops", "--password-file /nowhere",
			"--ca-file /nowhere" })
	void optionsThatDoNotGoTogetherAreRefused(String options) {
		Shell.Result result = this.shell.run(("jobs " + options).split(" "));
		assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
		assertThat(result.out()).isEmpty();
	}

	@Test
	void whatAServiceHasIsNotAskedForAtAConfiguration() {
		for (String command : List.of("jobs", "parked list", "waiting", "audit",
				"replay --all --because X --user ops")) {
			Shell.Result result = this.shell.run((command + " --config application.yml").split(" "));
			assertThat(result.exitCode()).isEqualTo(2);
			assertThat(result.err()).contains("give its actuator with --url");
		}
		assertThat(this.shell.run("doctor", "--config", "x.yml", "--login", "ops").err()).contains("Give one kind");
	}

	@Test
	void credentialsThatOthersCanReadAreWarnedOf() {
		open("http://127.0.0.1:1/actuator");
		open("https://192.0.2.1/actuator");
		assertThat(this.notes).isEmpty();
		open("http://192.0.2.1/actuator");
		assertThat(this.notes).hasSize(1);
		assertThat(this.notes.get(0)).contains("http://192.0.2.1", "without encryption").doesNotContain("secret");
	}

	/** Nothing is sent until something is asked. */
	private void open(String url) {
		GlobalOptions options = new GlobalOptions();
		options.url = url;
		new ServiceConnector(this.notes::add).open(options, Map.of("RABBIT_RETRY_TOKEN", "secret")).close();
	}

	@Test
	void theUrlComesFromTheEnvironmentToo() {
		Shell.Result result = this.shell.with("RABBIT_RETRY_URL", "http://127.0.0.1:1/elsewhere").run("jobs");
		assertThat(result.exitCode()).isEqualTo(5);
		assertThat(result.err()).contains("http://127.0.0.1:1/elsewhere");
	}

	@Test
	void theAuthoritysFileComesFromTheEnvironmentToo() {
		Shell.Result result = this.shell.with("RABBIT_RETRY_CA_FILE", "/nowhere.pem").run("jobs");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("/nowhere.pem has no certificates");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs --token s3cret", "jobs --token=s3cret", "jobs --password s3cret", "jobs -ps3cret",
			"jobs -p s3cret", "--token s3cret jobs", "jobs --token-file s3cret",
			"jobs --login ops --password-file s3cret", "jobs --url http://ops:s3cret@[",
			"doctor --config x.yml --broker amqp:/ops:s3cret@127.0.0.1" })
	void secretsAreNotRepeated(String command) {
		Shell.Result result = this.shell.run(command.split(" "));
		assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
		assertThat(result.err()).isNotBlank().doesNotContain("s3cret");
	}

	@Test
	void optionsThatDoNotExistAreNamed() {
		assertThat(this.shell.run("jobs", "--token", "s3cret", "--nope=1").err())
			.contains("Unknown option: --token, --nope. Try: rabbit-retry jobs --help");
	}

}
