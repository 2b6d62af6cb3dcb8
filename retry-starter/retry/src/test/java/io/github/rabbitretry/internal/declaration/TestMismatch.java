/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.policy.MessagePolicies;

/**
 * Makes the exception that a broker with another topology leads to.
 */
public final class TestMismatch {

	private TestMismatch() {
	}

	/**
	 * What a broker refused.
	 * @param codes its reply codes, one for each queue
	 * @param text its reply text
	 * @return the exception
	 */
	public static TopologyMismatchException of(List<Integer> codes, String text) {
		return TopologyMismatchException.ofBroker(IntStream.range(0, codes.size())
			.mapToObj((index) -> TopologyProblem.refused("queue 'order.%d'".formatted(index), codes.get(index), text))
			.toList(), new OtherNames(new MessagePolicies(List.of())));
	}

}
