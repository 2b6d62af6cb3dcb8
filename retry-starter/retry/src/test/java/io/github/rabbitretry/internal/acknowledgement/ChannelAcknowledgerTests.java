/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.Channel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChannelAcknowledgerTests {

	private final List<String> commands = new ArrayList<>();

	private final Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Channel.class }, (proxy, method, arguments) -> {
				this.commands.add("%s %s %s".formatted(method.getName(), arguments[0], arguments[1]));
				return null;
			});

	private final ChannelAcknowledger acknowledger = new ChannelAcknowledger(this.channel);

	@Test
	void whatFollowsWithoutAGapIsAcknowledgedAtOnce() throws IOException {
		this.acknowledger.acknowledge(List.of(1L, 2L, 3L));
		this.acknowledger.acknowledge(List.of(5L, 4L));
		assertThat(this.commands).containsExactly("basicAck 3 true", "basicAck 5 true");
	}

	@Test
	void whatIsNotStoredIsNeverAmongThem() throws IOException {
		this.acknowledger.acknowledge(List.of(1L, 2L, 4L));
		this.acknowledger.acknowledge(List.of(5L, 7L));
		assertThat(this.commands).containsExactly("basicAck 4 false", "basicAck 2 true", "basicAck 5 false",
				"basicAck 7 false");
	}

	@Test
	void aFirstBatchThatIsNotStoredKeepsAllLaterOnesSingle() throws IOException {
		this.acknowledger.acknowledge(List.of(101L, 102L));
		assertThat(this.commands).containsExactly("basicAck 101 false", "basicAck 102 false");
	}

	@Test
	void whatWasGivenBackIsNoGap() throws IOException {
		this.acknowledger.giveBack(List.of(2L, 3L));
		this.acknowledger.acknowledge(List.of(1L, 4L));
		assertThat(this.commands).containsExactly("basicNack 2 false", "basicNack 3 false", "basicAck 4 true");
	}

}
