/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

/**
 * A message is written in a format that this version of the worker can't read.
 */
public class UnsupportedSchemaVersionException extends RuntimeException {

	UnsupportedSchemaVersionException(int version, int oldest, int newest) {
		super("schema version %s is not supported, only %s to %s".formatted(version, oldest, newest));
	}

}
