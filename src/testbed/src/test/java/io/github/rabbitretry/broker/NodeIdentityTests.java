/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeIdentityTests {

	@Test
	void nodesOfAClusterKnowEachOtherAndOneStartsTheirEpmd() {
		List<NodeIdentity> nodes = NodeIdentity.cluster(3);
		assertThat(nodes.stream().map(NodeIdentity::startsEpmd)).containsExactly(true, false, false);
		assertThat(nodes.stream().map(NodeIdentity::name)).doesNotHaveDuplicates();
		assertThat(nodes.stream().map(NodeIdentity::cookie).distinct()).hasSize(1);
		assertThat(nodes).allSatisfy((node) -> assertThat(nodes)
			.allSatisfy((other) -> assertThat(node.configuration()).contains(" = " + other.name() + "\n")));
	}

	@Test
	void aSingleNodeIsToldOfNoOther() {
		assertThat(NodeIdentity.single().configuration()).isEmpty();
		assertThat(NodeIdentity.single().cookie()).isNotEqualTo(NodeIdentity.single().cookie());
	}

}
