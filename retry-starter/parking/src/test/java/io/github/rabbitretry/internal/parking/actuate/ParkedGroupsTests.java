/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedGroupsTests {

	@Test
	void aVersionThatParkedNothingIsTold() {
		Ledger ledger = new NothingNewLedger();
		assertThat(EndpointResponse.Groups.newSince(ledger, ParkedFilter.ALL, "shop:1", 10).note()).isNull();
		EndpointResponse.Groups unknown = EndpointResponse.Groups.newSince(ledger, ParkedFilter.ALL, "shop:0", 10);
		assertThat(unknown.groups()).isEmpty();
		assertThat(unknown.note()).contains("'shop:0'", "no such version");
	}

	/**
	 * Knows one message, of version shop:1.
	 */
	private static final class NothingNewLedger implements Ledger {

		@Override
		public ParkedPage search(ParkedFilter filter, ParkedPage.Order order, ParkedPage.@Nullable PageKey after,
				int size) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long count(ParkedFilter filter) {
			return filter.equals(ParkedFilter.ALL.withHandlerVersion("shop:1")) ? 1 : 0;
		}

		@Override
		public Optional<ParkedMessage> find(long id) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<ParkedMessage> find(Collection<Long> ids) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<FailureGroup> groups(ParkedFilter filter, int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<FailureGroup> groupsNewSince(ParkedFilter filter, String handlerVersion, int limit) {
			return List.of();
		}

		@Override
		public List<FailureGroup.Total> totals(ParkedFilter filter, FailureGroup.Attribute attribute, int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<FailureGroup.Trend> trends(ParkedFilter filter, List<FailureGroup> groups) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<FailureCause> causes(Collection<String> ids) {
			throw new UnsupportedOperationException();
		}

	}

}
