/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.doctor.TopologyReport;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The topology of each message type: the model, how many messages are where, and what is
 * not as it should be on the broker.
 */
@WebEndpoint(id = RetryTopologyEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class RetryTopologyEndpoint {

	/** The endpoint's id. */
	public static final String ID = "retrytopology";

	private final TopologyDoctor doctor;

	/**
	 * Creates the endpoint.
	 * @param doctor examines the broker
	 */
	RetryTopologyEndpoint(TopologyDoctor doctor) {
		this.doctor = doctor;
	}

	/**
	 * {@code GET /}: the topology and the findings.
	 * @param messageType the only message type to show, or {@code null} for all
	 * @return them
	 */
	@ReadOperation
	Object examine(@Nullable String messageType) {
		return FailedRequest.answer(() -> {
			TopologyReport report = this.doctor.examine();
			if (messageType == null || messageType.isEmpty()) {
				return new Topology(report);
			}
			TopologyReport one = report.only(messageType);
			return one.messageTypes().isEmpty()
					? FailedRequest.unknown("There is no message type '%s'.".formatted(messageType))
					: new Topology(one);
		});
	}

	/**
	 * The answer: what the doctor found out.
	 *
	 * @param report the topology and the findings
	 */
	record Topology(@JsonUnwrapped TopologyReport report) implements OperationResponseBody {
	}

}
