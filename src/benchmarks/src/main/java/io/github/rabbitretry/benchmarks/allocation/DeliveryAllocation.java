/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One delivery, from the properties that the client has read to its acknowledgement.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DeliveryAllocation {

	@Benchmark
	public void successWithoutPolicy(WithoutPolicy side) {
		side.application.succeeding().deliver(true);
	}

	@Benchmark
	public void successWithPolicy(WithPolicy side) {
		side.application.succeeding().deliver(false);
	}

	/** Without the reject that the container sends then. */
	@Benchmark
	public boolean failureWithoutPolicy(WithoutPolicy side) {
		try {
			side.application.failing().deliver(false);
			return false;
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	/** With the copy, as far as to the client. */
	@Benchmark
	public void failureWithPolicy(WithPolicy side) {
		side.application.failing().deliver(false);
	}

	/** Spring Boot as it is. */
	@State(Scope.Benchmark)
	public static class WithoutPolicy {

		private final HandFedApplication application = new HandFedApplication(Map.of());

		@TearDown
		public void close() {
			this.application.close();
		}

	}

	/** Policies without what is off by default. */
	@State(Scope.Benchmark)
	public static class WithPolicy {

		private final HandFedApplication application = new HandFedApplication(
				Map.of("rabbit-retry.ledger.enabled", false, "rabbit-retry.message-policies.Succeeding.queue",
						HandFedListener.SUCCEEDING, "rabbit-retry.message-policies.Failing.queue",
						HandFedListener.FAILING, "rabbit-retry.message-policies.Failing.local-attempts", 1));

		@TearDown
		public void close() {
			this.application.close();
		}

	}

}
