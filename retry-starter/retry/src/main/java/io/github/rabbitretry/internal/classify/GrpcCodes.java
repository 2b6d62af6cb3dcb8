/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What a gRPC status code says. {@code UNKNOWN}, {@code INTERNAL}, {@code DATA_LOSS} and
 * {@code CANCELLED} say nothing about trying again.
 */
final class GrpcCodes {

	private GrpcCodes() {
	}

	static Optional<FailureClassification> read(Throwable failure) {
		return ReflectiveCall.read(failure, "getStatus", "getCode")
			.map(String::valueOf)
			.flatMap(GrpcCodes::classification);
	}

	static Optional<FailureClassification> classification(String code) {
		return switch (code) {
			case "DEADLINE_EXCEEDED" -> Optional.of(Classifications.TIMEOUT);
			case "UNAVAILABLE" -> Optional.of(Classifications.UNAVAILABLE);
			case "RESOURCE_EXHAUSTED" -> Optional.of(Classifications.RATE_LIMITED);
			case "ABORTED" -> Optional.of(Classifications.LOCK);
			case "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "FAILED_PRECONDITION",
					"OUT_OF_RANGE", "UNIMPLEMENTED", "UNAUTHENTICATED" ->
				Optional.of(Classifications.DOWNSTREAM_REJECTED);
			default -> Optional.empty();
		};
	}

}
