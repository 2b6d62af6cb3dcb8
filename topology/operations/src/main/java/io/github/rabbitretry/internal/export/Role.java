/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.Locale;

/**
 * Who has permissions on the broker.
 */
public enum Role {

	/** Declares queues, exchanges and bindings. */
	TOPOLOGY("declares queues, exchanges and bindings (topology.mode: declare)", ""),

	/** Runs the application, which declares nothing. */
	WORKER("runs the application (topology.mode: verify or none)", ""),

	/** Looks at parked messages and replays them. */
	OPERATOR("views parking lots, replays messages, and uses the management page", "management"),

	/** Reads from the management API, and can neither publish nor consume. */
	MONITOR("reads policies and depths (rabbit-retry.broker.management-username)", "management");

	final String purpose;

	final String tag;

	Role(String purpose, String tag) {
		this.purpose = purpose;
		this.tag = tag;
	}

	String user(String application) {
		return application + "-" + name().toLowerCase(Locale.ROOT);
	}

}
