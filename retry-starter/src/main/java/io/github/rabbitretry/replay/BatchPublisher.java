/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.event.OccasionalWarning;
import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.ledger.ParkedMessage;
import io.github.rabbitretry.policy.MessagePolicies;
import io.github.rabbitretry.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Publishes the batches of one job. Bodies are in memory only while they are published, a
 * few at a time.
 */
final class BatchPublisher implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(BatchPublisher.class);

	private static final OccasionalWarning away = new OccasionalWarning(logger, Duration.ofSeconds(30));

	/** How many messages are in memory at once. */
	private static final int READ_AT_ONCE = 50;

	private final StoredJob job;

	private final ConnectionFactory connectionFactory;

	private final Contents contents;

	private final MessagePolicies policies;

	private final ReplaySettings settings;

	private final ReplayListener events;

	private @Nullable ReplayChannel channel;

	BatchPublisher(StoredJob job, ConnectionFactory connectionFactory, Contents contents, MessagePolicies policies,
			ReplaySettings settings, ReplayListener events) {
		this.job = job;
		this.connectionFactory = connectionFactory;
		this.contents = contents;
		this.policies = policies;
		this.settings = settings;
		this.events = events;
	}

	/**
	 * Publishes a batch and waits for its confirms.
	 * @param batch what to publish
	 * @param lease nothing more is published once it has ended
	 * @return what became of it
	 * @throws InterruptedException if the thread is interrupted
	 */
	Settled publish(List<Claimed> batch, Lease lease) throws InterruptedException {
		List<Claimed> failed = new ArrayList<>();
		List<Claimed> left = new ArrayList<>(batch);
		ReplayChannel open = this.channel;
		Map<Long, String> types = new HashMap<>();
		try {
			if (open == null || !open.usable()) {
				close();
				open = ReplayChannel.open(this.connectionFactory);
				this.channel = open;
			}
			ReplayCopy copies = new ReplayCopy(this.job.replayId(), this.job.act(), open.frameMax());
			for (int from = 0; from < batch.size(); from += READ_AT_ONCE) {
				List<Claimed> some = batch.subList(from, Math.min(from + READ_AT_ONCE, batch.size()));
				Map<Long, ParkedMessage> messages = this.contents
					.read(this.job, some.stream().map(Claimed::parkedId).toList())
					.stream()
					.collect(Collectors.toMap((message) -> message.summary().id(), Function.identity()));
				for (Claimed item : some) {
					if (lease.ended()) {
						throw new IOException("the lease has ended");
					}
					Optional<Copy> copy = copy(copies, messages.get(item.parkedId()));
					left.remove(0);
					if (copy.isPresent()) {
						types.put(item.parkedId(), messages.get(item.parkedId()).summary().messageType());
						open.publish(item, copy.get());
					}
					else {
						failed.add(item);
					}
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			away.warn(() -> "Replay %s can't publish for now: %s".formatted(this.job.replayId(), ex));
			logger.debug("A replay can't publish for now", ex);
		}
		Settled settled = (open != null) ? open.await(this.settings.confirmTimeout()) : Settled.nothing();
		settled.failed().addAll(failed);
		settled.unknown().addAll(left);
		tell(settled, types);
		return settled;
	}

	private void tell(Settled settled, Map<Long, String> types) {
		settled.published()
			.stream()
			.collect(Collectors.groupingBy((item) -> types.getOrDefault(item.parkedId(), "unknown"),
					Collectors.counting()))
			.forEach((type, count) -> this.events.published(type, count.intValue()));
		Map<String, Long> lost = settled.failed()
			.stream()
			.collect(Collectors.groupingBy((item) -> types.getOrDefault(item.parkedId(), "unknown"),
					Collectors.counting()));
		lost.forEach((type, count) -> this.events.failed(type));
	}

	/** Whether what is unknown is so because an exchange is missing or forbidden. */
	boolean refusedByBroker() {
		ReplayChannel open = this.channel;
		return open != null && open.refusedByBroker();
	}

	private Optional<Copy> copy(ReplayCopy copies, @Nullable ParkedMessage message) {
		if (message == null) {
			return Optional.empty();
		}
		String target = this.job.options().target();
		if (target != null) {
			return copies.toTarget(message, target);
		}
		return this.policies.ofQueue(message.summary().queue())
			.map(MessagePolicy::topology)
			.flatMap((topology) -> copies.toWorkQueue(message, topology.directRoute()));
	}

	@Override
	public void close() {
		ReplayChannel open = this.channel;
		this.channel = null;
		if (open != null) {
			open.close();
		}
	}

}
