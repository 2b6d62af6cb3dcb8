/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;
import java.util.UUID;

class H2MoveIntegrationTests extends MoveContract {

	@Override
	List<String> newDatabase() {
		return List.of("spring.datasource.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
	}

}
