/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.QueueDefinition;

/**
 * Where nothing of a service is declared, as in a new virtual host, one finding says so
 * instead of one for each queue and exchange.
 */
final class NothingDeclared {

	private static final Set<String> MISSING = Set.of(FindingCode.QUEUE_MISSING.code(),
			FindingCode.EXCHANGE_MISSING.code());

	private NothingDeclared() {
	}

	/**
	 * Puts one finding in the place of those about what is missing, if all is missing.
	 * @param findings what was found
	 * @param expected what message policies expect
	 * @return the finding
	 */
	static List<Finding> condense(List<Finding> findings, ExpectedTopology expected) {
		Set<String> queues = missing(findings, FindingCode.QUEUE_MISSING);
		// others may have declared the ladder
		Set<String> own = expected.parts()
			.queues()
			.stream()
			.filter((queue) -> !queue.existing() && !DelayLadder.hasExchange(queue.name()))
			.map(QueueDefinition::name)
			.collect(Collectors.toSet());
		if (own.isEmpty() || !queues.containsAll(own)) {
			return findings;
		}
		List<Finding> condensed = new ArrayList<>();
		condensed.add(nothing(findings.stream().filter(NothingDeclared::isMissing).map(Finding::subject).toList(),
				queues.size(), missing(findings, FindingCode.EXCHANGE_MISSING).size(), expected));
		findings.stream().filter((finding) -> !isMissing(finding)).forEach(condensed::add);
		return condensed;
	}

	private static Set<String> missing(List<Finding> findings, FindingCode code) {
		return findings.stream()
			.filter((finding) -> finding.code().equals(code.code()))
			.map(Finding::subject)
			.collect(Collectors.toSet());
	}

	private static boolean isMissing(Finding finding) {
		return MISSING.contains(finding.code());
	}

	private static Finding nothing(List<String> names, int queues, int exchanges, ExpectedTopology expected) {
		return FindingCode.NOTHING_DECLARED.of("topology",
				"Nothing of this service is declared: %s queues and %s exchanges of %s message types are missing."
					.formatted(queues, exchanges, expected.types().size()),
				"Start the service once with rabbit-retry.topology.mode: declare, or import what it needs. If it runs already, ask about the virtual host that it uses.",
				List.of("rabbit-retry export definitions --config application.yml > definitions.json",
						"rabbitmqctl import_definitions definitions.json"))
			.affecting(names);
	}

}
