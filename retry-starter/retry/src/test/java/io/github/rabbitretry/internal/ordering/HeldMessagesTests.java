/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.lang.reflect.Proxy;
import java.time.Duration;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeldMessagesTests {

	private final Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Channel.class }, (proxy, method, arguments) -> true);

	/** There may be no thread to close it, as when memory is exhausted. */
	@Test
	void theirChannelIsToBeClosedUntilThatHasBegun() {
		HeldMessages messages = new HeldMessages(new DeliveryChannel(this.channel));
		assertThat(endsNow(messages)).isFalse();
		messages.end();
		assertThat(endsNow(messages)).isTrue();
		assertThat(endsNow(messages)).as("its thread could not be started").isTrue();
		messages.closing();
		assertThat(endsNow(messages)).isFalse();
	}

	private static boolean endsNow(HeldMessages messages) {
		return messages.endsNow(Duration.ofMinutes(1), Duration.ofNanos(-1));
	}

}
