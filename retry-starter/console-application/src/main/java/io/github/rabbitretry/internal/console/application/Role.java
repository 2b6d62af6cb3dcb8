/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Arrays;

/**
 * What users may do. Who has none of these roles may do nothing; each of them may see
 * everything but payloads.
 */
enum Role {

	/** Sees everything but payloads. */
	VIEWER,

	/** Replays, discards and restores. */
	OPERATOR,

	/** Sees bodies and producers' headers. */
	BODY_READER,

	/** Edits messages and replays them, with {@link #BODY_READER}. */
	EDITOR;

	static String[] names() {
		return Arrays.stream(values()).map(Role::name).toArray(String[]::new);
	}

}
