/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryChannelTests {

	/** What the broker has delivered and not got an answer for. */
	private final TreeSet<Long> outstanding = new TreeSet<>();

	/** What became of the others. */
	private final TreeMap<Long, String> settled = new TreeMap<>();

	private final List<String> commands = new CopyOnWriteArrayList<>();

	/** Thrown by the next command. */
	private volatile @Nullable Error failure;

	private final Channel broker = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Channel.class }, this::command);

	@Test
	void deliveriesThatAreConfirmedTogetherAreAcknowledgedByOneCommand() {
		List<Acknowledgement> deliveries = deliver(new DeliveryChannel(this.broker), 4);
		Acknowledgement.acknowledge(deliveries.subList(0, 3));
		assertThat(this.commands).containsExactly("basicAck 3 true");
		assertThat(this.outstanding).containsExactly(4L);
	}

	@Test
	void aDeliveryBeforeThemThatIsNotSettledKeepsThemSingle() {
		List<Acknowledgement> deliveries = deliver(new DeliveryChannel(this.broker), 4);
		Acknowledgement.acknowledge(deliveries.subList(1, 4));
		assertThat(this.commands).containsExactly("basicAck 2 false", "basicAck 3 false", "basicAck 4 false");
		assertThat(this.outstanding).containsExactly(1L);
	}

	@Test
	void oneThatWasSettledAloneDoesNotKeepThoseBehindItSingle() {
		List<Acknowledgement> deliveries = deliver(new DeliveryChannel(this.broker), 3);
		deliveries.get(0).reject();
		Acknowledgement.acknowledge(deliveries.subList(1, 3));
		assertThat(this.commands).containsExactly("basicReject 1 false", "basicAck 3 true");
	}

	@Test
	void whatGoesBackWithItsChannelIsNeverAcknowledgedWithOthers() {
		Consumer<Channel> closer = (channel) -> this.commands.add("close");
		List<Acknowledgement> deliveries = deliver(new DeliveryChannel(this.broker, closer), 3);
		deliveries.get(0).giveBack();
		// until the channel is closed
		Acknowledgement.acknowledge(deliveries.subList(1, 3));
		assertThat(this.outstanding).containsExactly(1L);
	}

	@Test
	void nothingIsAcknowledgedOnceAllIsGivenBack() {
		DeliveryChannel channel = new DeliveryChannel(this.broker);
		List<Acknowledgement> deliveries = deliver(channel, 3);
		channel.giveBackAll();
		Acknowledgement.acknowledge(deliveries);
		assertThat(this.commands).containsExactly("basicNack 0 true");
	}

	/** Its consumer would have a slot less for good. */
	@Test
	void aDeliveryThatCanNotBeSettledGoesBackWithItsChannel() {
		DeliveryChannel channel = new DeliveryChannel(this.broker);
		Acknowledgement delivery = deliver(channel, 1).get(0);
		this.failure = new OutOfMemoryError("a test");
		assertThat(delivery.acknowledge()).isFalse();
		assertThat(delivery.open()).isFalse();
		Awaitility.await().untilAsserted(() -> assertThat(this.commands).containsExactly("abort"));
	}

	@Test
	void severalOfWhichOneCanNotBeSettledGoBackWithTheirChannel() {
		List<Acknowledgement> deliveries = deliver(new DeliveryChannel(this.broker), 2);
		deliveries.get(1).received(new LongAdder() {

			@Override
			public void decrement() {
				throw new OutOfMemoryError("a test");
			}

		});
		Acknowledgement.acknowledge(deliveries);
		assertThat(deliveries).noneMatch(Acknowledgement::open);
		Awaitility.await().untilAsserted(() -> assertThat(this.commands).containsExactly("abort"));
	}

	@Test
	void deliveriesOfOtherChannelsAreAcknowledgedAllTheSame() {
		Acknowledgement lost = deliver(new DeliveryChannel(this.broker), 1).get(0);
		Acknowledgement other = deliver(new DeliveryChannel(this.broker), 1).get(0);
		this.failure = new OutOfMemoryError("a test");
		Acknowledgement.acknowledge(List.of(lost, other));
		assertThat(this.commands).contains("basicAck 1 false");
	}

	@Test
	void whateverTheOrderEachDeliveryIsSettledAsItsHolderAsks() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		for (int run = 0; run < 300; run++) {
			this.outstanding.clear();
			this.settled.clear();
			DeliveryChannel channel = new DeliveryChannel(this.broker);
			List<Acknowledgement> held = new ArrayList<>();
			TreeMap<Long, String> asked = new TreeMap<>();
			long last = 0;
			for (int step = 0; step < 60; step++) {
				int fresh = random.nextInt(5);
				for (int count = 0; count < fresh; count++) {
					this.outstanding.add(++last);
					held.add(new Acknowledgement(channel, last));
				}
				List<Acknowledgement> together = new ArrayList<>();
				for (int count = random.nextInt(6); count > 0 && !held.isEmpty(); count--) {
					// mostly in order, as a broker confirms
					together.add(held.remove(random.nextInt(Math.min(held.size(), 1 + random.nextInt(4)))));
				}
				switch (random.nextInt(5)) {
					case 0 -> together.forEach((each) -> settle(asked, each, "basicNack", each::giveBack));
					case 1 -> together.forEach((each) -> settle(asked, each, "basicReject", each::reject));
					default -> {
						together.forEach((each) -> asked.put(each.deliveryTag(), "basicAck"));
						Acknowledgement.acknowledge(together);
					}
				}
				assertThat(this.settled).as("seed %d", seed).isEqualTo(asked);
			}
		}
	}

	private static void settle(TreeMap<Long, String> asked, Acknowledgement each, String how, Runnable settling) {
		asked.put(each.deliveryTag(), how);
		settling.run();
	}

	private List<Acknowledgement> deliver(DeliveryChannel channel, int number) {
		List<Acknowledgement> deliveries = new ArrayList<>();
		for (long tag = 1; tag <= number; tag++) {
			this.outstanding.add(tag);
			deliveries.add(new Acknowledgement(channel, tag));
		}
		return deliveries;
	}

	private @Nullable Object command(Object proxy, Method method, Object[] arguments) {
		if (method.getName().equals("isOpen")) {
			return true;
		}
		Error thrown = this.failure;
		this.failure = null;
		if (thrown != null) {
			throw thrown;
		}
		if (method.getName().equals("abort")) {
			this.commands.add("abort");
			return null;
		}
		long tag = (Long) arguments[0];
		boolean multiple = !method.getName().equals("basicReject") && (Boolean) arguments[1];
		this.commands.add("%s %d %s".formatted(method.getName(), tag, arguments[1]));
		List<Long> those = multiple ? List.copyOf((tag == 0) ? this.outstanding : this.outstanding.headSet(tag, true))
				: List.of(tag);
		assertThat(this.outstanding).as("a tag that is settled twice ends the channel").containsAll(those);
		those.forEach((each) -> {
			this.outstanding.remove(each);
			this.settled.put(each, method.getName());
		});
		return null;
	}

}
