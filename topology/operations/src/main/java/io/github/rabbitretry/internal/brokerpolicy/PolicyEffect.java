/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;

/**
 * What one key of a policy does to queues or exchanges, and the commands against it.
 *
 * @param unsafe whether messages can be lost or handled too early; otherwise it is good
 * to know
 * @param policy the policy's kind and name
 * @param key the policy's key
 * @param value the key's value
 * @param queue whether the subjects are queues, else exchanges
 * @param subjects the queues or exchanges
 * @param consequence what happens to messages
 * @param commands the commands that displace the policy for our queues alone
 */
public record PolicyEffect(boolean unsafe, String policy, String key, Object value, boolean queue,
		List<String> subjects, String consequence, List<String> commands) {

	public PolicyEffect {
		subjects = List.copyOf(subjects);
		commands = List.copyOf(commands);
	}

}
