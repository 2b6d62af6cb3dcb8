/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.time.Duration;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.ReplayReference;

class Notifications implements DeliveryListener {

	private final Pager pager;

	Notifications(Pager pager) {
		this.pager = pager;
	}

	@Override
	public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
		if (age.toHours() > 1) {
			this.pager.tell("retries", "%s: %s since %s".formatted(messageType, reason, age));
		}
	}

	@Override
	public void escalated(EscalatedMessage message) {
		this.pager.tell(message.owner(),
				"%s failed %d times: %s".formatted(message.messageId(), message.attempt(), message.reason()));
	}

	@Override
	public void outageBegan(Outage outage) {
		this.pager.tell("outages", "%s is down, %s wait".formatted(outage.dependency(), outage.messageTypes()));
	}

	@Override
	public void replayEnded(String messageType, ReplayReference replay, ReplayReference.Outcome outcome) {
		if (outcome != ReplayReference.Outcome.SUCCEEDED) {
			this.pager.tell("replays", "%s of replay %s: %s".formatted(replay.item(), replay.replayId(), outcome));
		}
	}

}
