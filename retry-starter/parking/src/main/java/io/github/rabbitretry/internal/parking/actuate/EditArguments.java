/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.EditRequest;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an edit.
 *
 * @param id which message
 * @param body the new body as text
 * @param bodyBase64 the new body as bytes
 * @param header headers; one with an empty value is removed
 * @param operator who and why
 * @param takeReserved whether it is meant too if a replay has selected it
 */
record EditArguments(@Nullable Long id, @Nullable CharSequence body, byte @Nullable [] bodyBase64,
		Map<String, Object> header, ActionArguments.OperatorArguments operator, boolean takeReserved) {

	EditRequest edit(EndpointRequest request) {
		if (this.id == null) {
			throw EndpointException.invalid("'id' is missing: which message?");
		}
		if (this.body != null && this.bodyBase64 != null) {
			throw EndpointException.invalid("There are 'body' and 'bodyBase64'. Give one of them.");
		}
		Map<String, Object> set = new LinkedHashMap<>(this.header);
		set.values().removeIf(""::equals);
		Set<String> removed = new LinkedHashSet<>(this.header.keySet());
		removed.removeAll(set.keySet());
		return new EditRequest(this.id,
				(this.body != null) ? this.body.toString().getBytes(StandardCharsets.UTF_8) : this.bodyBase64, set,
				removed, this.operator.act(request), this.takeReserved);
	}

}
