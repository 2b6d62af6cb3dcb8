/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PortsTests {

	@Test
	void noTwoAreTheSameAndNoneIsGivenToOutgoingConnections() {
		Ports ports = Ports.choose();
		assertThat(Set
			.copyOf(Stream.of(ports.amqp(), ports.distribution(), ports.management(), ports.prometheus(), ports.epmd())
				.toList()))
			.hasSize(5)
			.allSatisfy((port) -> assertThat(port).isBetween(20000, 32000));
	}

	@Test
	void nodesOfOneClusterShareNothingButTheirEpmd() {
		List<Ports> ports = Ports.choose(3);
		assertThat(ports).hasSize(3).allMatch((node) -> node.epmd() == ports.get(0).epmd());
		assertThat(ports.stream()
			.flatMap((node) -> Stream.of(node.amqp(), node.distribution(), node.management(), node.prometheus())))
			.hasSize(12)
			.doesNotHaveDuplicates()
			.doesNotContain(ports.get(0).epmd());
	}

}
