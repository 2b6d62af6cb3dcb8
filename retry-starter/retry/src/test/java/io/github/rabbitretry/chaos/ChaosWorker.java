/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.it.JavaProcess;

/**
 * The worker in a JVM of its own, to be killed.
 */
final class ChaosWorker {

	private final ChaosRun run;

	private final JavaProcess process;

	private final long evidenceBefore;

	ChaosWorker(ChaosRun run, String... more) {
		this.run = run;
		this.evidenceBefore = run.evidence().size();
		this.process = JavaProcess.start(ChaosApplication.class, 256, run.folder(), List.of(run.arguments(more)));
	}

	/** Waits until it has handled something. */
	void awaitWork() {
		this.process.await(() -> this.run.evidence().size() > this.evidenceBefore);
	}

	boolean alive() {
		return this.process.alive();
	}

	/** Has it end as with SIGKILL when it gets to a step for the nth time. */
	void haltAt(HandoverStep step, int times) {
		this.process.writeLine(step + " " + times);
	}

	/** Sets its clock. */
	void clockAhead(Duration ahead) {
		this.process.writeLine(WorkerClock.ORDER + " " + ahead.toSeconds());
	}

	/** Sends it a signal. */
	void signal(String signal) {
		this.process.signal(signal);
	}

	/** Ends it with SIGKILL. */
	void kill() {
		this.process.kill();
	}

	/** Ends it as a deployment would. */
	void stop() {
		this.process.stop();
	}

}
