/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExceptionMappingsTests {

	private static final ExceptionMappings.Mapping BY_INTERFACE = new ExceptionMappings.Mapping(
			ExceptionMappings.Reading.nothing(), false);

	private static final ExceptionMappings.Mapping BY_SUPERCLASS = new ExceptionMappings.Mapping(
			ExceptionMappings.Reading.nothing(), true);

	private final ExceptionMappings known = new ExceptionMappings(
			Map.of(Gone.class.getName(), BY_INTERFACE, "java.lang.RuntimeException", BY_SUPERCLASS));

	@Test
	void anInterfaceOfTheClassIsNearerThanItsSuperclass() {
		assertThat(this.known.about(new OrderGone())).contains(BY_INTERFACE);
	}

	@Test
	void anInterfaceOfASuperclassIsFoundToo() {
		assertThat(this.known.about(new OrderGone() {
		})).contains(BY_INTERFACE);
	}

	@Test
	void aSuperclassIsFound() {
		assertThat(this.known.about(new IllegalStateException())).contains(BY_SUPERCLASS);
	}

	@Test
	void aStrangerIsNotFound() {
		assertThat(this.known.about(new Exception())).isEmpty();
	}

	interface Gone {

	}

	interface LongGone extends Gone {

	}

	static class OrderGone extends RuntimeException implements LongGone {

	}

}
