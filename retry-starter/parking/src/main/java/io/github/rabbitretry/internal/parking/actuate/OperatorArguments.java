/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;

/**
 * Who asks for something, and why.
 */
final class OperatorArguments {

	private OperatorArguments() {
	}

	static OperatorAction of(EndpointRequest request) {
		return new OperatorAction(request.user(), request.required("because"));
	}

}
