/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.doctor.Finding;
import io.github.rabbitretry.internal.doctor.Severity;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Has the doctor look once after startup, on a thread of its own, and logs the errors
 * that it finds. Without the management API nothing is done: startup has verified all
 * that AMQP can show.
 */
final class StartupCheck implements SmartLifecycle {

	/** The management API knows a new queue some seconds later. */
	private static final long DELAY_SECONDS = 5;

	private static final int MOST_LINES = 20;

	private static final Log logger = LogFactory.getLog(StartupCheck.class);

	private final TopologyDoctor doctor;

	private final boolean enabled;

	private volatile boolean running;

	private final ScheduledThreadPoolExecutor thread;

	/**
	 * Creates the check.
	 * @param doctor examines
	 * @param enabled whether to examine
	 */
	StartupCheck(TopologyDoctor doctor, boolean enabled) {
		this.doctor = doctor;
		this.enabled = enabled;
		CustomizableThreadFactory daemon = new CustomizableThreadFactory("rabbit-retry-doctor-");
		daemon.setDaemon(true);
		this.thread = new ScheduledThreadPoolExecutor(1, daemon);
	}

	@Override
	public void start() {
		if (this.enabled && !this.thread.isShutdown()) {
			this.thread.schedule(this::examine, DELAY_SECONDS, TimeUnit.SECONDS);
			// ends with what is scheduled
			this.thread.shutdown();
		}
		this.running = true;
	}

	private void examine() {
		try {
			List<Finding> findings = this.doctor.examineByManagement().findings();
			log(logger::warn, findings.stream()
				.filter((finding) -> finding.severity() == Severity.WARNING && finding.code().equals("leftover")));
			List<Finding> errors = findings.stream().filter((finding) -> finding.severity() == Severity.ERROR).toList();
			log(logger::error, errors.stream());
			if (!errors.isEmpty()) {
				logger.error(
						"Topology doctor: %s errors. The endpoint retrytopology and rabbit-retry doctor have the commands"
							.formatted(errors.size()));
			}
		}
		catch (ManagementUnavailableException | AmqpException ex) {
			logger.debug("The topology can't be examined", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The topology could not be examined", ex);
		}
	}

	private static void log(Consumer<String> log, Stream<Finding> findings) {
		findings.limit(MOST_LINES)
			.forEach((finding) -> log
				.accept("Topology doctor: %s: %s %s".formatted(finding.code(), finding.fact(), finding.remedy())));
	}

	@Override
	public void stop() {
		this.thread.shutdownNow();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
