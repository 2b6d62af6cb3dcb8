/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * Selects the messages of replays.
 */
final class ReplaySelections {

	/** The beginning of a remedy. */
	static final String NO_POLICY = "Ask the application that has a policy for it, name it in former-queues of the policy that handles its messages now, or ";

	private final ReplayStores stores;

	private final MessagePolicies policies;

	ReplaySelections(ReplayStores stores, MessagePolicies policies) {
		this.stores = stores;
		this.policies = policies;
	}

	ReplaySelection of(ReplayRequest request) {
		return new ReplaySelection(request, old(request));
	}

	void select(StoredJob job, ReplaySelection wanted) {
		ReplayRequest request = wanted.request();
		Set<String> queues = queues(wanted);
		Expectation expected = request.expected();
		if (expected != null) {
			expected.check(this.stores.items().count(wanted.replayable(queues)), request.selected());
		}
		long selected = this.stores.items().select(job.id(), wanted.replayable(queues), request.options().maximum());
		if (expected != null) {
			// some may have been parked since they were counted
			expected.check(selected, request.selected());
		}
		StoredJob old = wanted.old();
		if (selected == 0) {
			throw nothing(wanted);
		}
		if (old != null && request.uncertainOf() != null
				&& this.stores.outcomes().restore(old.id(), job.id()) != selected) {
			throw ReplayRefusedException.conflict("Some of the messages were restored or became certain meanwhile",
					"Nothing was done; try again.");
		}
	}

	private ReplayRefusedException nothing(ReplaySelection wanted) {
		ReplayRequest request = wanted.request();
		if (!request.takeReserved()) {
			List<Preview.Reservation> reservations = this.stores.previews().reservations(wanted.matching());
			if (!reservations.isEmpty()) {
				return Previews.allReserved(reservations);
			}
		}
		String what = (request.uncertainOf() != null) ? "uncertain of " + request.uncertainOf()
				: (request.restOf() != null) ? "left of " + request.restOf() : "parked";
		return ReplayRefusedException.conflict(
				"Nothing that is %s and can be replayed matches '%s'".formatted(what, request.selection()),
				"A dry run shows what matches and why it cannot be replayed.");
	}

	private @Nullable StoredJob old(ReplayRequest request) {
		String restOf = request.restOf();
		StoredJob old = (restOf != null) ? rest(restOf) : uncertain(request.uncertainOf());
		if (old != null) {
			requireSameTarget(old, request.options());
		}
		return old;
	}

	private static void requireSameTarget(StoredJob job, ReplayOptions options) {
		if (job.options().target() != null && options.target() == null) {
			throw ReplayRefusedException.conflict(
					"Replay %s %s".formatted(job.replayId(),
							job.forInspection() ? "made copies for inspection" : "moved messages"),
					"Set its target, '%s'%s, or replay those that are parked as any others."
						.formatted(job.options().target(), job.forInspection() ? "" : " and move=true"));
		}
	}

	/** Only of what has ended is it known what it leaves. */
	private StoredJob rest(String replayId) {
		StoredJob job = find(replayId);
		if (job.state().active()) {
			throw ReplayRefusedException.conflict("Replay %s is %s".formatted(job.replayId(), job.state()),
					"Resume it if it is paused, or abort it: only of what has ended there is a rest.");
		}
		if (job.edited()) {
			throw ReplayRefusedException.conflict("Replay %s was of an edited message".formatted(job.replayId()),
					"Edit the message again.");
		}
		return job;
	}

	/** Only what has ended is uncertain for good. */
	@Nullable StoredJob uncertain(@Nullable String replayId) {
		if (replayId == null) {
			return null;
		}
		StoredJob job = find(replayId);
		this.stores.outcomes().uncertain(job.application());
		this.stores.outcomes().findParkedAgain(job);
		if (job.state().active()) {
			throw ReplayRefusedException.conflict("Replay %s is %s".formatted(job.replayId(), job.state()),
					"Outcomes are uncertain only after a replay has ended. Wait until it ends, or abort it.");
		}
		long claimed = this.stores.items().counts(job.id()).inFlight();
		if (claimed > 0) {
			throw ReplayRefusedException.conflict(
					"%s messages of replay %s are claimed by an instance that died or is about to finish"
						.formatted(claimed, job.replayId()),
					"They become uncertain when its lease ends, within %s s; try again then."
						.formatted(ReplaySettings.LEASE.toSeconds()));
		}
		if (job.forInspection()) {
			throw ReplayRefusedException.conflict("Replay %s made copies for inspection".formatted(job.replayId()),
					"Its messages are parked: replay them as any others.");
		}
		return job;
	}

	private Set<String> queues(ReplaySelection wanted) {
		String queue = wanted.request().selection().filter().queue();
		if (queue != null && !wanted.needsNoPolicy() && this.policies.ofQueue(queue).isEmpty()) {
			throw ReplayRefusedException.invalid("filter's queue", "'%s' has no policy here".formatted(queue),
					NO_POLICY + "set a target.");
		}
		return this.policies.queues();
	}

	StoredJob find(String replayId) {
		// refuses what no column can hold
		Selection.of(ParkedFilter.ALL.withReplayId(replayId));
		return this.stores.jobs()
			.find(replayId)
			.orElseThrow(() -> ReplayRefusedException.unknown("replay '%s'".formatted(replayId)));
	}

	/**
	 * The messages that a request for a replay means.
	 *
	 * @param request the request
	 * @param old the replay that it names, if any
	 */
	record ReplaySelection(ReplayRequest request, @Nullable StoredJob old) {

		/**
		 * All of them, those included that others have reserved or that can't be
		 * replayed.
		 */
		ParkedSelection matching() {
			ParkedSelection selection = new ParkedSelection(this.request.selection().filter())
				.among(this.request.selection().ids());
			StoredJob job = this.old;
			if (job != null) {
				return (this.request.restOf() != null) ? selection.restOf(job.id()) : selection.uncertainOf(job.id());
			}
			return selection;
		}

		/** Those that no other replay has reserved, if that matters. */
		ParkedSelection free() {
			return this.request.takeReserved() ? matching() : matching().withoutReserved();
		}

		/** Those that this application can replay. */
		ParkedSelection replayable(Collection<String> queues) {
			return (needsNoPolicy() ? free() : free().ofQueues(queues)).replayable();
		}

		/**
		 * To a target, everything can go whose queue or ids are named; "all" does not
		 * mean other services' messages.
		 */
		boolean needsNoPolicy() {
			Selection selection = this.request.selection();
			return this.request.options().target() != null
					&& (selection.filter().queue() != null || !selection.ids().isEmpty() || this.old != null);
		}

	}

}
