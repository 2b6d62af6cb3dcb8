/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.List;

/**
 * The way from the topology on the broker to the configured one.
 *
 * @param steps what to do, in this order
 * @param leftAlone what no command is printed for, and why
 */
public record TopologyPlan(List<Step> steps, List<String> leftAlone) {

	public TopologyPlan {
		steps = List.copyOf(steps);
		leftAlone = List.copyOf(leftAlone);
	}

	/**
	 * A step, which may be run again.
	 *
	 * @param what what it does
	 * @param commands for a shell, in this order; none if people have to do it
	 */
	public record Step(String what, List<String> commands) {

		public Step {
			commands = List.copyOf(commands);
		}

	}

}
