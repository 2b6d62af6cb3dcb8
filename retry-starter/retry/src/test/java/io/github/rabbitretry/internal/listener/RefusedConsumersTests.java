/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.ReadRefusals;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.listener.ConsumeOkEvent;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;

class RefusedConsumersTests {

	private final RefusedConsumers refused = new RefusedConsumers(
			new MessagePolicies(List.of(TestPolicy.order().build())), Stream.empty());

	@Test
	void aQueueThatMayNotBeReadIsReportedUntilItIsConsumed() {
		this.refused.onApplicationEvent(failed("order", AMQP.ACCESS_REFUSED));
		assertThat(this.refused.problems())
			.containsExactly(new HealthProblem("listener-refused", "order", "403 read access to 'order' refused"));
		this.refused.onApplicationEvent(new ConsumeOkEvent(this, "invoices", "tag"));
		assertThat(this.refused.problems()).hasSize(1);
		this.refused.onApplicationEvent(new ConsumeOkEvent(this, "order", "tag"));
		assertThat(this.refused.problems()).isEmpty();
	}

	/** A direct container publishes no event. */
	@Test
	void aChannelThatIsClosedForAQueueThatMayNotBeReadIsReportedToo() {
		AMQP.Channel.Close close = new AMQP.Channel.Close.Builder().replyCode(AMQP.ACCESS_REFUSED)
			.replyText("ACCESS_REFUSED - read access to queue 'order' in vhost '/' refused for user 'worker'")
			.build();
		ReadRefusals.listener(this.refused::refused).onShutDown(new ShutdownSignalException(false, false, close, null));
		assertThat(this.refused.problems()).extracting(HealthProblem::subject).containsExactly("order");
		this.refused.onApplicationEvent(new ConsumeOkEvent(this, "order", "ctag"));
		assertThat(this.refused.problems()).isEmpty();
	}

	@Test
	void otherFailuresAndQueuesWithoutAPolicyAreNotReported() {
		this.refused.onApplicationEvent(failed("invoices", AMQP.ACCESS_REFUSED));
		this.refused.onApplicationEvent(failed("order", AMQP.PRECONDITION_FAILED));
		assertThat(this.refused.problems()).isEmpty();
	}

	private static ListenerContainerConsumerFailedEvent failed(String queue, int code) {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setQueueNames(queue);
		AMQP.Channel.Close close = new AMQP.Channel.Close.Builder().replyCode(code)
			.replyText("read access to '%s' refused".formatted(queue))
			.classId(60)
			.methodId(20)
			.build();
		return new ListenerContainerConsumerFailedEvent(container, "Consumer raised exception, attempting restart",
				new AmqpIOException(new IOException(new ShutdownSignalException(false, false, close, null))), false);
	}

}
