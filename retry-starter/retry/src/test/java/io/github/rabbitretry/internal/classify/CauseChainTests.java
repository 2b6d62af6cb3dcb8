/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.io.IOException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CauseChainTests {

	@Test
	void isTheFailureAndItsCausesOutermostFirst() {
		Exception inner = new IOException();
		Exception outer = new IllegalStateException(inner);
		assertThat(CauseChain.of(outer)).containsExactly(outer, inner);
		assertThat(CauseChain.root(outer)).isSameAs(inner);
		assertThat(CauseChain.root(inner)).isSameAs(inner);
		assertThat(CauseChain.find(outer, IOException.class)).containsSame((IOException) inner);
		assertThat(CauseChain.find(inner, IllegalStateException.class)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource
	void ends(Supplier<Throwable> failure) {
		assertThat(CauseChain.of(failure.get())).hasSizeBetween(1, CauseChain.MAX_DEPTH);
		assertThat(CauseChain.find(failure.get(), IOException.class)).isEmpty();
		assertThat(CauseChain.root(failure.get())).isNotNull();
		assertThat(FailureFingerprint.of(failure.get(), "Order")).hasSize(16);
	}

	static Stream<Supplier<Throwable>> ends() {
		return HostileThrowables.all();
	}

}
