/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.net.SocketTimeoutException;
import java.time.Duration;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.topology.DelayRoute;

class WhatIf {

	private final RetryExplainer explainer;

	WhatIf(RetryExplainer explainer) {
		this.explainer = explainer;
	}

	String afterTwoAttempts() {
		Explanation explanation = this.explainer
			.explain(new FailedMessage("CreateOrder", new SocketTimeoutException()).atAttempt(2)
				.aged(Duration.ofMinutes(5)));
		if (explanation.decision() instanceof Decision.Retry retry) {
			DelayRoute first = explanation.waiting().routes().get(0);
			return "again after %s, by way of %s".formatted(retry.delay(), first.exchange());
		}
		return explanation.toString();
	}

}
