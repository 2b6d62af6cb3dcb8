/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StatesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			CANARY   | RUNNING PAUSED STOPPED ABORTED
			RUNNING  | PAUSED STOPPED ABORTED FINISHED INCOMPLETE
			PAUSED   | CANARY RUNNING ABORTED
			STOPPED  | ''
			ABORTED  | ''
			FINISHED | ''
			INCOMPLETE | ''
			""")
	void aJobGoesFromStateToState(ReplayJob.State from, String next) {
		assertThat(Arrays.stream(ReplayJob.State.values()).filter(from::canBecome))
			.containsExactlyInAnyOrderElementsOf(all(ReplayJob.State.class, next));
		assertThat(from.active()).isEqualTo(!next.isEmpty());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SELECTED     | CLAIMED SKIPPED
			CLAIMED      | SELECTED PUBLISHED UNCERTAIN SUCCEEDED PARKED_AGAIN DISCARDED FAILED
			PUBLISHED    | SUCCEEDED PARKED_AGAIN DISCARDED
			UNCERTAIN    | RESTORED SUCCEEDED PARKED_AGAIN DISCARDED
			RESTORED     | SUCCEEDED PARKED_AGAIN DISCARDED
			SUCCEEDED    | PARKED_AGAIN
			DISCARDED    | PARKED_AGAIN
			PARKED_AGAIN | ''
			SKIPPED      | ''
			FAILED       | ''
			""")
	void aMessageGoesFromStateToState(ReplayItem.State from, String next) {
		assertThat(Arrays.stream(ReplayItem.State.values()).filter(from::canBecome))
			.containsExactlyInAnyOrderElementsOf(all(ReplayItem.State.class, next));
	}

	private static <E extends Enum<E>> Set<E> all(Class<E> type, String names) {
		Set<E> all = EnumSet.noneOf(type);
		Arrays.stream(names.split(" "))
			.filter((name) -> !name.isEmpty())
			.forEach((name) -> all.add(Enum.valueOf(type, name)));
		return all;
	}

}
