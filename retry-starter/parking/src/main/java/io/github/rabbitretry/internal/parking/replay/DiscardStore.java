/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;

/**
 * Discards messages, and parks again what was discarded, each in one transaction with the
 * audit's entry.
 */
final class DiscardStore {

	/** What is in memory at once. */
	private static final int PAGE = 100_000;

	/**
	 * The state is asked for once more, as it may have changed meanwhile, and in a way
	 * that PostgreSQL has no statistics or index of: after an act that changed the state
	 * of many, it believes that hardly any row has that state, and begins with those
	 * (seen with 18.6: hours for 40,000).
	 */
	private static final String CHANGE = "update rabbit_retry_parked set state = :to, audit_id = :audit"
			+ " where id in (:chunk) and state || '' = :from";

	private final ReplayStores stores;

	DiscardStore(ReplayStores stores) {
		this.stores = stores;
	}

	Discarded discard(DiscardRequest request) {
		return this.stores.tables().selecting(() -> {
			if (!request.dryRun()) {
				this.stores.tables().lockSelections();
			}
			Instant now = this.stores.tables().now();
			String selected = request.selection().toString();
			Supplier<ParkedSelection> matching = () -> selection(request.selection(), now);
			Supplier<ParkedSelection> chosen = () -> request.takeReserved() ? matching.get()
					: matching.get().withoutReserved();
			long count = expected(chosen.get(), request.expected(), selected);
			List<Preview.Reservation> reservations = request.takeReserved() ? List.of()
					: this.stores.previews().reservations(matching.get());
			if (!request.dryRun() && count == 0 && !reservations.isEmpty()) {
				throw Previews.allReserved(reservations);
			}
			long taken = Math.min(count, request.maximum());
			long audit = 0;
			if (!request.dryRun()) {
				audit = audit(AuditEntry.Action.DISCARD, request.act(), selected, taken);
				change(chosen.get(), ParkedState.DISCARDED, request.maximum(), taken, audit);
			}
			return new Discarded(taken, request.dryRun(), audit,
					reservations.stream().mapToLong(Preview.Reservation::messages).sum(),
					request.dryRun() ? this.stores.previews().of(chosen, matching.get(), selected) : null);
		});
	}

	Discarded restore(RestoreRequest request) {
		return this.stores.tables().selecting(() -> {
			Instant now = this.stores.tables().now();
			String selected = request.selected();
			Supplier<ParkedSelection> chosen = () -> selection(request.selection(), now).discarded(request.discard());
			long taken = Math.min(expected(chosen.get(), request.expected(), selected), request.maximum());
			if (taken == 0 && request.discard() != null) {
				throw nothingOf(request.discard());
			}
			long audit = 0;
			if (!request.dryRun()) {
				audit = audit(AuditEntry.Action.RESTORE, request.act(), selected, taken);
				change(chosen.get(), ParkedState.PARKED, request.maximum(), taken, audit);
			}
			return new Discarded(taken, request.dryRun(), audit, 0,
					request.dryRun() ? this.stores.previews().of(chosen, chosen.get(), selected) : null);
		});
	}

	/** A wrong number must not look like a success. */
	private ReplayRefusedException nothingOf(long auditId) {
		boolean discard = this.stores.audit()
			.entries(AuditFilter.ALL, (auditId < Long.MAX_VALUE) ? auditId + 1 : null, 1)
			.stream()
			.anyMatch((entry) -> entry.id() == auditId && entry.what() == AuditEntry.Action.DISCARD);
		return discard
				? ReplayRefusedException.conflict("Audit entry %s has no discarded messages left".formatted(auditId),
						"It was restored, deleted by the ledger's retention, or does not match the filter.")
				: ReplayRefusedException.conflict("Audit entry %s is not a discard".formatted(auditId),
						"The audit shows which entries are.");
	}

	/** What is stored between the statements is not meant. */
	private static ParkedSelection selection(Selection selection, Instant now) {
		return new ParkedSelection(selection.filter()).among(selection.ids()).storedBy(now);
	}

	private long expected(ParkedSelection selection, @Nullable Expectation expected, String selected) {
		long count = this.stores.items().count(selection);
		if (expected != null) {
			expected.check(count, selected);
		}
		return count;
	}

	private long audit(AuditEntry.Action what, OperatorAction act, String selected, long count) {
		return this.stores.audit().add(what, act, new JdbcAuditLog.Facts(selected, null, count, null, null));
	}

	private void change(ParkedSelection selection, ParkedState to, long maximum, long expected, long audit) {
		MapSqlParameterSource parameters = selection.parameters()
			.addValue("to", to.name())
			.addValue("audit", audit)
			.addValue("from", selection.state().name());
		long changed = 0;
		int found;
		int changedOfPage;
		do {
			int page = (int) Math.min(maximum - changed, PAGE);
			List<Long> ids = this.stores.tables()
				.jdbc()
				.queryForList("select p.id" + selection.from() + " order by p.parked_at, p.id limit :page",
						parameters.addValue("page", page), Long.class);
			found = ids.size();
			changedOfPage = ReplayTables.inChunks(ids,
					(some) -> this.stores.tables().update(CHANGE, parameters.addValue("chunk", some)));
			changed += changedOfPage;
		}
		while (found == PAGE && changedOfPage == PAGE);
		if (changed != expected || changedOfPage != found) {
			// rolls back, the audit too, which would show another number
			throw ReplayRefusedException.conflict("Some of the messages were replayed, discarded or restored meanwhile",
					"Nothing was changed; try again.");
		}
	}

}
