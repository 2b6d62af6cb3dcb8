/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.util.Locale;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoredJobTests {

	@Test
	void anIdIsReadAgainWhateverTheLocale() {
		Locale before = Locale.getDefault();
		Locale.setDefault(new Locale.Builder().setLanguage("ar").setRegion("EG").build());
		try {
			String id = StoredJob.replayId(17, Instant.parse("2026-11-28T10:15:30Z"));
			assertThat(id).isEqualTo("replay-20261128-17");
			assertThat(StoredJob.number(id)).hasValue(17);
		}
		finally {
			Locale.setDefault(before);
		}
	}

}
