/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests in a browser. None of them may leave an error in its log, or do what the headers
 * of the page forbid.
 */
abstract class InBrowser {

	final Browser browser = Browser.shared();

	private final List<String> expected = new ArrayList<>();

	@BeforeEach
	void forgetAll() {
		this.browser.forgetAll();
	}

	/** A refusal, which the browser logs as an error whatever the page makes of it. */
	final void expectLogged(String part) {
		this.expected.add(part);
	}

	@AfterEach
	final void nothingWentWrong() {
		assertThat(this.browser.mistakes()).filteredOn((mistake) -> this.expected.stream().noneMatch(mistake::contains))
			.isEmpty();
	}

}
