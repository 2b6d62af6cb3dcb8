/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DependencyCircuitConcurrencyTests {

	@Test
	void oneProbeIsLetThroughAfterTheOtherAndTheCircuitNeverStaysOpenForGood() {
		new ModelCheckingOptions().addGuarantee(breaker().allMethods().treatAsAtomic())
			.iterations(5)
			.invocationsPerIteration(60)
			.threads(2)
			.actorsPerThread(3)
			.actorsBefore(2)
			.check(Operations.class);
	}

	/**
	 * Not watched itself: hash codes are 0 where Lincheck 3.7 watches, so that the
	 * breaker would not find its transitions in the map that it has put them into before.
	 */
	private static ManagedStrategyGuarantee.MethodBuilder breaker() {
		return ManagedStrategyGuaranteeKt.forClasses((name) -> name.startsWith("io.github.resilience4j."));
	}

	/**
	 * A call begins and ends in one thread. One other thread opens the circuit half and
	 * gives up probes. It is half open at first.
	 */
	@Param(name = "thread", gen = ThreadIdGen.class)
	public static class Operations implements Consumer<@Nullable Outage> {

		private static final Set<String> REASONS = Set.of("DOWN");

		private volatile Instant now = Instant.EPOCH;

		/** After which periods a probe is planned. Guarded by this. */
		private final Set<Integer> planned = new HashSet<>();

		private final DependencyCircuit circuit = halfOpen(new DependencyCircuit(
				new OutageSettings("service", REASONS, 1, 2, Duration.ofSeconds(1), Duration.ofSeconds(1), 2, false),
				List.of("Order"), Duration.ofMinutes(1), () -> this.now, this));

		private final @Nullable CircuitCall[] calls = new CircuitCall[5];

		private int outages;

		private static DependencyCircuit halfOpen(DependencyCircuit circuit) {
			for (int call = 0; call < 2; call++) {
				Objects.requireNonNull(circuit.tryCall(REASONS)).failed("DOWN");
			}
			circuit.halfOpen();
			return circuit;
		}

		@Operation
		public String begin(@Param(name = "thread") int thread) {
			if (this.calls[thread] != null) {
				return "called already";
			}
			CircuitCall call = this.circuit.tryCall(REASONS);
			this.calls[thread] = call;
			return (call == null) ? "waits" : call.probe() ? "probes" : "calls";
		}

		@Operation
		public void succeed(@Param(name = "thread") int thread) {
			CircuitCall call = this.calls[thread];
			if (call != null) {
				call.succeeded();
				this.calls[thread] = null;
			}
		}

		@Operation
		public void fail(@Param(name = "thread") int thread) {
			CircuitCall call = this.calls[thread];
			if (call != null) {
				call.failed("DOWN");
				this.calls[thread] = null;
			}
		}

		@Operation
		public void endWithoutACall(@Param(name = "thread") int thread) {
			CircuitCall call = this.calls[thread];
			if (call != null) {
				call.close();
				this.calls[thread] = null;
			}
		}

		@Operation(nonParallelGroup = "timer")
		public void openHalf() {
			this.circuit.halfOpen();
		}

		@Operation(nonParallelGroup = "timer")
		public void giveUpProbe() {
			this.now = this.now.plus(Duration.ofMinutes(2));
			this.circuit.giveUpProbe();
		}

		@Validate
		public void theServiceIsUpAgainOnceItAnswers() {
			// no assertion library: its classes do not stand being watched
			check(this.outages == (this.circuit.closed() ? 0 : 1),
					"an outage for as long as the circuit is not closed");
			synchronized (this) {
				check(!this.circuit.open() || this.planned.contains(this.circuit.period()), "a planned probe");
			}
			giveUpProbe();
			this.circuit.halfOpen();
			for (int call = 0; call < 2; call++) {
				Objects.requireNonNull(this.circuit.tryCall(REASONS), "a call").succeeded();
			}
			check(this.circuit.closed(), "closed");
			check(this.circuit.outage() == null, "no outage");
		}

		private static void check(boolean holds, String what) {
			if (!holds) {
				throw new IllegalStateException("expected: " + what);
			}
		}

		@Override
		public synchronized void accept(@Nullable Outage outage) {
			if (outage != null) {
				this.outages += (outage.ended() == null) ? 1 : -1;
			}
			// not while it is being made
			if (this.circuit != null && this.circuit.open()) {
				this.planned.add(this.circuit.period());
			}
		}

	}

}
