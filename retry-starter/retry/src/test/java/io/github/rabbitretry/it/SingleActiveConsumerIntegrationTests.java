/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What ordering stands on: how a quorum queue with a single active consumer goes on with
 * the next one. No class of the starter takes part.
 */
class SingleActiveConsumerIntegrationTests {

	private static final String QUEUE = "single.active";

	private final TestBroker broker = TestBroker.connect();

	private final BlockingQueue<String> got = new LinkedBlockingQueue<>();

	private final List<Channel> channels = new ArrayList<>();

	@BeforeEach
	void declare() throws IOException {
		this.broker.deleteAll(QUEUE);
		this.broker.channel()
			.queueDeclare(QUEUE, true, false, false,
					Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
	}

	@AfterEach
	void delete() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void whereTheActiveOneIsCancelledTheNextOvertakesWhatItHolds() throws Exception {
		consume("a", 3);
		consume("b", 3);
		send(6);
		assertThat(next(3)).containsExactly("a 0", "a 1", "a 2");
		this.channels.get(0).basicCancel("a");
		assertThat(next(3)).containsExactly("b 3", "b 4", "b 5");
	}

	@Test
	void whereItsChannelIsClosedTheNextGetsWhatItHeldFirst() throws Exception {
		consume("a", 3);
		consume("b", 3);
		send(6);
		assertThat(next(3)).containsExactly("a 0", "a 1", "a 2");
		this.channels.get(0).close();
		assertThat(next(3)).containsExactly("b 0", "b 1", "b 2");
	}

	@Test
	void whatItHeldComesInOrderEvenIfSomeOfItIsAcknowledged() throws Exception {
		consume("a", 4);
		consume("b", 4);
		send(8);
		assertThat(next(4)).containsExactly("a 0", "a 1", "a 2", "a 3");
		this.channels.get(0).basicAck(2, false);
		this.channels.get(0).basicAck(4, false);
		assertThat(next(2)).containsExactly("a 4", "a 5");
		this.channels.get(0).close();
		assertThat(next(4)).containsExactly("b 0", "b 2", "b 4", "b 5");
	}

	@Test
	void withLessPrefetchInTheNextOneASecondCloseChangesTheOrder() throws Exception {
		consume("a", 4);
		consume("b", 2);
		send(6);
		assertThat(next(4)).containsExactly("a 0", "a 1", "a 2", "a 3");
		this.channels.get(0).close();
		assertThat(next(2)).containsExactly("b 0", "b 1");
		consume("c", 4);
		this.channels.get(1).close();
		assertThat(next(4)).containsExactly("c 2", "c 3", "c 0", "c 1");
	}

	private void consume(String name, int prefetch) throws IOException {
		Channel channel = this.broker.channel().getConnection().createChannel();
		channel.basicQos(prefetch);
		channel.basicConsume(QUEUE, false, name,
				(tag, message) -> this.got.add(name + " " + message.getProperties().getMessageId()), (tag) -> {
				});
		this.channels.add(channel);
	}

	private void send(int messages) {
		for (int i = 0; i < messages; i++) {
			this.broker.sendJson(QUEUE, String.valueOf(i), Map.of(), "{}");
		}
	}

	private List<String> next(int messages) throws InterruptedException {
		List<String> next = new ArrayList<>();
		for (int i = 0; i < messages; i++) {
			next.add(String.valueOf(this.got.poll(10, TimeUnit.SECONDS)));
		}
		return next;
	}

}
