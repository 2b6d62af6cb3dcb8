/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.util.List;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedMessageListener;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;

class ParkedOrders implements ParkedMessageListener {

	private final Ledger ledger;

	private final Pager pager;

	ParkedOrders(Ledger ledger, Pager pager) {
		this.ledger = ledger;
		this.pager = pager;
	}

	@Override
	public void parked(ParkedMessage message) {
		ParkedSummary summary = message.summary();
		FailureCause cause = summary.cause();
		this.pager.tell(summary.owner(),
				"%s parked: %s".formatted(summary.messageId(), (cause != null) ? cause.text() : summary.reason()));
	}

	void report(String owner) {
		ParkedFilter filter = ParkedFilter.ALL.withOwner(owner).withState(ParkedState.PARKED);
		List<FailureGroup> groups = this.ledger.groups(filter, 20);
		ParkedPage newest = this.ledger.search(filter, null, 50);
		long replayable = newest.messages().stream().filter((one) -> one.payload() == PayloadState.WHOLE).count();
		this.pager.tell(owner, "%d causes; of the newest %d parked messages %d can be replayed".formatted(groups.size(),
				newest.messages().size(), replayable));
	}

}
