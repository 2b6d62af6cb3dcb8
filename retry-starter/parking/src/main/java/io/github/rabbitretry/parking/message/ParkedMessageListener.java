/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * Is called for parked messages, once they are in the ledger: for alerts, tickets, or
 * anything else that is done about them in code. Any bean of this type is one.
 * <p>
 * It is called at least once for each, by the application that moves it into the ledger:
 * twice, if the process dies before the parking lot knows that it was stored. An
 * exception is logged, and neither stops the other listeners nor holds the message back.
 * A listener runs on the thread that fills the ledger, so a slow one has messages wait in
 * their parking lot; it never delays the handling of messages. Without a ledger nobody is
 * told.
 */
@FunctionalInterface
public interface ParkedMessageListener {

	/**
	 * A message was parked and stored.
	 * @param message the message, its body as it is stored: masked or left out where the
	 * policy says so
	 */
	void parked(ParkedMessage message);

}
