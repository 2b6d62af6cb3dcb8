/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks again for messages that were acknowledged, where it is not known that they are
 * gone. What is still there is acknowledged again: a copy of it may have been published.
 */
final class AcknowledgementVerifier {

	private static final Log logger = LogFactory.getLog(AcknowledgementVerifier.class);

	private static final int LOOKS = 3;

	private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Supplier<ParkingLotScan> opener;

	private final Function<UnackedMessage, WindowMessage> reader;

	AcknowledgementVerifier(Supplier<ParkingLotScan> opener, Function<UnackedMessage, WindowMessage> reader) {
		this.opener = opener;
		this.reader = reader;
	}

	/**
	 * Makes sure that messages are gone, as far as something identifies them.
	 * @param acknowledged the messages, from the head of the queue
	 * @param effect what is known of them
	 * @return those that may be there still
	 */
	List<WindowMessage> unsure(List<WindowMessage> acknowledged, Effect effect) {
		// an equal message that nobody chose must not be taken for one of these
		List<WindowMessage> unidentified = acknowledged.stream().filter((message) -> !message.identified()).toList();
		List<WindowMessage> unsure = WindowMessage.without(acknowledged, unidentified);
		Effect known = effect;
		for (int look = 0; look < LOOKS && !unsure.isEmpty(); look++) {
			if (look > 0) {
				LockSupport.parkNanos(BETWEEN_LOOKS);
			}
			try {
				Seen seen = look(unsure);
				List<WindowMessage> next = new ArrayList<>();
				if (known == Effect.UNKNOWN || seen.othersHold()) {
					// not back yet, or somebody else has them
					next.addAll(WindowMessage.without(unsure, seen.found()));
				}
				if (seen.effect() != Effect.GONE) {
					next.addAll(seen.found());
				}
				unsure = next;
				known = (seen.effect() == Effect.UNKNOWN) ? Effect.UNKNOWN : known;
			}
			catch (ScanRefusedException ex) {
				logger.warn("It can't be made sure that %d acknowledged messages are gone".formatted(unsure.size()),
						ex);
			}
		}
		List<WindowMessage> all = new ArrayList<>(unsure);
		all.addAll(unidentified);
		return all;
	}

	private Seen look(List<WindowMessage> wanted) {
		ParkingLotScan scan = this.opener.get();
		List<WindowMessage> found = new ArrayList<>();
		Effect effect = Effect.UNKNOWN;
		try {
			List<WindowMessage> missing = new ArrayList<>(wanted);
			for (UnackedMessage held : scan.held()) {
				WindowMessage message = take(missing, this.reader.apply(held).id());
				if (message != null) {
					held.acknowledgement().acknowledge();
					found.add(message);
				}
			}
		}
		finally {
			effect = scan.giveBack(found.size());
		}
		return new Seen(found, effect, scan.window().othersHold());
	}

	/** Equal messages have the same id: each is taken once. */
	private static @Nullable WindowMessage take(List<WindowMessage> missing, long id) {
		for (int index = 0; index < missing.size(); index++) {
			if (missing.get(index).id() == id) {
				return missing.remove(index);
			}
		}
		return null;
	}

	/**
	 * What a look found.
	 *
	 * @param found the messages that were there, acknowledged again
	 * @param effect what is known of these
	 * @param othersHold whether somebody else takes messages
	 */
	private record Seen(List<WindowMessage> found, Effect effect, boolean othersHold) {
	}

}
