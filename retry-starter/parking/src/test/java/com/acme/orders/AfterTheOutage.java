/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;

class AfterTheOutage {

	private static final OperatorAction WHO_AND_WHY = new OperatorAction("night-job", "the gateway is back");

	private final ReplayService replays;

	private final ParkedMessageService parked;

	private final AuditLog audit;

	AfterTheOutage(ReplayService replays, ParkedMessageService parked, AuditLog audit) {
		this.replays = replays;
		this.parked = parked;
		this.audit = audit;
	}

	ReplayJob replay() {
		Selection timeouts = Selection.of(ParkedFilter.ALL.withReason("DOWNSTREAM_TIMEOUT"));
		ReplayRequest request = new ReplayRequest(timeouts,
				ReplayOptions.careful(10_000).withCanary(5, Duration.ofMinutes(1)), WHO_AND_WHY);
		DryRun dryRun = this.replays.dryRun(request);
		Preview preview = dryRun.preview();
		return this.replays.start(request.withExpected(Expectation.parse(preview.token())));
	}

	List<ReplayItem> failed(ReplayJob job) {
		return this.replays.items(job.id(), ReplayItem.State.PARKED_AGAIN, 0, 100);
	}

	void discardAndRestore(Selection duplicates) {
		Discarded discarded = this.parked.discard(new DiscardRequest(duplicates, 1000, false, WHO_AND_WHY));
		this.parked.restore(new RestoreRequest(duplicates, discarded.auditId(), 1000, false, WHO_AND_WHY, null));
	}

	ReplayJob repair(long id, byte[] body) {
		ParkedMessageService.Removal removal = this.parked.removal(id);
		if (removal.replayId() != null) {
			throw new IllegalStateException("replay %s has it".formatted(removal.replayId()));
		}
		try {
			return this.parked
				.editAndReplay(new EditRequest(id, body, Map.of("currency", "EUR"), Set.of(), WHO_AND_WHY));
		}
		catch (ReplayRefusedException ex) {
			throw new IllegalStateException("not repaired: " + ex.getMessage(), ex);
		}
	}

	List<AuditEntry> whatWasDone(ReplayJob job) {
		return this.audit.entries(AuditFilter.of(job.id()), null, 50);
	}

}
