/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of what is done with several messages: which, how many, who and why.
 *
 * @param filter the filter
 * @param ids ids, separated by commas
 * @param all whether everything is meant, where neither a filter nor ids are given
 * @param maximum the most messages
 * @param expect how many messages there may be: a number or the token of a dry run
 * @param operator who and why
 */
record ActionArguments(FilterArguments filter, @Nullable CharSequence ids, boolean all, @Nullable Long maximum,
		@Nullable String expect, OperatorArguments operator) {

	/** Stands in for user and reason, which a dry run neither needs nor records. */
	private static final OperatorAction TRYING = new OperatorAction("dry-run", "DRY_RUN");

	/** No act takes more. */
	private static final long MOST = 100_000_000;

	/**
	 * Which messages are meant. Everything is only meant if that is said.
	 * @param bounded whether something else says already that not everything is meant
	 */
	Selection selection(boolean bounded) {
		Selection selection = new Selection(this.filter.filter(null), numbers());
		boolean unrestricted = selection.ids().isEmpty() && selection.filter().equals(ParkedFilter.ALL);
		if (unrestricted && !this.all && !bounded) {
			throw EndpointException
				.invalid("There is no filter and there are no ids. If all parked messages are meant, say all=true.");
		}
		return selection;
	}

	private List<Long> numbers() {
		List<Long> numbers = new ArrayList<>();
		if (this.ids != null && !this.ids.toString().isBlank()) {
			for (String part : this.ids.toString().split(",", -1)) {
				try {
					numbers.add(Long.valueOf(part.trim()));
				}
				catch (NumberFormatException ex) {
					throw EndpointException.invalid("'ids' is no list of numbers as 17,18,19.");
				}
			}
		}
		return numbers;
	}

	/**
	 * How many messages there may be.
	 * @param needed whether that has to be said
	 */
	@Nullable Expectation expected(boolean needed) {
		if (this.expect != null) {
			return Expectation.parse(this.expect.trim());
		}
		if (needed) {
			throw EndpointException
				.invalid("'expect' is missing: how many messages match at most? Give the number, or the token"
						+ " of a dry run.");
		}
		return null;
	}

	/**
	 * The most messages. Where it is not given, it is what is expected, or as many as are
	 * named.
	 * @param named how many messages are named, 0 for none
	 * @param expected how many there may be, {@code null} for any number
	 */
	long maximum(int named, @Nullable Expectation expected) {
		if (this.maximum != null) {
			return this.maximum;
		}
		long most = (expected != null) ? Math.max(1, Math.min(expected.count(), MOST)) : MOST;
		return (named > 0) ? Math.min(named, most) : most;
	}

	/** A dry run is not audited, and needs neither user nor reason. */
	OperatorAction act(EndpointRequest request, boolean dryRun) {
		if (!dryRun) {
			return this.operator.act(request);
		}
		if (this.operator.user() != null) {
			request.user(this.operator.user());
		}
		return TRYING;
	}

	/**
	 * Who does something, and why.
	 *
	 * @param user who, unless that is known
	 * @param because why
	 */
	record OperatorArguments(@Nullable String user, @Nullable String because) {

		OperatorAction act(EndpointRequest request) {
			return new OperatorAction(request.user(this.user), EndpointRequest.required("because", this.because));
		}

	}

}
