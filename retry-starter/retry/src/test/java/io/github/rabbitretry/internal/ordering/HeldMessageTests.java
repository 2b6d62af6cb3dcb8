/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.pipeline.DeliveryDecider;
import io.github.rabbitretry.internal.pipeline.DeliveryPipeline;
import io.github.rabbitretry.internal.pipeline.ListenerDelivery;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import io.github.rabbitretry.internal.invocation.LocalRetry;
import io.github.rabbitretry.internal.listener.RecordingChannel;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages of a lane while the copy of the first of them is not confirmed.
 */
class HeldMessageTests {

	private final RecordingChannel channel = new RecordingChannel();

	private final DeliveryChannel deliveries = new DeliveryChannel(this.channel.channel());

	private final HeldMessages messages = new HeldMessages(this.deliveries);

	private final ConfirmedPublishers publishers = new ConfirmedPublishers(
			new HandoverSettings(100, Duration.ofHours(1), Duration.ofSeconds(5)));

	private final HandThreads threads = new HandThreads();

	private final Lanes lanes = new Lanes(this.threads);

	private final List<String> handled = new ArrayList<>();

	@AfterEach
	void close() {
		this.publishers.close();
	}

	@Test
	void aMessageWhoseCopyIsNotConfirmedIsLookedAtLessAndLessOften() {
		this.channel.withholdConfirms();
		add(1, this::park);
		add(2, Acknowledgement::acknowledge);
		assertThat(this.threads.run(Duration.ofMinutes(10))).as("steps in ten minutes").isLessThan(50);
		assertThat(this.handled).containsExactly("1");
	}

	@Test
	void neitherDoesItKeepTheLaneBusyWhileItsChannelIsAboutToClose() {
		this.channel.withholdConfirms();
		add(1, this::park);
		add(2, Acknowledgement::acknowledge);
		this.threads.run(Duration.ofSeconds(5));
		this.messages.end();
		this.lanes.wake();
		assertThat(this.threads.run(Duration.ofMinutes(10))).as("steps in ten minutes").isLessThan(50);
		assertThat(this.handled).containsExactly("1");
	}

	@Test
	void theNextOneIsHandledAsSoonAsTheCopyIsConfirmed() throws Exception {
		this.channel.withholdConfirms();
		add(1, this::park);
		add(2, Acknowledgement::acknowledge);
		this.threads.run(Duration.ofMinutes(10));
		this.channel.confirmAll();
		Awaitility.await().until(() -> this.publishers.pending("Order") == 0);
		this.lanes.wake();
		this.threads.run(Duration.ZERO);
		assertThat(this.handled).containsExactly("1", "2");
		assertThat(this.lanes.size()).isZero();
	}

	private void park(Acknowledgement acknowledgement) {
		this.publishers.publisher(this.channel.connectionFactory(), "Order")
			.submit(new OutboundMessage("order.dlx", "order.parking-lot", new BasicProperties(), new byte[0]),
					acknowledgement, new HandoverCallback() {

						@Override
						public void confirmed(Duration elapsed) {
							// as the test goes on
						}

						@Override
						public void abandoned() {
							// it is not
						}

					});
	}

	@SuppressWarnings("NullAway")
	private void add(long tag, Consumer<Acknowledgement> decision) {
		Message message = new Message(new byte[0]);
		message.getMessageProperties().setDeliveryTag(tag);
		Acknowledgement acknowledgement = new Acknowledgement(this.deliveries, tag);
		ListenerDelivery delivery = new ListenerDelivery(pipeline(),
				new ListenerCall(null, this.channel.channel(), message, null),
				new ReceivedMessage(new BasicProperties(), new byte[0], "order.command", "order.create", "order"),
				acknowledgement, false);
		HeldMessage held = new HeldMessage(delivery, null, null, (again) -> {
			this.handled.add(String.valueOf(tag));
			decision.accept(acknowledgement);
		});
		this.messages.add(held);
		this.lanes.add("key", held);
	}

	@SuppressWarnings("NullAway")
	private DeliveryPipeline pipeline() {
		return new DeliveryPipeline(
				new ManagedQueue(TestPolicy.order().build(), new LocalRetry(1, Duration.ZERO), null, null, null, null,
						null, null),
				null, new DeliveryDecider(null, null, null, null, InstantSource.system()), null, null);
	}

	/** One thread whose time passes only while it is run. */
	private static final class HandThreads implements Lanes.Threads {

		private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::at));

		private long now;

		@Override
		public Future<?> schedule(Runnable step, long delay, TimeUnit unit) {
			FutureTask<Void> task = new FutureTask<>(step, null);
			this.due.add(new Due(this.now + unit.toNanos(delay), task));
			return task;
		}

		/** Runs what is due within a time, and counts it. */
		int run(Duration time) {
			long end = this.now + time.toNanos();
			int steps = 0;
			while (!this.due.isEmpty() && this.due.element().at() <= end && steps < 10_000) {
				Due next = this.due.remove();
				this.now = Math.max(this.now, next.at());
				if (!next.task().isCancelled()) {
					next.task().run();
					steps++;
				}
			}
			this.now = end;
			return steps;
		}

	}

	private record Due(long at, FutureTask<Void> task) {
	}

}
