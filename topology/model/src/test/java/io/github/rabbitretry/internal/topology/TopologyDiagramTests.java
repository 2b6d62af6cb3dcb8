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
				"  x1{{\"q.dlx (direct)\"}}", "  x2{{\"q.retry (direct)\"}}", "  q0[(\"q.parking-lot\")]",
				"  q1[(\"q.dlq\")]", "  q2[(\"q\")]", "  q3[(\"q.retry.10s\")]",
				"  u0[(\"rabbit-retry.delay.v1.unroutable\")]", "  l0[[\"rabbit-retry.delay.v1.*\"]]",
				"  x0 -->|\"k\"| q2", "  x1 -->|\"q.parking-lot\"| q0", "  x1 -->|\"q.dlq\"| q1",
				"  x1 -->|\"q.undeliverable\"| u0", "  x2 -->|\"q\"| q2", "  x2 -->|\"q.retry.10s\"| q3",
				"  l0 -->|\"after any other delay\"| q2", "  q1 -.->|\"given up by the broker\"| x1",
				"  q2 -.->|\"given up by the broker\"| x1", "  q3 -.->|\"after 10000 ms\"| x2",
				"  l0 -.->|\"the queue is not there\"| u0");
	}

	@Test
	void drawsTheLadderAsOneNode() {
		assertThat(TopologyDiagram.mermaid(MessageTopology.of("q").ring(RetryQueueScope.SHARED).build()).lines())
			.containsExactly("flowchart LR", "  x0{{\"q.dlx (direct)\"}}", "  x1{{\"q.retry (direct)\"}}",
					"  q0[(\"q.parking-lot\")]", "  q1[(\"q.dlq\")]", "  q2[(\"q\")]",
					"  u0[(\"rabbit-retry.delay.v1.unroutable\")]", "  l0[[\"rabbit-retry.delay.v1.*\"]]",
					"  x0 -->|\"q.parking-lot\"| q0", "  x0 -->|\"q.dlq\"| q1", "  x0 -->|\"q.undeliverable\"| u0",
					"  x1 -->|\"q\"| q2", "  l0 -->|\"after any delay\"| q2",
					"  q1 -.->|\"given up by the broker\"| x0", "  q2 -.->|\"given up by the broker\"| x0",
					"  l0 -.->|\"the queue is not there\"| u0");
	}

	@Test
	void drawsTheRandomTimeBeforeALevel() {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(Duration.ofSeconds(10)))
			.jittered(true)
			.build();
		assertThat(TopologyDiagram.mermaid(topology).lines()).contains("  l0 -->|\"after a random time\"| q3",
				"  l0 -->|\"after any other delay\"| q2");
	}

	@Test
	void isWhatTheDocumentationShows() throws IOException {
		MessageTopology topology = MessageTopology.of("order.command.create")
			.boundTo("order.command", List.of())
			.delays(List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(6),
					Duration.ofMinutes(30)))
			.quarantine(true)
			.build();
		assertThat(Files.readString(Path.of("..", "..", "src", "docs", "how-it-works.md")))
			.contains("```mermaid\n" + TopologyDiagram.mermaid(topology) + "```");
	}

}
