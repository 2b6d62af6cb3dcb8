/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.PayloadState;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * From arguments to filters. The names are those of the messages' own fields.
 */
final class FilterArguments {

	private static final List<String> CLASSES = Arrays.stream(FailureClass.values()).map(FailureClass::label).toList();

	private FilterArguments() {
	}

	/**
	 * The filter of a search: of what is still parked, unless another state is asked for.
	 * @param request the request
	 * @return the filter
	 */
	static ParkedFilter search(EndpointRequest request) {
		String state = request.text("state");
		if (state == null) {
			return filter(request, ParkedState.PARKED);
		}
		return filter(request, state.toUpperCase(Locale.ROOT).equals("ANY") ? null : state(request));
	}

	/**
	 * What something is to be done with. Everything is only meant if that is said.
	 * @param request the request
	 * @return the selection
	 */
	static Selection selection(EndpointRequest request) {
		return selection(request, false);
	}

	/**
	 * What something is to be done with.
	 * @param request the request
	 * @param bounded whether something else says already that not everything is meant
	 * @return the selection
	 */
	static Selection selection(EndpointRequest request, boolean bounded) {
		Selection selection = new Selection(filter(request, null), request.numbers("ids"));
		boolean all = request.flag("all");
		boolean unrestricted = selection.ids().isEmpty() && selection.filter().equals(ParkedFilter.ALL);
		if (unrestricted && !all && !bounded) {
			throw EndpointException
				.invalid("There is no filter and there are no ids. If all parked messages are meant, say all=true.");
		}
		return selection;
	}

	private static ParkedFilter filter(EndpointRequest request, @Nullable ParkedState state) {
		String failureClass = request.text("failureClass");
		if (failureClass != null && !CLASSES.contains(failureClass)) {
			throw EndpointException.invalid("'failureClass' is none of %s.".formatted(CLASSES));
		}
		return new ParkedFilter(request.text("queue"), request.text("messageType"), request.text("reason"),
				failureClass, request.text("fingerprint"), request.text("owner"), request.text("handlerVersion"),
				request.text("correlationId"), request.text("aggregateId"), request.text("messageId"),
				request.text("replayId"), state, request.oneOf("payloadState", PayloadState.class),
				request.instant("parkedFrom"), request.instant("parkedBefore"), request.text("cause"));
	}

	private static @Nullable ParkedState state(EndpointRequest request) {
		try {
			return request.oneOf("state", ParkedState.class);
		}
		catch (EndpointException ex) {
			throw EndpointException.invalid("'state' must be one of PARKED, REPLAYED, DISCARDED and ANY.");
		}
	}

}
