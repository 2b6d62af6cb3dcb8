/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WithheldQueuesTests {

	private final ManagementClient management = new ManagementClient(
			new ManagementSettings("http://127.0.0.1:15672", "user", "secret", "/", null));

	private final List<Set<String>> told = new ArrayList<>();

	private long seconds;

	private final WithheldQueues withheld = new WithheldQueues(this.told::add, new BringBackCommand(List.of()),
			() -> Duration.ofSeconds(this.seconds).toNanos());

	@Test
	void aQueueIsUsedAgainTenSecondsAfterItWasFirstFoundRight() {
		assertThat(look(0)).isEmpty();
		assertThat(look(1, "a", "b")).containsExactlyInAnyOrder("a", "b");
		assertThat(look(5, "b")).containsExactlyInAnyOrder("a", "b");
		assertThat(look(14)).containsExactlyInAnyOrder("a", "b");
		assertThat(look(15)).containsExactly("b");
		assertThat(look(16, "a")).containsExactlyInAnyOrder("a", "b");
		assertThat(look(24)).containsExactly("a");
		assertThat(look(33)).containsExactly("a");
		assertThat(look(34)).isEmpty();
	}

	@Test
	void aQueueThatIsRightAtTheFirstLookForALongTimeIsNotUsedAtOnce() {
		look(0, "a");
		assertThat(look(11)).as("its policy may have come a moment ago").containsExactly("a");
		assertThat(look(22)).isEmpty();
	}

	private Set<String> look(long at, String... noWayBack) {
		this.seconds = at;
		this.withheld.found(Set.of(noWayBack), this.management);
		return this.told.get(this.told.size() - 1);
	}

}
