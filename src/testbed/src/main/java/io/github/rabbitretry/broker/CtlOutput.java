/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import io.github.rabbitretry.provision.Command;

/**
 * What {@code rabbitmqctl} printed, or its failure.
 */
final class CtlOutput {

	private CtlOutput() {
	}

	static String of(Command.Result result, String... arguments) {
		if (result.failed()) {
			throw new IllegalStateException("rabbitmqctl %s failed with status %s: %s"
				.formatted(String.join(" ", arguments), result.status(), result.output()));
		}
		return result.output();
	}

}
