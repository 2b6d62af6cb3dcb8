/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.List;

import io.github.rabbitretry.internal.doctor.Finding;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.doctor.TopologyReport;
import io.github.rabbitretry.internal.doctor.TopologyReport.QueueReport;
import io.github.rabbitretry.internal.doctor.TopologyReport.TypeReport;
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
				return Topology.of(report);
			}
			TopologyReport one = report.only(messageType);
			return one.messageTypes().isEmpty()
					? FailedRequest.unknown("There is no message type '%s'.".formatted(messageType)) : Topology.of(one);
		});
	}

	/**
	 * The answer.
	 *
	 * @param virtualHost the virtual host
	 * @param broker the broker's version, or {@code null} if it is not known
	 * @param examinedBy the source of the information
	 * @param at when
	 * @param messageTypes the topology of each message type
	 * @param shared the queues that message types share
	 * @param findings what is not as it should be, errors first
	 * @param unexamined what could not be examined, and why
	 */
	record Topology(String virtualHost, @Nullable String broker, String examinedBy, String at,
			List<TypeReport> messageTypes, List<QueueReport> shared, List<Finding> findings,
			List<String> unexamined) implements OperationResponseBody {

		static Topology of(TopologyReport report) {
			return new Topology(report.virtualHost(), report.broker(), report.examinedBy(), report.at(),
					report.messageTypes(), report.shared(), report.findings(), report.unexamined());
		}

	}

}
