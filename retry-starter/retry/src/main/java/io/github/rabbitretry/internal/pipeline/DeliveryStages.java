/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.InstantSource;
import java.util.function.UnaryOperator;

import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.policy.OutageSettings;

/**
 * The way of a queue's deliveries, from their container's thread to their settlement, put
 * together once and without what its policy does not use:
 * <ol>
 * <li>a producer's batch is divided, if the container divides batches,</li>
 * <li>the delivery waits at the gate of its container, or in order,</li>
 * <li>it is admitted, or not handled now,</li>
 * <li>it is to be deduplicated, its time is limited, an outage is waited for,</li>
 * <li>the handler is called, with local attempts,</li>
 * <li>what becomes of a failure is decided and carried out.</li>
 * </ol>
 *
 * @param queue the queue
 * @param clock what time it is
 * @param first the first stage
 * @param admission the stage that messages of a batch go through one by one
 * @param handling the stage after that
 */
public record DeliveryStages(ManagedQueue queue, InstantSource clock, Stage first, AdmissionStage admission,
		Stage handling) {

	/** From the last stage to the first, since each of them knows the next. */
	public static DeliveryStages of(ManagedQueue queue, StageContext context, UnaryOperator<Stage> ordering,
			BatchHandling batches) {
		Stage handling = new CallStage(queue, context, new DecisionStage(queue, context));
		OutageSettings outage = queue.policy().outage();
		if (queue.dependency() != null && outage != null) {
			handling = new OutageStage(queue.dependency(), outage.reasons(), context, handling);
		}
		if (queue.timeout() != null) {
			handling = new TimeoutStage(queue.timeout(), context, handling);
		}
		if (queue.deduplicator() != null) {
			handling = new DeduplicationStage(queue.deduplicator(), handling);
		}
		AdmissionStage admission = new AdmissionStage(queue, context, handling);
		Stage first = ordering.apply(admission);
		if (context.container().settings().dividesBatches()) {
			first = new DivisionStage(batches, first);
		}
		return new DeliveryStages(queue, context.services().clock(), first, admission, handling);
	}

}
