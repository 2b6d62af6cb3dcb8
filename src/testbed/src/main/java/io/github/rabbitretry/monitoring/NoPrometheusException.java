/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

/**
 * There is no Prometheus to be had.
 */
public final class NoPrometheusException extends RuntimeException {

	NoPrometheusException(String message) {
		super(message);
	}

}
