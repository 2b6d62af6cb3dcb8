/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.ledger.LedgerPolicy;
import io.github.rabbitretry.internal.parking.ledger.ParkedMessageMapper;
import io.github.rabbitretry.internal.parking.replay.ReplayListener;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * What can be done with parked messages without a ledger: the oldest messages of each
 * parking lot are taken for a moment, looked at, replayed or discarded, and all others
 * given back to their places. There is no history, no job and no outcome; instead of an
 * audit there are lines in the log, of the logger {@value #AUDIT}.
 */
public final class ParkingLotWindow {

	/** The logger that tells who did what. */
	public static final String AUDIT = "io.github.rabbitretry.audit";

	private final MessagePolicies policies;

	private final Map<String, LedgerPolicy> readings;

	private final ParkedMessageMapper reading;

	private final ConnectionFactory connectionFactory;

	private final ConfirmedPublishers publishers;

	private final ScanSettings settings;

	private final ReplayListener events;

	private final ParkingLotScanner scanner;

	/**
	 * Creates the window.
	 * @param policies whose parking lots
	 * @param readings what is shown of each one's bodies
	 * @param reading reads messages
	 * @param connectionFactory leads to the broker
	 * @param publishers where copies go
	 * @param settings the bounds
	 * @param events who is told of replays
	 */
	public ParkingLotWindow(MessagePolicies policies, List<LedgerPolicy> readings, ParkedMessageMapper reading,
			ConnectionFactory connectionFactory, ConfirmedPublishers publishers, ScanSettings settings,
			ReplayListener events) {
		this.policies = policies;
		this.readings = readings.stream().collect(Collectors.toMap(LedgerPolicy::queue, Function.identity()));
		this.reading = reading;
		this.connectionFactory = connectionFactory;
		this.publishers = publishers;
		this.settings = settings;
		this.events = events;
		this.scanner = new ParkingLotScanner(connectionFactory, settings,
				new WindowRenewal(this::publisher, settings.patience()));
	}

	/**
	 * Looks at parking lots.
	 * @param filter its queue, if it is set, says which one; the rest is left to the
	 * search
	 * @param whole ids of messages of which bodies and headers are wanted; all others'
	 * are not kept
	 * @return what is there now
	 * @throws ScanRefusedException if a parking lot can't be looked at
	 */
	public ScannedLedger look(ParkedFilter filter, Set<Long> whole) {
		List<ParkedSummary> messages = new ArrayList<>();
		Map<Long, ParkedMessage> kept = new HashMap<>();
		List<ScanWindow> windows = new ArrayList<>();
		for (MessagePolicy policy : meant(filter)) {
			this.scanner.scan(policy, reader(policy), (window, found) -> {
				for (WindowMessage message : found) {
					messages.add(message.parked().summary());
					if (whole.contains(message.id())) {
						kept.put(message.id(), message.parked());
					}
				}
				windows.add(window);
				return List.of();
			});
		}
		return new ScannedLedger(messages, kept, windows);
	}

	/**
	 * Acknowledges messages, and so deletes them.
	 * @param selection which messages
	 * @param maximum how many at most, the oldest first
	 * @param dryRun whether only to count
	 * @param act who and why
	 * @return what came of it
	 * @throws ScanRefusedException if a parking lot can't be looked at; those before it
	 * may have been dealt with
	 */
	public ScanResult discard(Selection selection, long maximum, boolean dryRun, OperatorAction act) {
		return forEach(selection, maximum, dryRun, null, new WindowDiscard(new WindowAudit(act)));
	}

	/**
	 * Publishes copies to the work queues and acknowledges what the broker confirmed.
	 * @param selection which messages
	 * @param maximum how many at most, the oldest first
	 * @param dryRun whether only to count
	 * @param act who and why
	 * @return what came of it
	 * @throws ScanRefusedException if a parking lot can't be looked at; those before it
	 * may have been dealt with
	 */
	public ScanResult replay(Selection selection, long maximum, boolean dryRun, OperatorAction act) {
		String id = "scan-" + UUID.randomUUID();
		return forEach(selection, maximum, dryRun, id, new WindowReplay(id, act, this::publisher,
				this.settings.patience(), this.events, new WindowAudit(act)));
	}

	private ScanResult forEach(Selection selection, long maximum, boolean dryRun, @Nullable String replayId,
			WindowAction act) {
		ScanTally tally = new ScanTally(maximum);
		for (MessagePolicy policy : meant(selection.filter())) {
			List<WindowMessage> acknowledged = new ArrayList<>();
			List<WindowMessage> unsure = this.scanner.scan(policy, reader(policy), (window, found) -> {
				List<WindowMessage> chosen = choose(policy, selection, act, window, found, tally);
				if (dryRun) {
					tally.ended(chosen.size(), 0);
					return List.of();
				}
				acknowledged.addAll(act.apply(policy, chosen));
				return acknowledged;
			});
			if (!dryRun) {
				List<WindowMessage> removed = WindowMessage.without(acknowledged, unsure);
				tally.ended(removed.size(), act.ended(policy, removed, unsure));
			}
		}
		return tally.result(replayId, dryRun);
	}

	private static List<WindowMessage> choose(MessagePolicy policy, Selection selection, WindowAction act,
			ScanWindow window, List<WindowMessage> found, ScanTally tally) {
		List<WindowMessage> matching = found.stream()
			.filter((message) -> ParkedMatch.matches(selection.filter(), selection.ids(), message.parked().summary()))
			.toList();
		List<WindowMessage> chosen = new ArrayList<>();
		for (WindowMessage message : matching) {
			if (chosen.size() == tally.room()) {
				break;
			}
			act.objection(policy, message)
				.ifPresentOrElse((why) -> tally.refused(message, why), () -> chosen.add(message));
		}
		tally.found(window, matching.size(), chosen.size());
		return chosen;
	}

	private List<MessagePolicy> meant(ParkedFilter filter) {
		if (filter.queue() == null) {
			return List.copyOf(this.policies.all());
		}
		Optional<MessagePolicy> policy = this.policies.ofQueue(filter.queue());
		return policy.map(List::of).orElseGet(List::of);
	}

	private ConfirmedPublisher publisher(MessagePolicy policy) {
		return this.publishers.publisher(this.connectionFactory, policy.messageType());
	}

	private Function<UnackedMessage, WindowMessage> reader(MessagePolicy policy) {
		LedgerPolicy how = this.readings.get(policy.queue());
		if (how == null) {
			throw new IllegalStateException("nothing says how to read '%s'".formatted(policy.queue()));
		}
		return (held) -> new WindowMessage(held, this.reading.read(how, held.properties(), held.body()));
	}

}
