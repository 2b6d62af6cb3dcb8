/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Finds parked messages. Every method queries the database and throws Spring's
 * {@code DataAccessException} on failure.
 */
public interface Ledger {

	/** The maximum number of messages in a page, and of groups. */
	int LARGEST_PAGE = 1000;

	/**
	 * Finds messages, last parked first.
	 * @param filter which ones
	 * @param after where the previous page ended, or {@code null} for the first one
	 * @param size the maximum number of messages, from 1 to {@value #LARGEST_PAGE}
	 * @return a page
	 * @throws IllegalArgumentException if the size is out of range
	 */
	default ParkedPage search(ParkedFilter filter, ParkedPage.@Nullable PageKey after, int size) {
		return search(filter, ParkedPage.Order.NEWEST_FIRST, after, size);
	}

	/**
	 * Finds messages.
	 * @param filter which ones
	 * @param order which of them come first
	 * @param after where the previous page in the same order ended, or {@code null} for
	 * the first one
	 * @param size the maximum number of messages, from 1 to {@value #LARGEST_PAGE}
	 * @return a page
	 * @throws IllegalArgumentException if the size is out of range
	 */
	ParkedPage search(ParkedFilter filter, ParkedPage.Order order, ParkedPage.@Nullable PageKey after, int size);

	/**
	 * Counts messages.
	 * @param filter the messages to count
	 * @return the current number
	 */
	long count(ParkedFilter filter);

	/**
	 * Finds one message with body and headers.
	 * @param id its id in the ledger
	 * @return the message, or empty if it does not exist or no longer exists
	 */
	Optional<ParkedMessage> find(long id);

	/**
	 * Finds messages with body and headers.
	 * @param ids their ids in the ledger, at most {@value #LARGEST_PAGE}
	 * @return those that exist, in no particular order
	 * @throws IllegalArgumentException if there are too many ids
	 */
	List<ParkedMessage> find(Collection<Long> ids);

	/**
	 * Groups messages by queue and cause.
	 * @param filter which ones
	 * @param limit the maximum number of groups, from 1 to {@value #LARGEST_PAGE}
	 * @return the largest groups, largest first
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	List<FailureGroup> groups(ParkedFilter filter, int limit);

	/**
	 * Groups messages whose cause is new since a version of the handler: the ledger has
	 * no message with that cause, in any state, that was parked before the first message
	 * of that version.
	 * @param filter which ones
	 * @param handlerVersion the version, as recorded in parked messages
	 * @param limit the maximum number of groups, from 1 to {@value #LARGEST_PAGE}
	 * @return the largest groups, largest first; none if that version parked nothing
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	List<FailureGroup> groupsNewSince(ParkedFilter filter, String handlerVersion, int limit);

	/**
	 * Counts messages by the value of an attribute.
	 * @param filter which ones
	 * @param attribute the attribute
	 * @param limit the maximum number of values, from 1 to {@value #LARGEST_PAGE}
	 * @return the values that most messages have, most frequent first
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	List<FailureGroup.Total> totals(ParkedFilter filter, FailureGroup.Attribute attribute, int limit);

	/**
	 * Counts when the messages of groups were parked.
	 * @param filter the filter by which the groups were found
	 * @param groups the groups, largest first
	 * @return a trend for each group, in no particular order; none if the ledger knows
	 * only a part of the messages
	 */
	List<FailureGroup.Trend> trends(ParkedFilter filter, List<FailureGroup> groups);

	/**
	 * Returns what is known of causes.
	 * @param ids their ids
	 * @return the causes of messages that the ledger has, in no particular order
	 */
	List<FailureCause> causes(Collection<String> ids);

}
