/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * What somebody does with messages of parking lots.
 */
interface WindowAction {

	/**
	 * Says why it can't be done with a message.
	 * @param policy whose parking lot it is in
	 * @param message the message
	 * @return why not, without a text of the message's own
	 */
	Optional<String> objection(MessagePolicy policy, WindowMessage message);

	/**
	 * Does it, while the window is held.
	 * @param policy whose parking lot it is
	 * @param messages the messages
	 * @return those that are acknowledged
	 */
	List<WindowMessage> apply(MessagePolicy policy, List<WindowMessage> messages);

	/**
	 * Is told how it ended, when the window is given back.
	 * @param policy whose parking lot it is
	 * @param removed the messages that are gone
	 * @param unsure the acknowledged messages that may be there still
	 * @return how many messages it is not known of what became of them
	 */
	int ended(MessagePolicy policy, List<WindowMessage> removed, List<WindowMessage> unsure);

}
