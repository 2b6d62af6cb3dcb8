/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpAuthenticationException;
import org.springframework.amqp.AmqpIllegalStateException;
import org.springframework.amqp.rabbit.listener.ConsumeOkEvent;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class StoppedContainersTests {

	private final AtomicBoolean running = new AtomicBoolean();

	private final StoppedContainers stopped = new StoppedContainers(
			new MessagePolicies(List.of(TestPolicy.order().build())), Duration.ofMillis(10),
			(container) -> this.running.get());

	private final AtomicInteger starts = new AtomicInteger();

	private final SimpleMessageListenerContainer container = new SimpleMessageListenerContainer() {

		@Override
		public void start() {
			StoppedContainersTests.this.starts.incrementAndGet();
			throw new AmqpIllegalStateException("Fatal exception on listener startup");
		}

	};

	@Test
	void aContainerThatSpringStopsIsStartedAgainUntilItConsumes() {
		this.stopped.onApplicationEvent(event("order", true));
		Awaitility.await().until(() -> this.starts.get() > 2);
		assertThat(this.stopped.problems()).hasSize(1);
		this.stopped.onApplicationEvent(new ConsumeOkEvent(this, "order", "ctag"));
		assertThat(this.stopped.problems()).as("another one consumes").hasSize(1);
		this.running.set(true);
		this.stopped.onApplicationEvent(new ConsumeOkEvent(this, "order", "ctag"));
		assertThat(this.stopped.problems()).isEmpty();
		int started = this.starts.get();
		Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> true);
		assertThat(this.starts.get()).isLessThanOrEqualTo(started + 1);
	}

	@Test
	void aContainerThatTheApplicationStopsStaysStopped() {
		this.container.setQueueNames("order");
		this.stopped.onApplicationEvent(new ListenerContainerConsumerFailedEvent(this.container,
				"Consumer thread interrupted, processing stopped", new InterruptedException(), true));
		Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> true);
		assertThat(this.starts).hasValue(0);
	}

	@Test
	void aContainerThatStaysDownIsReportedWithTheCauseUntilItConsumes() {
		this.stopped.onApplicationEvent(event("order", true));
		assertThat(this.stopped.problems()).containsExactly(new HealthProblem("listener-stopped", "order",
				"Consumer received fatal exception on startup: ACCESS_REFUSED - Login was refused"));
		this.running.set(true);
		this.stopped.onApplicationEvent(new ConsumeOkEvent(this, "order", "ctag"));
		assertThat(this.stopped.problems()).isEmpty();
	}

	@Test
	void aContainerThatIsStartedAgainByItselfIsNotReported() {
		this.stopped.onApplicationEvent(event("order", false));
		assertThat(this.stopped.problems()).isEmpty();
	}

	/** Which begins to consume again by itself. */
	@Test
	void aDirectContainerWhoseChannelWasClosedIsNotReported() {
		DirectMessageListenerContainer direct = new DirectMessageListenerContainer();
		direct.setQueueNames("order");
		this.stopped.onApplicationEvent(
				new ListenerContainerConsumerFailedEvent(direct, "Consumer channel closed", null, true));
		assertThat(this.stopped.problems()).isEmpty();
	}

	@Test
	void aContainerWithoutAPolicyIsNotReported() {
		this.stopped.onApplicationEvent(event("invoices", true));
		assertThat(this.stopped.problems()).isEmpty();
	}

	/** A stop interrupts a consumer that does not end in time. */
	@Test
	void aContainerOfAnApplicationThatEndsIsNotReported() {
		StaticApplicationContext application = new StaticApplicationContext();
		application.refresh();
		this.stopped.setApplicationContext(application);
		application.close();
		this.stopped.onApplicationEvent(event("order", true));
		assertThat(this.stopped.problems()).isEmpty();
	}

	private ListenerContainerConsumerFailedEvent event(String queue, boolean fatal) {
		this.container.setQueueNames(queue);
		return new ListenerContainerConsumerFailedEvent(this.container, "Consumer received fatal exception on startup",
				new AmqpAuthenticationException(new Exception("ACCESS_REFUSED - Login was refused")), fatal);
	}

}
