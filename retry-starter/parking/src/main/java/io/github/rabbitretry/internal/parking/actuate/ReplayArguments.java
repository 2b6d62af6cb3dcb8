/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.jspecify.annotations.Nullable;

/**
 * From arguments to how a replay goes about it. What is not set is careful.
 */
final class ReplayArguments {

	private ReplayArguments() {
	}

	/**
	 * How to go about it.
	 * @param request the request
	 * @param most how many messages at most, unless the request says it
	 * @return the options
	 */
	static ReplayOptions options(EndpointRequest request, long most) {
		Long maximum = request.number("maximum");
		ReplayOptions careful = ReplayOptions.careful((maximum != null) ? maximum : most);
		String asked = request.text("rate");
		Double rate = (asked != null) ? rate(request, asked) : null;
		boolean unlimited = asked != null && rate == null;
		Duration ramp = request.duration("ramp");
		Long canary = request.number("canary");
		Duration timeout = request.duration("canaryTimeout");
		Double abort = request.decimal("abortPercent");
		Long minimum = request.number("abortMinimum");
		String target = request.text("target");
		return new ReplayOptions(careful.maximum(), unlimited ? null : or(rate, careful.rate()),
				(ramp != null) ? ramp : unlimited ? Duration.ZERO : careful.ramp(),
				(canary != null) ? whole("canary", canary) : (target != null) ? 0 : careful.canary(),
				or(timeout, careful.canaryTimeout()), or(abort, careful.abortPercent()),
				(minimum != null) ? whole("abortMinimum", minimum) : careful.abortMinimum(), target);
	}

	/**
	 * A rate.
	 * @param request the request
	 * @param text what it says
	 * @return messages per second, or {@code null} for no limit
	 */
	static @Nullable Double rate(EndpointRequest request, String text) {
		return text.equals("unlimited") ? null : request.decimal("rate");
	}

	private static <T extends @Nullable Object> T or(@Nullable T value, T otherwise) {
		return (value != null) ? value : otherwise;
	}

	private static int whole(String name, long value) {
		if (value != (int) value) {
			throw EndpointException.invalid("'%s' is out of range.".formatted(name));
		}
		return (int) value;
	}

	static EditRequest edit(EndpointRequest request) {
		Long id = request.number("id");
		if (id == null) {
			throw EndpointException.invalid("'id' is missing: which message?");
		}
		byte[] body = body(request);
		Map<String, Object> set = new LinkedHashMap<>();
		Set<String> removed = new LinkedHashSet<>();
		request.prefixed("header.").forEach((name, value) -> {
			if (value.isEmpty()) {
				removed.add(name);
			}
			else {
				set.put(name, value);
			}
		});
		return new EditRequest(id, body, set, removed, OperatorArguments.of(request), request.flag("takeReserved"));
	}

	private static byte @Nullable [] body(EndpointRequest request) {
		String text = request.raw("body");
		String base64 = request.raw("bodyBase64");
		if (text != null && base64 != null) {
			throw EndpointException.invalid("There are 'body' and 'bodyBase64'. Give one of them.");
		}
		if (base64 == null) {
			return (text != null) ? text.getBytes(StandardCharsets.UTF_8) : null;
		}
		try {
			return Base64.getDecoder().decode(base64);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid("'bodyBase64' is no base64.");
		}
	}

}
