/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP;
import io.github.rabbitretry.internal.event.LogText;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;

/**
 * Publishes the batches of one job. What a channel is given first is published alone, and
 * so is each message of a batch with which the broker closed the channel: what was
 * refused is known then, and costs no other message.
 */
final class BatchPublisher implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(BatchPublisher.class);

	private static final OccasionalWarning away = new OccasionalWarning(logger, Duration.ofSeconds(30));

	private final StoredJob job;

	private final ChannelOpening opening;

	private final BatchReader reader;

	private final ReplaySettings settings;

	private final ReplayListener events;

	private final Map<Long, String> types = new HashMap<>();

	private @Nullable ReplayChannel channel;

	/** Whether each message is published alone. */
	private boolean alone;

	private boolean noRoute;

	private @Nullable String problem;

	BatchPublisher(StoredJob job, ConnectionFactory connectionFactory, EditedMessageRepository contents,
			MessagePolicies policies, ReplaySettings settings, ReplayListener events) {
		this.job = job;
		this.opening = new ChannelOpening(connectionFactory);
		this.reader = new BatchReader(job, contents, policies);
		this.settings = settings;
		this.events = events;
	}

	/**
	 * Publishes a batch and waits for its confirms.
	 * @param batch what to publish
	 * @param mayGoOn asked now and then while confirms are waited for; nothing more is
	 * published once it says no
	 * @return what became of it, all of it
	 */
	BatchResult publish(List<ClaimedItem> batch, BooleanSupplier mayGoOn) {
		BatchResult result = BatchResult.nothing();
		Deque<ClaimedItem> left = new ArrayDeque<>(batch);
		this.problem = null;
		this.noRoute = false;
		this.types.clear();
		try {
			ReplayChannel open = channel(mayGoOn);
			boolean goesOn = true;
			while (goesOn && !left.isEmpty()) {
				goesOn = publishSome(open, left, result, mayGoOn);
			}
		}
		catch (Exception ex) {
			failed(why(ex), ex);
		}
		catch (Error ex) {
			// as after a failure of the client: nothing counts as confirmed that was not
			logger.error("Replay %s failed while it published".formatted(this.job.replayId()), ex);
			failed("publishing failed with " + ex.getClass().getName(), ex);
		}
		finally {
			settle(result, mayGoOn);
			result.unpublished().addAll(left);
		}
		tell(result);
		return result;
	}

	private ReplayChannel channel(BooleanSupplier mayGoOn) throws IOException {
		ReplayChannel open = this.channel;
		if (open == null || !open.usable()) {
			abandon();
			open = this.opening.open(mayGoOn);
			this.channel = open;
		}
		return open;
	}

	/**
	 * Publishes as many as are read at once.
	 * @return whether the channel goes on
	 */
	private boolean publishSome(ReplayChannel open, Deque<ClaimedItem> left, BatchResult result,
			BooleanSupplier mayGoOn) {
		List<BatchReader.Entry> some = this.reader.read(left, open.frameMax());
		for (BatchReader.Entry entry : some) {
			if (!mayGoOn.getAsBoolean()) {
				return false;
			}
			ClaimedItem item = left.remove();
			this.types.put(item.parkedId(), entry.messageType());
			if (!publish(open, item, entry, result)) {
				return false;
			}
			boolean first = !open.answered();
			if ((this.alone || first) && !answeredWell(open, result, mayGoOn)) {
				return false;
			}
		}
		return true;
	}

	private boolean publish(ReplayChannel open, ClaimedItem item, BatchReader.Entry entry, BatchResult result) {
		String never = entry.never();
		if (entry.copy() == null || never != null) {
			result.failed().put(item, (never != null) ? never : "there is nothing to publish");
			return true;
		}
		try {
			boolean sent = open.publish(item, entry.copy());
			if (!sent) {
				result.unpublished().add(item);
				failed(open.problem(), null);
			}
			return sent;
		}
		catch (RuntimeException ex) {
			logger.warn("Message %d of replay %s can't be published by the client".formatted(item.parkedId(),
					this.job.replayId()), ex);
			result.failed().put(item, "the client can't publish it: " + ex.getClass().getName());
			return false;
		}
	}

	/** Waits for the one message that is on its way. */
	private boolean answeredWell(ReplayChannel open, BatchResult result, BooleanSupplier mayGoOn) {
		BatchResult one = awaited(open, mayGoOn);
		AMQP.Channel.Close close = open.closedByBroker();
		if (close != null && one.unknown().size() == 1) {
			refused(one, one.unknown().remove(0), close);
		}
		problemOf(open, one);
		boolean well = one.whole() && open.usable();
		result.add(one);
		return well;
	}

	/** The broker closed the channel because of this very message, and so has it not. */
	private void refused(BatchResult one, ClaimedItem item, AMQP.Channel.Close close) {
		String words = "%d %s".formatted(close.getReplyCode(), LogText.of(String.valueOf(close.getReplyText())));
		if (leadsNowhere(close)) {
			one.returned().add(item);
		}
		else {
			logger.warn("Message %d of replay %s stays parked, since the broker refuses it: %s"
				.formatted(item.parkedId(), this.job.replayId(), words));
			one.failed().put(item, "the broker refuses it: " + words);
		}
	}

	private static boolean leadsNowhere(AMQP.Channel.Close close) {
		return close.getReplyCode() == AMQP.NOT_FOUND || close.getReplyCode() == AMQP.ACCESS_REFUSED;
	}

	/** What was sent and not settled yet. */
	private void settle(BatchResult result, BooleanSupplier mayGoOn) {
		ReplayChannel open = this.channel;
		if (open == null) {
			return;
		}
		BatchResult rest = awaited(open, mayGoOn);
		problemOf(open, rest);
		AMQP.Channel.Close close = open.closedByBroker();
		// it is not known which of them it was
		this.alone = close != null && (this.alone || !rest.unknown().isEmpty());
		this.noRoute = close != null && leadsNowhere(close);
		result.add(rest);
	}

	private BatchResult awaited(ReplayChannel open, BooleanSupplier mayGoOn) {
		long end = System.nanoTime() + this.settings.confirmTimeout().toNanos();
		// the lease is renewed meanwhile
		Duration slice = this.settings.lease().dividedBy(4);
		boolean complete = false;
		while (!complete && System.nanoTime() < end && mayGoOn.getAsBoolean()) {
			long left = Math.max(1, end - System.nanoTime());
			complete = open.await(Duration.ofNanos(Math.min(slice.toNanos(), left)));
		}
		return open.take();
	}

	private void problemOf(ReplayChannel open, BatchResult some) {
		if (some.whole()) {
			return;
		}
		if (!some.unpublished().isEmpty()) {
			failed("the broker refuses messages (basic.nack): a queue is full, or can't be written to", null);
		}
		else if (!open.usable()) {
			failed(open.problem(), null);
		}
	}

	/** For everybody who may see replays, so without what the database said. */
	private static String why(Exception ex) {
		if (ex instanceof DataAccessException) {
			return "the ledger's database can't be used";
		}
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		return (ex instanceof IOException || ex instanceof AmqpException)
				? "the broker can't be used: %s %s".formatted(cause.getClass().getSimpleName(),
						LogText.of(String.valueOf(cause.getMessage())))
				: "publishing failed with " + ex.getClass().getName();
	}

	private void failed(String why, @Nullable Throwable ex) {
		if (this.problem == null) {
			this.problem = why;
			away.warn(() -> "Replay %s is stalled; what it did not publish is parked: %s".formatted(this.job.replayId(),
					why));
		}
		if (ex != null) {
			logger.debug("A replay can't publish for now", ex);
		}
	}

	private void tell(BatchResult result) {
		byType(result.published()).forEach((type, count) -> this.events.published(type, count.intValue()));
		byType(result.failed().keySet()).forEach((type, count) -> this.events.failed(type));
	}

	private Map<String, Long> byType(Collection<ClaimedItem> items) {
		return items.stream()
			.collect(Collectors.groupingBy((item) -> this.types.getOrDefault(item.parkedId(), "unknown"),
					Collectors.counting()));
	}

	/**
	 * Whether the last batch ended because an exchange is missing, or may not be used.
	 */
	boolean noRoute() {
		return this.noRoute;
	}

	/** Why not all of the last batch was published, or {@code null} if it was. */
	@Nullable String problem() {
		return this.problem;
	}

	@Override
	public void close() {
		this.opening.close();
		abandon();
	}

	private void abandon() {
		ReplayChannel open = this.channel;
		this.channel = null;
		if (open != null) {
			open.close();
		}
	}

}
