/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.doctor.TopologyReport.QueueReport;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;

import org.springframework.util.StringUtils;

/**
 * What can be checked over AMQP alone: whether our queues and exchanges are there and
 * declared alike, as far as permissions go, and how many messages are ready. RabbitMQ
 * logs each refusal as an error.
 */
final class AmqpCheck {

	private AmqpCheck() {
	}

	static Result examine(ExpectedTopology expected, BrokerAccess broker) {
		BrokerAccess.Answer answer = broker.verify(expected.parts());
		List<Finding> findings = answer.problems().stream().map(AmqpCheck::finding).toList();
		List<String> unexamined = new ArrayList<>();
		if (answer.depths().size() < expected.queues().size() && findings.isEmpty()) {
			unexamined.add("%s queues, which user '%s' may not look at"
				.formatted(expected.queues().size() - answer.depths().size(), expected.username()));
		}
		return new Result(broker.virtualHost(), findings, answer.depths(), unexamined);
	}

	private static Finding finding(TopologyProblem problem) {
		FindingCode code = FindingCode.QUEUE_WRONG;
		if (problem.problem().startsWith("it does not exist")) {
			code = problem.what().startsWith("exchange") ? FindingCode.EXCHANGE_MISSING : FindingCode.QUEUE_MISSING;
		}
		else if (problem.problem().startsWith("it is not available")) {
			code = FindingCode.QUEUE_UNAVAILABLE;
		}
		else if (problem.problem().startsWith("this user may not")) {
			code = FindingCode.PERMISSION_MISSING;
		}
		String fact = StringUtils.capitalize(problem.what()) + ": " + problem.problem() + ".";
		return code.of(problem.what().replaceAll("^(queue|exchange) '(.*)'$", "$2"), fact, problem.remedy(), List.of());
	}

	/**
	 * The result of a check over AMQP.
	 */
	record Result(String virtualHost, List<Finding> findings, Map<String, BrokerAccess.QueueDepth> depths,
			List<String> unexamined) {

		QueueReport report(QueueDefinition model) {
			BrokerAccess.QueueDepth depth = this.depths.get(model.name());
			return new QueueReport(model.name(), TopologyDoctor.label(model.role()), TopologyDoctor.label(model.type()),
					model.existing(), model.arguments(), (depth != null) ? (Boolean) true : null, null,
					(depth != null) ? (Long) depth.ready() : null, null,
					(depth != null) ? (Integer) depth.consumers() : null, null);
		}

	}

}
