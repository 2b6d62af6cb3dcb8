/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.mutants.TestMain.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM of its own for tests, with classes that go before those of the product.
 *
 * @param folder where these are, and what it writes
 */
record TestJvm(Path folder) {

	private static final String CLASS_PATH = System.getProperty("java.class.path");

	/** Longer than all of them take on a busy machine. */
	private static final int MINUTES = 5;

	void compile(Mutant mutant) {
		JavaFileObject source = new SimpleJavaFileObject(
				URI.create("string:///%s.java".formatted(mutant.source().className().replace('.', '/'))),
				JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return mutant.code();
			}

		};
		StringWriter errors = new StringWriter();
		JavaCompiler.CompilationTask task = ToolProvider.getSystemJavaCompiler()
			.getTask(errors, null, null,
					List.of("-d", this.folder.toString(), "-cp", CLASS_PATH, "-proc:none", "-parameters", "-nowarn"),
					null, List.of(source));
		assertThat(task.call()).as(errors::toString).isTrue();
	}

	/** Runs tests one after the other. */
	Map<String, Outcome> run(Collection<NamedTest> tests) throws IOException, InterruptedException {
		Path outcomes = this.folder.resolve("outcomes");
		List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", TestMain.class.getName(), outcomes.toString()));
		tests.forEach((test) -> command.add(test.argument()));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.to(log().toFile()));
		// not as an argument, which may be too long
		builder.environment().put("CLASSPATH", this.folder + File.pathSeparator + CLASS_PATH);
		Broker broker = Broker.shared();
		builder.environment().put("RABBIT_RETRY_BROKER_URL", broker.amqpUri().toString());
		broker.managementUri()
			.ifPresent((uri) -> builder.environment().put("RABBIT_RETRY_BROKER_MANAGEMENT", uri.toString()));
		Process process = builder.start();
		try {
			assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(this::output).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(outcomes).as(this::output).exists();
		return Files.readAllLines(outcomes)
			.stream()
			.map((line) -> line.split(" "))
			.collect(Collectors.toMap((line) -> line[0], (line) -> Outcome.valueOf(line[1])));
	}

	private Path log() {
		return this.folder.resolve("log");
	}

	/** What the tests wrote. */
	String output() {
		try {
			return Files.readString(log());
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
