/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.permission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PermissionPatternTests {

	private static final List<String> OTHERS = List.of("border", "order", "orders.dlx", "amq.default", "acme", "",
			"acme-commerce.payment-settlement.archive-order", "rabbit-retry.delay.v2",
			"acme-commerce.payment-settlement.archive-order-command.v1.audit");

	@Test
	void fewNamesAreMatchedExactly() {
		Pattern pattern = Pattern.compile(
				PermissionPattern.of(Set.of("order", "order.dlx"), List.of(TestTypes.of(TestPolicy.order().build()))));
		assertThat(pattern.matcher("order.dlx").find()).isTrue();
		assertThat(pattern.matcher("order.dlq").find()).isFalse();
	}

	@Test
	void namesOfTwentyTypesThatEndAlikeAreMatchedExactly() {
		List<TypeTopology> policies = longNames().map((name) -> policy(name, 1)).toList();
		Collection<String> names = NeededPermissions.working(policies, true, true).read();
		Pattern pattern = fitting(PermissionPattern.of(names, policies));
		assertThat(names).hasSize(60).allMatch((name) -> pattern.matcher(name).find());
		assertThat(OTHERS).noneMatch((name) -> pattern.matcher(name).find());
		assertThat(policies).noneMatch((policy) -> pattern.matcher(policy.queue() + ".retry").find());
	}

	@Test
	void namesOfTwentyTypesWithDelaysOfTheirOwnGetTheEndsOfEachOther() {
		int[] delay = { 1 };
		List<TypeTopology> policies = longNames().map((name) -> policy(name, delay[0]++)).toList();
		NeededPermissions declaring = NeededPermissions.declaring(policies);
		for (Collection<String> names : List.of(declaring.configure(), declaring.write(), declaring.read(),
				NeededPermissions.seeing(policies).write())) {
			Pattern pattern = fitting(PermissionPattern.of(names, policies));
			assertThat(names).allMatch((name) -> pattern.matcher(name).find());
			assertThat(OTHERS).noneMatch((name) -> pattern.matcher(name).find());
		}
	}

	@Test
	void namesThatHaveNothingInCommonMakeAPatternThatIsTooLong() {
		List<String> names = IntStream.range(0, 40)
			.mapToObj((number) -> (number * 7919) + "-".repeat(30) + number)
			.toList();
		List<String> unlike = new ArrayList<>(names);
		unlike.replaceAll((name) -> name + Integer.toHexString(name.hashCode()));
		assertThat(PermissionPattern.fits(PermissionPattern.of(unlike, List.of()))).isFalse();
	}

	@Test
	void whatIsAddedToAPatternIsAsShortAsItHasToBe() {
		List<TypeTopology> policies = longNames().limit(3).map((name) -> policy(name, 1)).toList();
		Collection<String> names = NeededPermissions.working(policies, true, true).read();
		String exact = PermissionPattern.of(names, policies);
		String before = "x".repeat(PermissionPattern.LONGEST - exact.length()) + "|";
		String text = PermissionPattern.after(before, names, policies);
		assertThat(text).startsWith(before).doesNotEndWith(exact);
		Pattern pattern = fitting(text);
		assertThat(names).allMatch((name) -> pattern.matcher(name).find());
	}

	@Test
	void noNamesAreNothing() {
		assertThat(PermissionPattern.of(Set.of(), List.of())).isEqualTo("^$");
	}

	private static Stream<String> longNames() {
		return Stream.of("customer-relationship", "warehouse-management", "payment-settlement", "shipment-tracking")
			.flatMap((domain) -> Stream.of("create", "cancel", "confirm", "reschedule", "archive")
				.map((verb) -> "acme-commerce.%s.%s-order-command.v1".formatted(domain, verb)));
	}

	private static TypeTopology policy(String queue, int seconds) {
		return TestTypes
			.of(TestPolicy.named(queue).queue(queue).backoff(Backoff.fixed(Duration.ofSeconds(seconds))).build());
	}

	private static Pattern fitting(String pattern) {
		assertThat(PermissionPattern.fits(pattern)).as("%d: %s", pattern.length(), pattern).isTrue();
		return Pattern.compile(pattern);
	}

}
