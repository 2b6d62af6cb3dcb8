/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.parking.scan.ParkingLotWindow;
import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.internal.parking.scan.ScannedLedger;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.Selection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where endpoints find parked messages: in the ledger, or else in a window of the parking
 * lots.
 */
public final class ParkedMessageSource {

	private final @Nullable Ledger ledger;

	private final BooleanSupplier filled;

	private final ParkingLotWindow window;

	/**
	 * Creates the place.
	 * @param ledger the ledger, or {@code null} if there is none
	 * @param filled whether parked messages are moved into the ledger
	 * @param window looks at parking lots
	 */
	public ParkedMessageSource(@Nullable Ledger ledger, BooleanSupplier filled, ParkingLotWindow window) {
		this.ledger = ledger;
		this.filled = filled;
		this.window = window;
	}

	boolean inLedger() {
		return this.ledger != null && this.filled.getAsBoolean();
	}

	ParkingLotWindow window() {
		return this.window;
	}

	/**
	 * A view of what is parked, as the ledger shows it.
	 * @param filter which queue, if it says so, is looked at
	 * @param whole ids of messages of which bodies and headers are wanted
	 * @return the view
	 */
	View view(ParkedFilter filter, Set<Long> whole) {
		Ledger known = this.ledger;
		if (known != null && inLedger()) {
			return new View(known, null);
		}
		ScannedLedger scanned = this.window.look(filter, whole);
		return new View(scanned, scanned.windows());
	}

	/**
	 * The most messages of an act without a ledger: what is parked while it is done comes
	 * last, and so is not among them.
	 * @param selection which messages
	 * @param maximum how many at most
	 * @param expected how many there may be, or {@code null} for any number
	 * @return how many at most
	 */
	long bounded(Selection selection, long maximum, @Nullable Expectation expected) {
		if (expected == null) {
			return maximum;
		}
		expected.check(seen(selection).size(), selection.toString());
		return Math.max(1, Math.min(maximum, expected.count()));
	}

	/**
	 * What a dry run shows of messages, without a ledger.
	 * @param selection which messages
	 * @return what is in the windows
	 */
	Preview preview(Selection selection) {
		List<ParkedSummary> seen = seen(selection);
		return new Preview(seen.size(), Expectation.token(seen.size(), selection.toString()),
				seen.stream().limit(Preview.SAMPLES).toList(),
				seen.stream().collect(Collectors.groupingBy(ParkedSummary::owner, Collectors.counting())), List.of());
	}

	private List<ParkedSummary> seen(Selection selection) {
		return this.window.look(selection.filter(), Set.of()).matching(selection.filter(), selection.ids());
	}

	/**
	 * A view.
	 *
	 * @param ledger finds messages
	 * @param windows what was looked at, or {@code null} if everything is known
	 */
	record View(Ledger ledger, @Nullable List<ScanWindow> windows) {

		@Nullable String note() {
			return (this.windows != null) ? WITHOUT_LEDGER : null;
		}

	}

	/** What every answer says that comes without a ledger. */
	static final String WITHOUT_LEDGER = "There is no ledger: only the oldest messages of each parking lot were looked at, as"
			+ " 'windows' tell. What was replayed or discarded is not known, nor what became of it; acts are in the log only.";

}
