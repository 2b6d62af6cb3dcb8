/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;

import io.github.rabbitretry.internal.broker.TopologyProblem;

/**
 * The application declares queues or exchanges in another way than its message policies.
 * Found before anything connects to the broker.
 */
public final class ConflictingDeclarationException extends TopologyProblemsException {

	private static final long serialVersionUID = 1L;

	ConflictingDeclarationException(List<TopologyProblem> problems) {
		super("The application declares queues or exchanges in another way than its message policies do", problems);
	}

}
