/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;

/**
 * Looks at startup where existing work queues send their dead letters to. Without a
 * dead-letter exchange RabbitMQ drops them, as it did before; a warning says what that
 * means and how to change it. What can't be found out never fails startup. Their owner
 * may delete and declare them while the application runs, so it looks again after each
 * reconnect, and now and then where there is a management API; a dead-letter exchange
 * that was there and is gone is a problem of the application's health.
 */
public final class ExistingQueueCheck implements HealthSource {

	private static final Log logger = LogFactory.getLog(ExistingQueueCheck.class);

	/** To declare the queue again may take a moment too. */
	private static final long AFTER_RECONNECT_MILLIS = 1000;

	private final BrokerAccess broker;

	private final List<MessageTopology> topologies;

	private final BrokerPolicySettings settings;

	private final Map<String, DeadLetterFinding> known = new ConcurrentHashMap<>();

	private final Map<String, HealthProblem> problems = new ConcurrentHashMap<>();

	private final AtomicBoolean asked = new AtomicBoolean(true);

	private final ScheduledExecutorService thread;

	/**
	 * Creates the check.
	 * @param broker the broker
	 * @param topologies all topologies, of which those with existing queues are checked
	 * @param settings how often to look
	 * @param thread where; after its end, it takes tasks and drops them
	 */
	public ExistingQueueCheck(BrokerAccess broker, Collection<MessageTopology> topologies,
			BrokerPolicySettings settings, ScheduledExecutorService thread) {
		this.broker = broker;
		this.topologies = topologies.stream().filter(MessageTopology::hasExistingQueue).toList();
		this.settings = settings;
		this.thread = thread;
	}

	/** Looks, and goes on looking. */
	public void start() {
		if (this.topologies.isEmpty()) {
			return;
		}
		look();
		// called at once where there is a connection
		this.broker.onConnection(this::lookAfterReconnect);
		this.asked.set(false);
		if (this.settings.mode() != BrokerPolicyMode.IGNORE) {
			long interval = this.settings.interval().toMillis();
			this.thread.scheduleWithFixedDelay(this::look, interval, interval, TimeUnit.MILLISECONDS);
		}
	}

	private void lookAfterReconnect() {
		if (this.asked.compareAndSet(false, true)) {
			this.thread.schedule(() -> {
				this.asked.set(false);
				look();
			}, AFTER_RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void look() {
		try {
			new DeadLetterLookup(this.broker).look(this.topologies).forEach(this::found);
		}
		catch (ManagementUnavailableException ex) {
			String reason = String.valueOf(ex.getMessage());
			this.topologies
				.forEach((topology) -> found(DeadLetterLookup.unknown(topology, this.broker.virtualHost(), reason)));
		}
		catch (AmqpException ex) {
			logger.debug("The broker can't be reached, so the dead-letter exchanges of existing queues are not known",
					ex);
		}
		catch (RuntimeException ex) {
			logger.warn("The dead-letter exchanges of existing queues could not be looked at", ex);
		}
	}

	private void found(DeadLetterFinding finding) {
		DeadLetterFinding before = this.known.get(finding.queue());
		if (before != null && (before.kind() == finding.kind() || finding.kind() == DeadLetterFinding.Kind.UNKNOWN)) {
			return;
		}
		boolean again = before != null && before.kind() != DeadLetterFinding.Kind.UNKNOWN;
		this.known.put(finding.queue(), finding);
		if (finding.kind() == DeadLetterFinding.Kind.MISSING) {
			problem("work-queue-missing", finding);
		}
		else if (finding.kind() != DeadLetterFinding.Kind.NONE) {
			this.problems.remove(finding.queue());
		}
		else if (again) {
			problem("dead-letter-exchange-gone", finding);
		}
		report(finding, again);
	}

	private void problem(String code, DeadLetterFinding finding) {
		this.problems.put(finding.queue(), new HealthProblem(code, finding.queue(), finding.text()));
	}

	private static void report(DeadLetterFinding finding, boolean again) {
		if (finding.kind() == DeadLetterFinding.Kind.ELSEWHERE) {
			logger.info(finding.text());
		}
		else if (finding.kind() != DeadLetterFinding.Kind.OURS) {
			logger.warn(finding.text());
		}
		else if (again) {
			logger.info("Existing queue '%s' has its dead-letter exchange again".formatted(finding.queue()));
		}
		if (!finding.lasting()) {
			logger.warn(
					"Existing queue '%s' is not durable, or is deleted by the broker: messages that wait for a retry can't come back to it while it is away"
						.formatted(finding.queue()));
		}
	}

	@Override
	public List<HealthProblem> problems() {
		return List.copyOf(this.problems.values());
	}

}
