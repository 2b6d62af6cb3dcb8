/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.handover.ConfirmChannel.Publication;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnconfirmedPublicationsConcurrencyTests {

	@Test
	void eachPublicationIsTakenOnceWhileOthersPublishConfirmLoseAndLook() {
		new ModelCheckingOptions().iterations(6)
			.invocationsPerIteration(60)
			.threads(2)
			.actorsPerThread(3)
			.sequentialSpecification(Expected.class)
			.check(Operations.class);
	}

	/**
	 * Publishing is done under the channel's lock, and confirms come by the connection's
	 * one reader. A channel's end and the look for what is late come by any thread.
	 */
	@Param(name = "sequence", gen = IntGen.class, conf = "1:4")
	public static class Operations {

		private static final OutboundMessage MESSAGE = new OutboundMessage("", "", new BasicProperties(), new byte[0]);

		private final UnconfirmedPublications unconfirmed = new UnconfirmedPublications();

		private int last;

		@Operation(nonParallelGroup = "publishing")
		public void publish() {
			this.last++;
			this.unconfirmed.add(this.last, publication(this.last));
		}

		@Operation(nonParallelGroup = "publishing")
		public int takeBack() {
			return number(this.unconfirmed.remove(this.last));
		}

		@Operation(nonParallelGroup = "reader")
		public int confirm(@Param(name = "sequence") int sequence) {
			return number(this.unconfirmed.remove(sequence));
		}

		@Operation(nonParallelGroup = "reader")
		public List<Integer> confirmUpTo(@Param(name = "sequence") int sequence) {
			return numbers(this.unconfirmed.removeUpTo(sequence));
		}

		@Operation
		public List<Integer> loseAll() {
			return numbers(this.unconfirmed.removeAll());
		}

		@Operation
		public int oldest() {
			return number(this.unconfirmed.oldest());
		}

		@Operation
		public List<Integer> before(@Param(name = "sequence") int sequence) {
			return numbers(this.unconfirmed.publishedBefore(sequence));
		}

		private static Publication publication(int number) {
			return new Publication(MESSAGE, number, number);
		}

		private static int number(@Nullable Publication publication) {
			return (publication != null) ? publication.number() : 0;
		}

		private static List<Integer> numbers(List<Publication> publications) {
			return publications.stream().map(Publication::number).toList();
		}

	}

	/** The same without a thought of threads. */
	public static class Expected {

		private final TreeMap<Integer, Integer> unconfirmed = new TreeMap<>();

		private int last;

		public void publish() {
			this.last++;
			this.unconfirmed.put(this.last, this.last);
		}

		public int takeBack() {
			return confirm(this.last);
		}

		public int confirm(int sequence) {
			Integer removed = this.unconfirmed.remove(sequence);
			return (removed != null) ? removed : 0;
		}

		public List<Integer> confirmUpTo(int sequence) {
			List<Integer> removed = new ArrayList<>(this.unconfirmed.headMap(sequence, true).values());
			this.unconfirmed.keySet().removeAll(removed);
			return removed;
		}

		public List<Integer> loseAll() {
			return confirmUpTo(Integer.MAX_VALUE);
		}

		public int oldest() {
			return this.unconfirmed.isEmpty() ? 0 : this.unconfirmed.firstKey();
		}

		public List<Integer> before(int sequence) {
			return List.copyOf(this.unconfirmed.headMap(sequence).values());
		}

	}

}
