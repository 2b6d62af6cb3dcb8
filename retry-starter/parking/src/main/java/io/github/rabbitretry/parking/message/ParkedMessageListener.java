/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * Callback for parked messages that have been stored in the ledger, for example to raise
 * alerts or open tickets. All beans of this type are called.
 * <p>
 * It is called at least once for each message, by the application that moves it into the
 * ledger: twice if the process dies after storing the message and before acknowledging
 * it. Exceptions are logged; they affect neither other listeners nor the message.
 * Listeners run on the thread that fills the ledger, so a slow one delays parked messages
 * in their parking lot, but never the handling of messages.
 */
@FunctionalInterface
public interface ParkedMessageListener {

	/**
	 * Called when a parked message has been stored.
	 * @param message the message, with its body as stored: masked or omitted if the
	 * policy requires it
	 */
	void parked(ParkedMessage message);

}
