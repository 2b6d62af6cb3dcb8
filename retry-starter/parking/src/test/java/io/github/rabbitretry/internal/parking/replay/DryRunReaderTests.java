/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DryRunReaderTests {

	@Test
	void aTargetOnANodeThatIsDownIsNotCalledMissing() {
		assertThat(DryRunReader.missing("others", "NOT_FOUND - no queue 'others' in vhost '/'"))
			.startsWith("There is no queue 'others'");
		String down = "NOT_FOUND - home node 'rabbit@three' of durable queue 'others' in vhost '/' is down or inaccessible";
		assertThat(DryRunReader.missing("others", down)).isEqualTo("Queue 'others' is not available now: " + down);
	}

}
