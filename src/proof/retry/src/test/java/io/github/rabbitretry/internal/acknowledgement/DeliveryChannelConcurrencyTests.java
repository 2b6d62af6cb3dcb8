/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryChannelConcurrencyTests {

	@Test
	void eachDeliveryIsSettledOnceAsTheFirstCallAsks() {
		new ModelCheckingOptions().addCustomScenario(race(actor("acknowledgeUpTo", 1), actor("acknowledge", 1)))
			.addCustomScenario(race(actor("acknowledgePart", 0), actor("acknowledgePart", 1)))
			.iterations(5)
			.invocationsPerIteration(60)
			.threads(2)
			.actorsPerThread(3)
			.actorsBefore(1)
			.sequentialSpecification(Expected.class)
			.check(Operations.class);
	}

	/** By chance such a race is rare among so many operations. */
	private static ExecutionScenario race(Actor one, Actor other) {
		return new ExecutionScenario(List.of(), List.of(List.of(one), List.of(other)),
				List.of(actor("seenByTheBroker")), null);
	}

	private static Actor actor(String operation, Object... arguments) {
		return new Actor(Stream.of(Operations.class.getMethods())
			.filter((method) -> method.getName().equals(operation))
			.findFirst()
			.orElseThrow(), List.of(arguments));
	}

	/**
	 * Handlers, the connection that confirms copies and the end of a container settle, in
	 * any thread. The last delivery has two messages.
	 */
	@Param(name = "tag", gen = IntGen.class, conf = "1:3")
	@Param(name = "part", gen = IntGen.class, conf = "0:1")
	public static class Operations {

		private final Broker broker = new Broker(4);

		private final DeliveryChannel channel = new DeliveryChannel(this.broker.channel());

		private final List<Acknowledgement> deliveries = Stream.of(1, 2, 3, 4)
			.map((tag) -> new Acknowledgement(this.channel, tag))
			.toList();

		private final List<Acknowledgement> parts = this.deliveries.get(3).divide(2);

		@Operation
		public boolean acknowledge(@Param(name = "tag") int tag) {
			return of(tag).acknowledge();
		}

		@Operation
		public void acknowledgeUpTo(@Param(name = "tag") int tag) {
			Acknowledgement.acknowledge(this.deliveries.subList(0, tag));
		}

		@Operation
		public boolean giveBack(@Param(name = "tag") int tag) {
			return of(tag).giveBack();
		}

		@Operation
		public boolean reject(@Param(name = "tag") int tag) {
			return of(tag).reject();
		}

		@Operation
		public boolean acknowledgePart(@Param(name = "part") int part) {
			return this.parts.get(part).acknowledge();
		}

		@Operation
		public boolean giveBackPart(@Param(name = "part") int part) {
			return this.parts.get(part).giveBack();
		}

		@Operation(runOnce = true)
		public void giveBackAll() {
			this.channel.giveBackAll();
		}

		/** Between the commands of the channel, not among those of one call. */
		@Operation
		public String seenByTheBroker() {
			synchronized (this.channel) {
				return this.broker.toString();
			}
		}

		private Acknowledgement of(int tag) {
			return this.deliveries.get(tag - 1);
		}

	}

	/** What the broker is to see, without a thought of threads. */
	public static class Expected {

		private final Broker broker = new Broker(4);

		private final boolean[] settled = new boolean[5];

		private final boolean[] parts = new boolean[2];

		private boolean givenBack;

		public boolean acknowledge(int tag) {
			return settle(tag, "acknowledged");
		}

		public void acknowledgeUpTo(int last) {
			for (int tag = 1; tag <= last; tag++) {
				acknowledge(tag);
			}
		}

		public boolean giveBack(int tag) {
			return settle(tag, "given back");
		}

		public boolean reject(int tag) {
			return settle(tag, "rejected");
		}

		public boolean acknowledgePart(int part) {
			if (!first(part)) {
				return false;
			}
			return (this.parts[0] && this.parts[1]) ? acknowledge(4) : !this.settled[4] && !this.givenBack;
		}

		public boolean giveBackPart(int part) {
			return first(part) && giveBack(4);
		}

		public void giveBackAll() {
			this.givenBack = true;
			this.broker.settle(0, true, "given back");
		}

		public String seenByTheBroker() {
			return this.broker.toString();
		}

		private boolean first(int part) {
			boolean first = !this.parts[part];
			this.parts[part] = true;
			return first;
		}

		private boolean settle(int tag, String how) {
			boolean first = !this.settled[tag];
			this.settled[tag] = true;
			if (first && !this.givenBack) {
				this.broker.settle(tag, false, how);
			}
			return first && !this.givenBack;
		}

	}

	/** What became of deliveries. It ends a channel where one is settled twice. */
	private static final class Broker {

		private final List<String> deliveries = new ArrayList<>();

		Broker(int deliveries) {
			for (int tag = 1; tag <= deliveries; tag++) {
				this.deliveries.add("outstanding");
			}
		}

		Channel channel() {
			return (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Channel.class },
					(proxy, method, arguments) -> answer(method.getName(), arguments));
		}

		private @Nullable Object answer(String method, Object[] arguments) {
			switch (method) {
				case "basicAck" -> settle((long) arguments[0], (boolean) arguments[1], "acknowledged");
				case "basicNack" -> settle((long) arguments[0], (boolean) arguments[1], "given back");
				case "basicReject" -> settle((long) arguments[0], false, "rejected");
				default -> {
					return true;
				}
			}
			return null;
		}

		void settle(long tag, boolean multiple, String how) {
			int last = (tag == 0) ? this.deliveries.size() : (int) tag;
			for (int each = multiple ? 1 : last; each <= last; each++) {
				boolean outstanding = this.deliveries.get(each - 1).equals("outstanding");
				if (outstanding || !multiple) {
					this.deliveries.set(each - 1, outstanding ? how : "settled twice");
				}
			}
		}

		@Override
		public String toString() {
			return this.deliveries.toString();
		}

	}

}
