/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DemoOptionsTests {

	@Test
	void tenThousandOrdersAreTheDefault() {
		assertThat(DemoOptions.parse(List.of())).isEqualTo(new DemoOptions(10_000, false, false, false, false));
	}

	@Test
	void optionsCanBeCombined() {
		assertThat(DemoOptions.parse(List.of("--keep", "--orders", "500")))
			.isEqualTo(new DemoOptions(500, true, false, false, false));
		assertThat(DemoOptions.parse(List.of("--orders=500", "--help")))
			.isEqualTo(new DemoOptions(500, false, false, false, true));
		assertThat(DemoOptions.parse(List.of("--least-privilege", "--orders=500")))
			.isEqualTo(new DemoOptions(500, false, false, true, false));
	}

	@Test
	void handsOnRunsUntilItIsStopped() {
		assertThat(DemoOptions.parse(List.of("--hands-on")))
			.isEqualTo(new DemoOptions(10_000, true, true, false, false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "many", "19", "-1", "" })
	void aNumberOfOrdersThatCanNotBeIsRefused(String orders) {
		assertThatIllegalArgumentException().isThrownBy(() -> DemoOptions.parse(List.of("--orders", orders)))
			.withMessage("--orders is '%s', but must be a number from 20", orders);
	}

	@Test
	void ordersNeedANumber() {
		assertThatIllegalArgumentException().isThrownBy(() -> DemoOptions.parse(List.of("--orders")))
			.withMessage("--orders needs a number");
	}

	@Test
	void anUnknownOptionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> DemoOptions.parse(List.of("--fast")))
			.withMessage("unknown option '--fast'");
	}

}
