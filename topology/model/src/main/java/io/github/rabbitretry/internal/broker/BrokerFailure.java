/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import org.jspecify.annotations.Nullable;

/**
 * An answer to a request that may have failed because of the broker. Other callers do not
 * see what the broker said.
 */
public interface BrokerFailure {

	/**
	 * Tells what the broker said, to who asks in this process and would read the log.
	 * @return one line, or {@code null} if this is not about the broker
	 */
	@Nullable String brokerText();

}
