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
 * Finds parked messages. Every method asks the database anew and throws Spring's
 * {@code DataAccessException} if it can't.
 */
public interface Ledger {

	/** The most messages of a page, and the most groups. */
	int LARGEST_PAGE = 1000;

	/**
	 * Finds messages, last parked first.
	 * @param filter which ones
	 * @param after where the page before ended, or {@code null} for the first one
	 * @param size how many at most, from 1 to {@value #LARGEST_PAGE}
	 * @return a page
	 * @throws IllegalArgumentException if the size is out of range
	 */
	ParkedPage search(ParkedFilter filter, ParkedPage.@Nullable PageKey after, int size);

	/**
	 * Counts messages.
	 * @param filter which ones
	 * @return how many there are now
	 */
	long count(ParkedFilter filter);

	/**
	 * Finds one message with body and headers.
	 * @param id its id in the ledger
	 * @return the message, or empty if there is none, or no longer
	 */
	Optional<ParkedMessage> find(long id);

	/**
	 * Finds messages with body and headers.
	 * @param ids their ids in the ledger, at most {@value #LARGEST_PAGE}
	 * @return those that are there, in no order
	 * @throws IllegalArgumentException if there are too many ids
	 */
	List<ParkedMessage> find(Collection<Long> ids);

	/**
	 * Groups messages by queue and cause.
	 * @param filter which ones
	 * @param limit how many groups at most, from 1 to {@value #LARGEST_PAGE}
	 * @return the largest groups, largest first
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	List<FailureGroup> groups(ParkedFilter filter, int limit);

	/**
	 * Groups messages whose cause is new since a version of the handler: the ledger holds
	 * none of them, in whatever state, that was parked before that version's first one.
	 * @param filter which ones
	 * @param handlerVersion the version, as parked messages name it
	 * @param limit how many groups at most, from 1 to {@value #LARGEST_PAGE}
	 * @return the largest groups, largest first; none if that version parked nothing
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	List<FailureGroup> groupsNewSince(ParkedFilter filter, String handlerVersion, int limit);

}
