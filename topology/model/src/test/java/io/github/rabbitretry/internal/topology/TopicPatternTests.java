/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TopicPatternTests {

	@ParameterizedTest
	@CsvSource({ "order.create, order.create, true", "order.create, order.cancel, false", "order.*, order.create, true",
			"order.*, order, false", "order.*, order.create.now, false", "order.#, order, true",
			"order.#, order.create.now, true", "#.now, order.create.now, true", "#.now, order.create, false",
			"#, order.create, true", "*.create.#, order.create, true", "#.#, order, true", "order.create, order, false",
			"#, '', true", "*, '', false", "a..b, a..b, true",
			"#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.x, a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t, false" })
	void matchesAsATopicExchangeDoes(String pattern, String key, boolean matches) {
		assertThat(TopicPattern.matches(pattern, key)).isEqualTo(matches);
	}

}
