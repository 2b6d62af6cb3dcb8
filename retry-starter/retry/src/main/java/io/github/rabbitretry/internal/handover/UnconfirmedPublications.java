/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.handover.ConfirmChannel.Publication;
import org.jspecify.annotations.Nullable;

/**
 * What is published on a channel and not yet confirmed, in a ring by sequence number: the
 * client counts a channel's publications without gaps, and the broker confirms them
 * nearly in order.
 */
final class UnconfirmedPublications {

	private @Nullable Publication[] ring = new Publication[64];

	/** The oldest that is unconfirmed, or {@link #next} if none is. */
	private long first = 1;

	private long next = 1;

	/**
	 * Adds the next publication.
	 * @param sequence its sequence number, higher than those of all before
	 * @param publication the publication
	 */
	synchronized void add(long sequence, Publication publication) {
		if (this.first == this.next) {
			this.first = sequence;
		}
		while (sequence - this.first >= this.ring.length) {
			grow();
		}
		this.ring[index(sequence)] = publication;
		this.next = sequence + 1;
	}

	private void grow() {
		@Nullable Publication[] larger = new Publication[2 * this.ring.length];
		for (long sequence = this.first; sequence < this.next; sequence++) {
			larger[(int) (sequence % larger.length)] = this.ring[index(sequence)];
		}
		this.ring = larger;
	}

	/**
	 * Removes one.
	 * @param sequence its sequence number
	 * @return the publication, or {@code null} if it is not here
	 */
	synchronized @Nullable Publication remove(long sequence) {
		if (sequence < this.first || sequence >= this.next) {
			return null;
		}
		Publication removed = this.ring[index(sequence)];
		this.ring[index(sequence)] = null;
		skipRemoved();
		return removed;
	}

	/**
	 * Removes all up to one.
	 * @param sequence the sequence number of the last one
	 * @return the publications, in their order
	 */
	synchronized List<Publication> removeUpTo(long sequence) {
		List<Publication> removed = new ArrayList<>();
		while (this.first < this.next && this.first <= sequence) {
			int index = index(this.first++);
			Publication publication = this.ring[index];
			if (publication != null) {
				removed.add(publication);
				this.ring[index] = null;
			}
		}
		skipRemoved();
		return removed;
	}

	/**
	 * Removes all of them.
	 * @return the publications, in their order
	 */
	List<Publication> removeAll() {
		return removeUpTo(Long.MAX_VALUE);
	}

	/**
	 * Those that are published before an instant.
	 * @param nanoTime the instant, as of {@link System#nanoTime()}
	 * @return the publications, in their order
	 */
	synchronized List<Publication> publishedBefore(long nanoTime) {
		List<Publication> before = new ArrayList<>();
		for (long sequence = this.first; sequence < this.next; sequence++) {
			Publication publication = this.ring[index(sequence)];
			if (publication != null && !publication.isBefore(nanoTime)) {
				break;
			}
			if (publication != null) {
				before.add(publication);
			}
		}
		return before;
	}

	/**
	 * The one that is published first.
	 * @return the publication, or {@code null} if all are confirmed
	 */
	synchronized @Nullable Publication oldest() {
		return (this.first < this.next) ? this.ring[index(this.first)] : null;
	}

	private void skipRemoved() {
		while (this.first < this.next && this.ring[index(this.first)] == null) {
			this.first++;
		}
	}

	private int index(long sequence) {
		return (int) (sequence % this.ring.length);
	}

}
