/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("alone")
class BrokerClusterIntegrationTests {

	private static final String QUORUM = "{\"durable\":true,\"arguments\":{\"x-queue-type\":\"quorum\"}}";

	@Test
	void threeNodesFormOneClusterThatSurvivesTheLossOfOne() {
		List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
		try (BrokerCluster cluster = BrokerCluster.start(3)) {
			assertThat(cluster.nodes()).hasSize(3).allSatisfy((node) -> assertThat(answers(node)).isTrue());
			assertThat(cluster.addresses().split(",")).hasSize(3)
				.allMatch((address) -> address.startsWith("127.0.0.1:"));
			BrokerNode first = cluster.nodes().get(0);
			first.management().put("/api/queues/%2F/shared", QUORUM);
			BrokerNode leader = cluster.leaderOf("shared");
			leader.kill();
			assertThat(leader.answers()).isFalse();
			assertThat(answers(leader)).isFalse();
			assertThat(cluster.leaderOf("shared")).isNotSameAs(leader);
			leader.startAgain();
			assertThat(leader.ctl("-q", "--no-table-headers", "list_queues", "name")).contains("shared");
			freeze(cluster);
			stopAndStartAgain(cluster);
			cluster.killAll();
			assertThatIllegalStateException().isThrownBy(cluster::anyNode)
				.withMessage("No node of the cluster answers");
			cluster.startAllAgain();
			assertThat(cluster.leaderOf("shared").answers()).isTrue();
		}
		assertThat(becomes(() -> ProcessHandle.current().descendants().allMatch(before::contains))).isTrue();
	}

	private static void freeze(BrokerCluster cluster) {
		BrokerNode leader = cluster.leaderOf("shared");
		leader.freeze();
		assertThat(leader.answers()).isFalse();
		assertThat(cluster.anyNode()).isNotSameAs(leader);
		assertThat(answers(leader)).isFalse();
		leader.unfreeze();
		assertThat(becomes(() -> answers(leader))).isTrue();
	}

	private static void stopAndStartAgain(BrokerCluster cluster) {
		BrokerNode last = cluster.nodes().get(2);
		last.stop();
		last.stop();
		assertThat(last.answers()).isFalse();
		assertThatIllegalStateException().isThrownBy(last::freeze).withMessageContaining("the node does not run");
		last.startAgain();
		assertThat(answers(last)).isTrue();
		assertThat(cluster.anyNode().ctl("-q", "eval", "length(rabbit_nodes:list_running()).").strip()).isEqualTo("3");
	}

	private static boolean answers(Broker broker) {
		try {
			AmqpGreeting.version(AmqpAddress.parse(broker.amqpUri().toString()), Duration.ofSeconds(2));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static boolean becomes(BooleanSupplier condition) {
		long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
		return true;
	}

}
