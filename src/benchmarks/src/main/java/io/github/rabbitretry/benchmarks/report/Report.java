/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

import com.rabbitmq.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.boot.SpringBootVersion;

/**
 * A run of one benchmark.
 *
 * @param benchmark its command's name
 * @param options its options
 * @param began when
 * @param seconds how long it took
 * @param loads the machine's load before and after, the average of a minute
 * @param machine cores, and versions of what runs in the JVM
 * @param servers versions of the broker and the database
 * @param figures what was measured
 * @param failure why there are no more figures, {@code null} if there are all
 */
public record Report(String benchmark, String options, String began, long seconds, List<Double> loads, String machine,
		Set<String> servers, List<Figure> figures, @Nullable String failure) {

	/**
	 * Runs a benchmark.
	 * @param name its command's name
	 * @param benchmark what to measure
	 * @param options its options
	 * @return what came out, even if it failed
	 */
	public static Report of(String name, Benchmark benchmark, Options options) {
		LocalDateTime began = LocalDateTime.now().truncatedTo(ChronoUnit.MINUTES);
		long begin = System.nanoTime();
		double before = load();
		Results results = new Results();
		String failure = null;
		try {
			benchmark.measure(options, results);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			failure = String.valueOf(ex);
		}
		return new Report(name, options.toString(), began.toString(), (System.nanoTime() - begin) / 1_000_000_000,
				List.of(before, load()), versions(), results.servers(), results.figures(), failure);
	}

	private static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
	}

	private static String versions() {
		return "%s cores, %s %s, %s %s, Spring Boot %s, Spring AMQP %s, amqp-client %s".formatted(
				Runtime.getRuntime().availableProcessors(), System.getProperty("java.vm.name"),
				System.getProperty("java.version"), System.getProperty("os.name"), System.getProperty("os.version"),
				SpringBootVersion.getVersion(), Message.class.getPackage().getImplementationVersion(),
				ConnectionFactory.class.getPackage().getImplementationVersion());
	}

}
