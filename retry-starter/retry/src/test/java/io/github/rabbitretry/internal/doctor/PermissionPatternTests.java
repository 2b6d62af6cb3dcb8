/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PermissionPatternTests {

	private final MessagePolicies policies = new MessagePolicies(List.of(TestPolicy.order().build()));

	@Test
	void fewNamesAreMatchedExactly() {
		Pattern pattern = Pattern.compile(PermissionPattern.of(Set.of("order", "order.dlx"), this.policies));
		assertThat(pattern.matcher("order.dlx").find()).isTrue();
		assertThat(pattern.matcher("order.dlq").find()).isFalse();
	}

	@Test
	void manyNamesMakeNoPatternThatTheBrokerRefuses() {
		Set<String> names = IntStream.range(0, 300)
			.mapToObj((number) -> "order.retry." + number + "s")
			.collect(Collectors.toCollection(LinkedHashSet::new));
		names.add(DelayLadder.EXIT);
		names.add("orders");
		String text = PermissionPattern.of(names, this.policies);
		assertThat(PermissionPattern.fits(text)).isTrue();
		Pattern pattern = Pattern.compile(text);
		assertThat(names).allMatch((name) -> pattern.matcher(name).find());
		assertThat(List.of("border", "order2.dlq", "orders.dlq", "rabbit-retry.delay.v2"))
			.noneMatch((name) -> pattern.matcher(name).find());
	}

	@Test
	void noNamesAreNothing() {
		assertThat(PermissionPattern.of(Set.of(), this.policies)).isEqualTo("^$");
	}

}
