/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.internal.logging.FailingLog;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to deliveries of messages that were handled before.
 */
class DeduplicationTests {

	private final ManagedTestListener owned = new ManagedTestListener();

	private boolean down;

	private boolean discards;

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void aDuplicateIsAcknowledgedAndItsHandlerNotCalled() {
		start(DeduplicationStore.IN_MEMORY);
		this.owned.deliver();
		this.owned.redeliver(Map.of());
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "acknowledged", 2, "duplicate", 1));
	}

	@Test
	void aDuplicateIsAcknowledgedEvenIfItCanNotBeLogged() {
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.rabbitretry.internal.pipeline.RetryAdvice");
		start(DeduplicationStore.IN_MEMORY);
		this.owned.deliver();
		logger.setLevel(Level.DEBUG);
		try (FailingLog log = new FailingLog(logger.getName())) {
			this.owned.redeliver(Map.of());
		}
		finally {
			logger.setLevel(null);
		}
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack");
		assertThat(this.owned.told()).containsEntry("acknowledged", 2);
	}

	@Test
	void aMessageThatFailedIsHandledWhenItComesBackAndItsDuplicateIsNot() {
		start(DeduplicationStore.IN_MEMORY);
		this.down = true;
		this.owned.deliver();
		this.down = false;
		this.owned.deliver(Map.of("x-app-retry-attempt", 1));
		this.owned.deliver(Map.of("x-app-retry-attempt", 1));
		assertThat(this.owned.calls()).as("two that failed, and one").isEqualTo(3);
		assertThat(this.owned.told()).containsEntry("retried DOWNSTREAM_TIMEOUT", 1)
			.containsEntry("acknowledged", 2)
			.containsEntry("duplicate", 1);
	}

	@Test
	void aReplayOfAHandledMessageHasSucceeded() {
		start(DeduplicationStore.IN_MEMORY);
		this.owned.deliver();
		this.owned.deliver(Map.of("x-replay-id", "r-1", "x-replay-item", 7L));
		assertThat(this.owned.told()).containsEntry("duplicate", 1).containsEntry("replayed r-1/7 SUCCEEDED", 1);
	}

	@Test
	void eachLocalAttemptIsACallOfTheDeduplicator() {
		this.owned.deduplicator((queue, messageId, handler) -> {
			assertThat(queue).isEqualTo("order");
			assertThat(messageId).isEqualTo("m-1");
			handler.run();
			return true;
		});
		start(DeduplicationStore.BEAN);
		this.down = true;
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(2);
	}

	@Test
	void messagesWhoseIdsAreNoUtf8AreNotTakenForDuplicates() {
		start(DeduplicationStore.IN_MEMORY);
		this.owned.deliverWithId("order-\uFFFD");
		this.owned.deliverWithId("order-\uFFFD");
		assertThat(this.owned.calls()).isEqualTo(2);
	}

	@Test
	void whatItsHandlerDiscardedIsNotHandledAgain() {
		this.discards = true;
		start(DeduplicationStore.IN_MEMORY);
		this.owned.deliver();
		this.owned.redeliver(Map.of());
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 2, "discarded STALE_COMMAND", 1, "acknowledged", 1, "duplicate", 1));
	}

	@Test
	void whatADeduplicatorThrowsIsAFailureLikeOneOfTheHandler() {
		this.owned.deduplicator((queue, messageId, handler) -> {
			throw new SocketTimeoutException("no answer");
		});
		start(DeduplicationStore.BEAN);
		this.owned.deliver();
		assertThat(this.owned.calls()).isZero();
		assertThat(this.owned.told()).containsEntry("retried DOWNSTREAM_TIMEOUT", 1);
	}

	private void start(DeduplicationStore store) {
		this.owned.start(TestPolicy.order()
			.localAttempts(2)
			.deduplication(new Deduplication(store, Duration.ofHours(1), 100))
			.build(), (message) -> {
				if (this.discards) {
					throw DiscardMessageException.asStale();
				}
				if (this.down) {
					throw new SocketTimeoutException("no answer");
				}
			});
	}

}
