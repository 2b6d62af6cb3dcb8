/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * What leads from the topology on the broker to the configured one.
 *
 * @param steps the steps, in their order; empty if nothing is to be done
 * @param leftAlone what is not touched, and why
 * @param obstacles why nothing can be applied, empty if it can
 */
public record MigrationPlan(List<PlannedStep> steps, List<LeftAlone> leftAlone, List<String> obstacles) {

	/** What the name of a temporary queue ends with. */
	public static final String TEMPORARY = ".migrating";

	public MigrationPlan {
		steps = List.copyOf(steps);
		leftAlone = List.copyOf(leftAlone);
		obstacles = List.copyOf(obstacles);
	}

	/**
	 * Whether consumers and some producers have to pause.
	 * @return whether a step needs that
	 */
	public boolean pauses() {
		return this.steps.stream().anyMatch(PlannedStep::paused);
	}

	/** Temporary queues that it makes or finds, with the arguments that they have. */
	List<QueueModel> temporaries() {
		List<QueueModel> temporaries = new ArrayList<>();
		for (PlannedStep planned : this.steps) {
			if (planned.step() instanceof MigrationStep.DeleteQueue delete && delete.queue().endsWith(TEMPORARY)) {
				boolean retry = delete.arguments().containsKey("x-message-ttl");
				boolean stored = !retry && !delete.arguments().containsKey("x-dead-letter-exchange");
				temporaries.add(new QueueModel(delete.queue(),
						retry ? QueueRole.RETRY : stored ? QueueRole.PARKING_LOT : QueueRole.WORK, delete.arguments()));
			}
		}
		return temporaries;
	}

	/**
	 * The queues whose consumers have to pause.
	 * @return names of queues that are deleted while that is so
	 */
	public List<String> pausedQueues() {
		return this.steps.stream()
			.filter(PlannedStep::paused)
			.map(PlannedStep::step)
			.filter(MigrationStep.DeleteQueue.class::isInstance)
			.map(MigrationStep::subject)
			.toList();
	}

	/**
	 * A step of the plan.
	 *
	 * @param step the step
	 * @param paused whether consumers of the queues, and producers that publish to them
	 * by the default exchange, have to pause meanwhile
	 */
	public record PlannedStep(MigrationStep step, boolean paused) {
	}

	/**
	 * A part of the broker that is not touched.
	 *
	 * @param what a queue, an exchange or a binding
	 * @param why why not
	 */
	public record LeftAlone(String what, String why) {
	}

}
