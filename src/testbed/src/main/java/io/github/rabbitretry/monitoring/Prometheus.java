/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.LoopbackPorts;
import io.github.rabbitretry.provision.Supervisor;

/**
 * A Prometheus that scrapes and evaluates rules, on a free port of the loopback
 * interface. It ends with the JVM, as a broker does.
 */
public final class Prometheus implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(30);

	private final Supervisor supervisor;

	private final URI uri;

	private final HttpClient http = HttpClient.newHttpClient();

	private Prometheus(Supervisor supervisor, URI uri) {
		this.supervisor = supervisor;
		this.uri = uri;
	}

	/**
	 * Starts a Prometheus and waits until it is ready.
	 * @param interval how often to scrape and to evaluate
	 * @param targets what to scrape, by the name of the job
	 * @param rules files of rules
	 * @return the running Prometheus
	 * @throws NoPrometheusException if there is none to be had
	 */
	public static Prometheus start(Duration interval, Map<String, URI> targets, Collection<Path> rules) {
		PrometheusPrograms programs = PrometheusPrograms.find();
		Supervisor supervisor = null;
		try {
			Path folder = Files.createTempDirectory("rabbit-retry-prometheus-").toRealPath();
			Path configuration = folder.resolve("prometheus.yml");
			Files.writeString(configuration, configuration(interval, targets, rules));
			int port = LoopbackPorts.free(1)[0];
			supervisor = Supervisor.start(folder, "KILL",
					new ProcessBuilder(programs.prometheus().toString(), "--config.file=" + configuration,
							"--storage.tsdb.path=" + folder.resolve("data"), "--web.listen-address=127.0.0.1:" + port,
							"--log.level=warn")
						.directory(folder.toFile()));
			ProcessHandle process = supervisor.startServer();
			Prometheus prometheus = new Prometheus(supervisor, URI.create("http://127.0.0.1:" + port));
			prometheus.awaitReady(process, folder.resolve("log/console"));
			return prometheus;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (RuntimeException ex) {
			if (supervisor != null) {
				supervisor.close();
			}
			throw ex;
		}
	}

	private static String configuration(Duration interval, Map<String, URI> targets, Collection<Path> rules) {
		String every = interval.toMillis() + "ms";
		return "global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: %s}\n".formatted(every, every,
				every)
				+ "rule_files: [%s]\n"
					.formatted(rules.stream().map((file) -> "'" + file + "'").collect(Collectors.joining(", ")))
				+ "scrape_configs:\n"
				+ targets.entrySet()
					.stream()
					.map((target) -> job(target.getKey(), target.getValue()))
					.collect(Collectors.joining());
	}

	private static String job(String name, URI target) {
		String parameters = (target.getQuery() != null) ? Stream.of(target.getQuery().split("&"))
			.map((parameter) -> parameter.split("=", 2))
			.collect(Collectors.groupingBy((parameter) -> parameter[0], TreeMap::new,
					Collectors.mapping((parameter) -> "'" + parameter[1] + "'", Collectors.joining(", ", "[", "]"))))
			.toString()
			.replace("=", ": ") : "{}";
		return """
				- job_name: %s
				  metrics_path: %s
				  params: %s
				  static_configs: [{targets: ['%s']}]
				""".formatted(name, target.getPath(), parameters, target.getAuthority());
	}

	private void awaitReady(ProcessHandle process, Path log) throws IOException {
		long deadline = System.nanoTime() + START.toNanos();
		while (!ready()) {
			if (!process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("Prometheus does not start: " + Files.readString(log));
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
	}

	private boolean ready() {
		try {
			return send("/-/ready").statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Where it answers.
	 * @return its address, without a path
	 */
	public URI uri() {
		return this.uri;
	}

	/**
	 * Evaluates an expression.
	 * @param expression in PromQL
	 * @return what the API answers, in JSON
	 */
	public String query(String expression) {
		return get("/api/v1/query?query=" + encoded(expression));
	}

	/**
	 * Evaluates an expression for each step of some time.
	 * @param expression in PromQL
	 * @param lately how much time, until now
	 * @param step the time between two values
	 * @return what the API answers, in JSON
	 */
	public String queryRange(String expression, Duration lately, Duration step) {
		long now = System.currentTimeMillis();
		return get("/api/v1/query_range?query=%s&start=%s&end=%s&step=%s".formatted(encoded(expression),
				(now - lately.toMillis()) / 1000.0, now / 1000.0, step.toMillis() / 1000.0));
	}

	/**
	 * Asks for anything else.
	 * @param path path and query
	 * @return what it answers
	 */
	public String get(String path) {
		try {
			HttpResponse<String> response = send(path);
			if (response.statusCode() != 200) {
				throw new IllegalStateException(
						"GET %s: %s %s".formatted(path, response.statusCode(), response.body()));
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private HttpResponse<String> send(String path) throws IOException {
		try {
			return this.http.send(HttpRequest.newBuilder(this.uri.resolve(path)).timeout(START).build(),
					HttpResponse.BodyHandlers.ofString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Prometheus was asked", ex);
		}
	}

	private static String encoded(String expression) {
		return URLEncoder.encode(expression, StandardCharsets.UTF_8);
	}

	@Override
	public void close() {
		this.supervisor.close();
	}

}
