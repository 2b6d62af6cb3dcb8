/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.classify.HostileThrowables;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing gets past the advice, no matter what handlers, listeners and classifiers do.
 */
class HostileListenerTests {

	private static final MessagePolicy POLICY = TestPolicy.order().build();

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		Thread.interrupted();
		this.owned.close();
	}

	@ParameterizedTest
	@MethodSource
	void whateverAHandlerThrowsIsRetriedOrParked(Supplier<Throwable> failure) {
		this.owned.start(POLICY, (message) -> HostileListenerTests.<RuntimeException>sneak(failure.get())).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).hasSize(1);
	}

	static Stream<Supplier<Throwable>> whateverAHandlerThrowsIsRetriedOrParked() {
		return Stream.of(StackOverflowError::new, AssertionError::new, NoClassDefFoundError::new, InternalError::new,
				Throwable::new, InterruptedException::new, IllegalStateException::new,
				() -> new AmqpRejectAndDontRequeueException("drop"),
				() -> new ImmediateRequeueAmqpException("at once"));
	}

	/** The first call and the last, with the wait between them that asks about causes. */
	@ParameterizedTest
	@MethodSource
	@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void causesThatNeverEndAreRetriedLikeAnyOthers(Supplier<Throwable> failure) {
		MessagePolicy policy = TestPolicy.order().localAttempts(3).build();
		this.owned.start(policy, (message) -> HostileListenerTests.<RuntimeException>sneak(failure.get())).deliver();
		assertThat(this.owned.calls()).isEqualTo(3);
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).hasSize(1);
	}

	static Stream<Supplier<Throwable>> causesThatNeverEndAreRetriedLikeAnyOthers() {
		return HostileThrowables.all();
	}

	@ParameterizedTest
	@MethodSource
	void aDeliveryListenerThatFailsTouchesNothing(Supplier<Throwable> failure) {
		this.owned.listener(new FailingListener(failure)).start(POLICY, (message) -> {
			if (message.getMessageProperties().getHeaders().containsKey("fail")) {
				throw new IllegalStateException();
			}
		});
		this.owned.deliver();
		this.owned.deliver(Map.of("fail", true));
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "acknowledged", 1, "retried UNKNOWN_FAILURE", 1));
	}

	static Stream<Supplier<Throwable>> aDeliveryListenerThatFailsTouchesNothing() {
		return Stream.of(IllegalStateException::new, NoClassDefFoundError::new, StackOverflowError::new);
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MAX_VALUE, Integer.MAX_VALUE - 1 })
	void noLevelOfAHeaderOverflows(int level) {
		this.owned
			.classifier((failure, delivery) -> Optional.of(FailureClassification.instructed(FailureClass.TRANSIENT,
					"LATER", new Instruction.RetryAtNextLevel())))
			.start(POLICY, (message) -> {
				throw new IllegalStateException();
			})
			.deliver(Map.of("x-app-retry-level", level, "x-app-retry-attempt", 1));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried LATER", 1));
	}

	@Test
	void aClassifierThatFailsIsPassedOver() {
		this.owned.classifier((failure, delivery) -> {
			throw new StackOverflowError();
		}).start(POLICY, (message) -> {
			throw new IllegalStateException();
		}).deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried UNKNOWN_FAILURE", 1));
	}

	@Test
	void aHandlerThatInterruptsItsThreadDoesNotStopItsContainer() {
		for (boolean fails : new boolean[] { true, false }) {
			ManagedTestListener listener = fails ? this.owned : new ManagedTestListener();
			listener.start(TestPolicy.order().localAttempts(2).build(), (message) -> {
				Thread.currentThread().interrupt();
				if (fails) {
					throw new InterruptedException();
				}
			}).deliver();
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			assertThat(listener.channel().settled()).containsExactly("ack");
			assertThat(listener.calls()).isEqualTo(fails ? 2 : 1);
		}
	}

	@ParameterizedTest
	@MethodSource
	void anExceptionWithoutStackTraceIsRetriedLikeAnyOther(Supplier<StackTraceElement[]> trace) {
		this.owned.start(POLICY, (message) -> {
			throw new IllegalArgumentException(new IllegalStateException() {

				@Override
				public StackTraceElement[] getStackTrace() {
					return trace.get();
				}

			});
		}).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried UNKNOWN_FAILURE", 1));
	}

	static Stream<Supplier<StackTraceElement[]>> anExceptionWithoutStackTraceIsRetriedLikeAnyOther() {
		return Stream.of(() -> null, () -> new StackTraceElement[] { null }, () -> {
			throw new IllegalStateException("no trace");
		}, () -> {
			throw new StackOverflowError();
		});
	}

	@Test
	void aFailureOfOurOwnParksTheDeliveryOfAnExistingQueue() {
		this.owned.clock(failingOnce());
		this.owned.start(TestPolicy.order().existingQueue().build(), (message) -> {
			throw new IllegalStateException();
		}).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked UNKNOWN_FAILURE", 1));
	}

	@Test
	void anUnparkableDeliveryOfAnExistingQueueIsGivenBack() {
		this.owned.clock(() -> {
			throw new IllegalStateException("no clock");
		}).start(TestPolicy.order().existingQueue().build(), (message) -> {
			throw new IllegalStateException();
		}).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("nack requeue");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aDeliveryThatIsGivenBackSinceItsCopyCanNotBePublishedIsNotParkedToo(boolean existing) {
		TestPolicy policy = existing ? TestPolicy.order().existingQueue() : TestPolicy.order();
		this.owned.start(policy.build(), (message) -> {
			throw new IllegalStateException();
		}).deliver();
		this.owned.channel().breakPublishing();
		this.owned.deliver();
		assertThat(this.owned.channel().settled()).containsExactly("ack", "nack requeue");
		assertThat(this.owned.channel().published()).hasSize(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "retried UNKNOWN_FAILURE", 1, "returned", 1));
	}

	private static InstantSource failingOnce() {
		AtomicInteger asked = new AtomicInteger();
		return () -> {
			if (asked.getAndIncrement() == 0) {
				throw new IllegalStateException("no clock");
			}
			return ManagedTestListener.NOW;
		};
	}

	@Test
	void aFailureOfOurOwnDeadLettersTheDelivery() {
		this.owned.clock(() -> {
			throw new IllegalStateException("no clock");
		}).start(POLICY, (message) -> {
			throw new IllegalStateException();
		}).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("reject");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "returned", 1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void anInterruptionByTheStopGivesTheDeliveryBack(int localAttempts) {
		this.owned.start(TestPolicy.order().localAttempts(localAttempts).build(), (message) -> {
			this.owned.stop();
			throw new IllegalStateException(new InterruptedException());
		}).deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().settled()).containsExactly("nack requeue");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "returned", 1));
	}

	@Test
	void aStopDuringTheWaitForALocalAttemptGivesTheDeliveryBack() {
		this.owned.start(TestPolicy.order().localAttempts(3).build(), (message) -> {
			this.owned.stop();
			Thread.currentThread().interrupt();
			throw new IllegalStateException();
		}).deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().settled()).containsExactly("nack requeue");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void aHandlerThatLeavesItsThreadInterruptedDoesNotGetItsMessageBackAtOnce(int localAttempts) {
		this.owned.start(TestPolicy.order().localAttempts(localAttempts).build(), (message) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(new InterruptedException());
		});
		assertThat(settledBy(this.owned::deliver)).isEqualTo("ack");
		assertThat(this.owned.channel().published().get(0).routingKey()).isEqualTo("order.retry.1s");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried UNKNOWN_FAILURE", 1));
	}

	@Test
	void aHandlerThatChangesHeadersDoesNotChangeTheBudget() {
		this.owned.start(POLICY, (message) -> {
			message.getMessageProperties().getHeaders().clear();
			message.getMessageProperties().setReceivedExchange("forged");
			throw new IllegalStateException();
		})
			.deliver(Map.of("x-app-retry-attempt", 2, "x-app-first-failure-at", "2026-07-01T11:30:00Z",
					"x-app-origin-exchange", "order.command"));
		assertThat(this.owned.channel().published().get(0).headers()).containsEntry("x-app-retry-attempt", 3)
			.containsEntry("x-app-first-failure-at", "2026-07-01T11:30:00Z")
			.containsEntry("x-app-origin-exchange", "order.command");
	}

	@Test
	void aPostProcessorThatFailsIsAFailureOfTheDelivery() {
		this.owned.setAfterReceivePostProcessors((message) -> {
			throw new IllegalStateException("can't decompress");
		});
		this.owned.start(POLICY, (message) -> {
		}).deliver();
		assertThat(this.owned.calls()).isZero();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried UNKNOWN_FAILURE", 1));
	}

	/** On a thread of its own, whose interruption is nobody else's. */
	private String settledBy(Runnable delivery) {
		Thread thread = new Thread(() -> {
			try {
				delivery.run();
			}
			catch (RuntimeException ex) {
				// the fixture's wait is interrupted too
			}
		});
		thread.start();
		Awaitility.await().until(() -> this.owned.channel().settled().size() == 1 && !thread.isAlive());
		return this.owned.channel().settled().get(0);
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneak(Throwable failure) throws E {
		throw (E) failure;
	}

	private record FailingListener(Supplier<Throwable> failure) implements DeliveryListener {

		@Override
		public void received(String messageType) {
			HostileListenerTests.<RuntimeException>sneak(this.failure.get());
		}

		@Override
		public void acknowledged(String messageType) {
			HostileListenerTests.<RuntimeException>sneak(this.failure.get());
		}

		@Override
		public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
			HostileListenerTests.<RuntimeException>sneak(this.failure.get());
		}

		@Override
		public void handedOver(String messageType, Duration elapsed) {
			HostileListenerTests.<RuntimeException>sneak(this.failure.get());
		}

	}

}
