/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service that has never started has one problem, not hundreds.
 */
class NothingDeclaredTests {

	private final LiveTestBroker broker = new LiveTestBroker(
			ExpectedTopology.of(TestTypes.application(BrokenBroker.types(), true), LiveTestBroker.USER));

	private List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		TopologyDoctor.CHECKS.forEach((examination) -> findings.addAll(this.broker.examine(examination)));
		return NothingDeclared.condense(findings, this.broker.expected);
	}

	@Test
	void anEmptyVirtualHostHasOneFindingAboutAllThatIsMissing() {
		int queues = this.broker.queues.size();
		int exchanges = this.broker.exchanges.size();
		this.broker.queues.clear();
		this.broker.exchanges.clear();
		this.broker.bindings.clear();
		assertThat(findings()).extracting(Finding::code)
			.contains("nothing-declared")
			.doesNotContain("queue-missing", "exchange-missing");
		assertThat(findings().get(0)).satisfies((finding) -> {
			assertThat(finding.fact())
				.contains("%d queues and %d exchanges of 4 message types".formatted(queues - 1, exchanges));
			assertThat(finding.commands()).anyMatch((command) -> command.startsWith("rabbit-retry export definitions"));
			assertThat(finding.affected()).hasSize(queues - 1 + exchanges).contains("order.dlq", "order.dlx");
		});
	}

	@Test
	void theLadderOfOtherServicesIsNotThisOnes() {
		this.broker.queues.keySet().removeIf((name) -> !DelayLadder.hasExchange(name));
		assertThat(findings()).extracting(Finding::code)
			.contains("nothing-declared")
			.doesNotContain("queue-missing", "exchange-missing");
	}

	@Test
	void whatIsMissingBesideOthersIsNamed() {
		this.broker.queues.clear();
		this.broker.queue("order.dlq", "quorum", 0, Map.of());
		assertThat(findings()).extracting(Finding::code).contains("queue-missing").doesNotContain("nothing-declared");
	}

}
