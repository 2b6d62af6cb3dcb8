/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets tests that do not say how long they wait do so for as long as a busy machine
 * needs. JUnit finds it by itself.
 */
public final class Patience implements BeforeAllCallback {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(TIMEOUT);
	}

}
