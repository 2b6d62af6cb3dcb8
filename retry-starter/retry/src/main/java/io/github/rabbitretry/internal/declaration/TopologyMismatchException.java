/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;

import io.github.rabbitretry.internal.broker.TopologyProblem;

/**
 * The broker's topology is not what the policies need. It fails startup.
 */
public final class TopologyMismatchException extends TopologyProblemsException {

	private static final long serialVersionUID = 1L;

	TopologyMismatchException(List<TopologyProblem> problems) {
		super("The broker's queues and exchanges are not what the message policies need", problems);
	}

}
