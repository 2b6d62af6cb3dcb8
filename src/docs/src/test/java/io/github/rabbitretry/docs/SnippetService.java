/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service that consists of what a page shows: compiled from files in a folder, and run
 * as a process of its own, without the parking starter unless it is asked for.
 */
final class SnippetService implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	/**
	 * What the artifacts of the parking starter, the console and a database driver bring.
	 */
	private static final Pattern PARKING = Pattern.compile(
			".*(retry-starter/(parking|console)|rabbit-retry-(parking|console)|spring-boot-jdbc|spring-jdbc|HikariCP|/h2[/-]).*");

	/** What no service has. */
	private static final Pattern OF_TESTS = Pattern
		.compile(".*(retry-starter/test/|src/testbed|postgresql|testcontainers|surefire|/docs/target/).*");

	private final Path folder;

	private final String mainClass;

	private @Nullable Process process;

	SnippetService(Path folder, String mainClass) {
		this.folder = folder;
		this.mainClass = mainClass;
	}

	Path folder() {
		return this.folder;
	}

	void write(String file, String content) throws IOException {
		Path path = this.folder.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, content);
	}

	/**
	 * Compiles and starts it, and waits until it is ready.
	 * @param withParking whether the parking starter is among its dependencies
	 * @param arguments of the command line, besides the broker's address
	 */
	void start(boolean withParking, String... arguments) throws IOException {
		close();
		String classPath = classPath(withParking);
		compile("src/main/java", "classes", classPath);
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
				String.join(File.pathSeparator, this.folder.resolve("classes").toString(),
						this.folder.resolve("src/main/resources").toString(), classPath),
				this.mainClass, "--server.port=0", "--spring.rabbitmq.addresses=" + Broker.shared().amqpUri()));
		command.addAll(Arrays.asList(arguments));
		this.process = new ProcessBuilder(command).directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("log").toFile())
			.start();
		awaitLog(Pattern.compile("Started \\w+ in "));
	}

	private static String classPath(boolean withParking) {
		Predicate<String> left = OF_TESTS.asMatchPredicate()
			.or(withParking ? (entry) -> false : PARKING.asMatchPredicate());
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(left.negate())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * Compiles and runs its unit tests, as Maven would.
	 * @return what came of them
	 */
	TestExecutionSummary test() throws IOException {
		compile("src/main/java", "classes", System.getProperty("java.class.path"));
		compile("src/test/java", "test-classes",
				this.folder.resolve("classes") + File.pathSeparator + System.getProperty("java.class.path"));
		URL[] added = { this.folder.resolve("classes").toUri().toURL(),
				this.folder.resolve("src/main/resources").toUri().toURL(),
				this.folder.resolve("test-classes").toUri().toURL() };
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader classes = new URLClassLoader(added, before)) {
			thread.setContextClassLoader(classes);
			SummaryGeneratingListener listener = new SummaryGeneratingListener();
			LauncherFactory.create()
				.execute(LauncherDiscoveryRequestBuilder.request()
					.selectors(DiscoverySelectors.selectClasspathRoots(Set.of(this.folder.resolve("test-classes"))))
					.build(), listener);
			return listener.getSummary();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private void compile(String sources, String classes, String classPath) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-parameters", "-cp", classPath, "-d",
				Files.createDirectories(this.folder.resolve(classes)).toString()));
		try (Stream<Path> files = Files.walk(this.folder.resolve(sources))) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	/**
	 * What it has logged since it was started.
	 * @return all of it
	 */
	String log() {
		try {
			return Files.readString(this.folder.resolve("log"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	void awaitLog(Pattern line) {
		Awaitility.await().atMost(Duration.ofSeconds(100)).untilAsserted(() -> {
			String log = log();
			if (!line.matcher(log).find() && this.process != null && !this.process.isAlive()) {
				throw new IllegalStateException(log);
			}
			assertThat(log).containsPattern(line);
		});
	}

	int port() {
		Matcher port = PORT.matcher(log());
		assertThat(port.find()).isTrue();
		return Integer.parseInt(port.group(1));
	}

	/** Stops it as its platform would. */
	@Override
	public void close() {
		if (this.process != null) {
			this.process.destroy();
			this.process.onExit().join();
		}
	}

}
