/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.time.Duration;

class GatewayException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String code;

	GatewayException(String code) {
		super(code);
		this.code = code;
	}

	String code() {
		return this.code;
	}

	Duration retryAfter() {
		return Duration.ofSeconds(30);
	}

}
