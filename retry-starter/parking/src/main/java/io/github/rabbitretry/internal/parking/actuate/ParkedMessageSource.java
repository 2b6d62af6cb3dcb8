/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.parking.scan.ParkingLotWindow;
import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.internal.parking.scan.ScannedLedger;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
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
	 * Requires a service that comes with the ledger.
	 * @param <T> its type
	 * @param service the service, or {@code null} if there is none
	 * @return the service
	 * @throws EndpointException if there is none
	 */
	<T> T require(@Nullable T service) {
		if (service != null) {
			return service;
		}
		throw inLedger()
				? EndpointException
					.forbidden("This application does not replay or discard: rabbit-retry.replay.enabled is false.")
				: EndpointException.invalid(NEEDS_LEDGER);
	}

	/**
	 * Requires a service that works on what is in the ledger.
	 * @param <T> its type
	 * @param service the service, or {@code null} if there is none
	 * @return the service
	 * @throws EndpointException if there is none, or messages are not in the ledger
	 */
	<T> T requireFilled(@Nullable T service) {
		if (this.ledger != null && !inLedger()) {
			throw EndpointException
				.invalid("Parked messages are not moved into the ledger now. Replay and discard need them there.");
		}
		return require(service);
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
			+ " 'windows' tell. What was replayed or discarded is not known.";

	/** The answer to requests that do more than look. */
	static final String NEEDS_LEDGER = "Replay, discard, restore, edit and audit need the ledger, and there is no ledger."
			+ " It needs rabbit-retry-parking-spring-boot-starter, a DataSource, such as H2 in a file,"
			+ " and rabbit-retry.ledger.enabled that is not false.";

}
