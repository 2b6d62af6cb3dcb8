/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyDiagramTests {

	@Test
	void drawsEveryQueueExchangeBindingAndDeath() {
		String mermaid = TopologyDiagram.mermaid(MessageTopology.of("q")
			.boundTo("orders", List.of("k"))
			.delays(List.of(Duration.ofSeconds(10)))
			.build());
		assertThat(mermaid.lines()).containsExactly("flowchart LR", "  x0{{\"orders (topic)\"}}",
				"  x1{{\"q.retry (direct)\"}}", "  x2{{\"q.dlx (direct)\"}}", "  q0[(\"q.parking-lot\")]",
				"  q1[(\"q.undeliverable\")]", "  q2[(\"q.dlq\")]", "  q3[(\"q\")]", "  q4[(\"q.retry.10s\")]",
				"  x2 -->|\"q.parking-lot\"| q0", "  x2 -->|\"q.dlq\"| q2", "  x2 -->|\"q.undeliverable\"| q1",
				"  x1 -->|\"q\"| q3", "  x1 -->|\"q.retry.10s\"| q4", "  x0 -->|\"k\"| q3",
				"  q2 -.->|\"given up by the broker\"| x2", "  q3 -.->|\"given up by the broker\"| x2",
				"  q4 -.->|\"after 10000 ms\"| x1");
	}

	@Test
	void drawsALadderAsOneNode() {
		assertThat(TopologyDiagram.mermaid(MessageTopology.of("q").ring(RetryQueueScope.SHARED).build()).lines())
			.containsExactly("flowchart LR", "  x0{{\"q.dlx (direct)\"}}", "  q0[(\"q.parking-lot\")]",
					"  q1[(\"q.undeliverable\")]", "  q2[(\"q.dlq\")]", "  q3[(\"q\")]",
					"  x0 -->|\"q.parking-lot\"| q0", "  x0 -->|\"q.dlq\"| q2", "  x0 -->|\"q.undeliverable\"| q1",
					"  q2 -.->|\"given up by the broker\"| x0", "  q3 -.->|\"given up by the broker\"| x0",
					"  l0[[\"rabbit-retry.delay.250ms to .524288s\"]]", "  l0 -.->|\"after any delay\"| q3");
	}

	@Test
	void isWhatTheDocumentationShows() throws IOException {
		MessageTopology topology = MessageTopology.of("order.command.create")
			.boundTo("order.command", List.of())
			.delays(List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(6),
					Duration.ofMinutes(30)))
			.longestDelay(Duration.ofHours(2))
			.quarantine(true)
			.build();
		assertThat(Files.readString(Path.of("..", "src", "docs", "how-it-works.md")))
			.contains("```mermaid\n" + TopologyDiagram.mermaid(topology) + "```");
	}

}
