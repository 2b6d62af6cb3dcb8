/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a listener whose messages can't be retried safely.
 */
final class UnsupportedListenerFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedListenerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedListenerException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
