/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.event.LogText;
import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.handover.HandoverLane;
import io.github.rabbitretry.handover.HandoverLanes;
import io.github.rabbitretry.ledger.LedgerPolicy;
import io.github.rabbitretry.ledger.ParkedFilter;
import io.github.rabbitretry.ledger.ParkedMessage;
import io.github.rabbitretry.ledger.ParkedReading;
import io.github.rabbitretry.ledger.ParkedSummary;
import io.github.rabbitretry.policy.MessagePolicies;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.replay.Act;
import io.github.rabbitretry.replay.ReplayCopy;
import io.github.rabbitretry.replay.ReplayListener;
import io.github.rabbitretry.replay.Selection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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

	private static final Log audit = LogFactory.getLog(AUDIT);

	private final MessagePolicies policies;

	private final Map<String, LedgerPolicy> readings;

	private final ParkedReading reading;

	private final ConnectionFactory connectionFactory;

	private final HandoverLanes lanes;

	private final ScanSettings settings;

	private final ReplayListener events;

	private final ParkingLotScanner scanner;

	/**
	 * Creates the window.
	 * @param policies whose parking lots
	 * @param readings what is shown of each one's bodies
	 * @param reading reads messages
	 * @param connectionFactory leads to the broker
	 * @param lanes where copies go
	 * @param settings the bounds
	 * @param events who is told of replays
	 */
	public ParkingLotWindow(MessagePolicies policies, List<LedgerPolicy> readings, ParkedReading reading,
			ConnectionFactory connectionFactory, HandoverLanes lanes, ScanSettings settings, ReplayListener events) {
		this.policies = policies;
		this.readings = readings.stream().collect(Collectors.toMap(LedgerPolicy::queue, Function.identity()));
		this.reading = reading;
		this.connectionFactory = connectionFactory;
		this.lanes = lanes;
		this.settings = settings;
		this.events = events;
		this.scanner = new ParkingLotScanner(connectionFactory, settings);
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
			this.scanner.scan(policy, (scan) -> {
				for (Held held : scan.held()) {
					ParkedMessage message = read(policy, held);
					messages.add(message.summary());
					if (whole.contains(message.summary().id())) {
						kept.put(message.summary().id(), message);
					}
				}
				windows.add(scan.window());
				return 0;
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
	public ScanResult discard(Selection selection, long maximum, boolean dryRun, Act act) {
		return forEach(selection, maximum, dryRun, null, (policy, chosen) -> {
			chosen.forEach((message) -> log(act, "discards", policy, message));
			return (int) chosen.stream().filter((message) -> message.held().original().acknowledge()).count();
		});
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
	public ScanResult replay(Selection selection, long maximum, boolean dryRun, Act act) {
		String id = "scan-" + UUID.randomUUID();
		return forEach(selection, maximum, dryRun, id, (policy, chosen) -> {
			HandoverLane lane = this.lanes.lane(this.connectionFactory, policy.messageType());
			ScanReplay replay = new ScanReplay();
			for (Chosen message : chosen) {
				long handover = lane.nextId();
				copy(policy, message, id, act, handover).ifPresent((copy) -> {
					log(act, "replays", policy, message);
					replay.submitted();
					lane.submit(handover, copy, message.held().original(), replay);
				});
			}
			int confirmed = replay.await(this.settings.patience());
			if (confirmed > 0) {
				this.events.published(policy.messageType(), confirmed);
			}
			return confirmed;
		});
	}

	private ScanResult forEach(Selection selection, long maximum, boolean dryRun, @Nullable String replayId,
			Deed deed) {
		Tally tally = new Tally(maximum);
		for (MessagePolicy policy : meant(selection.filter())) {
			this.scanner.scan(policy, (scan) -> {
				List<Chosen> matching = scan.held()
					.stream()
					.map((held) -> new Chosen(held, read(policy, held)))
					.filter((message) -> ParkedMatch.matches(selection.filter(), selection.ids(),
							message.parked().summary()))
					.toList();
				List<Chosen> chosen = matching.subList(0, (int) Math.min(matching.size(), tally.room()));
				int settled = dryRun ? 0 : deed.apply(policy, chosen);
				tally.add(scan.window(), matching.size(), dryRun ? chosen.size() : settled);
				return settled;
			});
		}
		return new ScanResult(replayId, dryRun, tally.matching, tally.done, tally.matching - tally.done, tally.windows);
	}

	private List<MessagePolicy> meant(ParkedFilter filter) {
		if (filter.queue() == null) {
			return List.copyOf(this.policies.all());
		}
		Optional<MessagePolicy> policy = this.policies.ofQueue(filter.queue());
		return policy.map(List::of).orElseGet(List::of);
	}

	private ParkedMessage read(MessagePolicy policy, Held held) {
		LedgerPolicy reading = this.readings.get(policy.queue());
		if (reading == null) {
			throw new IllegalStateException("nothing says how to read '%s'".formatted(policy.queue()));
		}
		return this.reading.read(reading, held.properties(), held.body());
	}

	private static Optional<Copy> copy(MessagePolicy policy, Chosen message, String replayId, Act act, long handover) {
		Held held = message.held();
		return new ReplayCopy(replayId, act, held.original().frameMax()).unfollowed(message.parked().summary(),
				held.properties(), held.body(), policy.topology().directRoute(), handover);
	}

	private static void log(Act act, String what, MessagePolicy policy, Chosen message) {
		String messageId = message.parked().summary().messageId();
		audit.info("%s %s message %s (id %d, sha-256 %s) of '%s', because %s".formatted(LogText.of(act.user()), what,
				LogText.of((messageId != null) ? messageId : ""), message.parked().summary().id(),
				message.parked().summary().payloadHash(), policy.topology().parkingLot(), LogText.of(act.reason())));
	}

	/** A message that is meant. */
	private record Chosen(Held held, ParkedMessage parked) {
	}

	/** What is done with messages of one parking lot. */
	private interface Deed {

		int apply(MessagePolicy policy, List<Chosen> chosen);

	}

	/** Counts over all parking lots. */
	private static final class Tally {

		private final long maximum;

		private final List<ScanWindow> windows = new ArrayList<>();

		private long chosen;

		private long matching;

		private long done;

		Tally(long maximum) {
			this.maximum = maximum;
		}

		long room() {
			return this.maximum - this.chosen;
		}

		void add(ScanWindow window, int found, int settled) {
			this.windows.add(window);
			this.matching += found;
			this.chosen += Math.min(found, room());
			this.done += settled;
		}

	}

}
