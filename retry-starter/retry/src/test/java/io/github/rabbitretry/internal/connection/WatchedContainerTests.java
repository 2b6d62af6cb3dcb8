/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WatchedContainerTests {

	private final Container container = new Container();

	private final WatchedContainer watched = new WatchedContainer(this.container);

	@Test
	void aContainerThatAnErrorStoppedIsStartedAgain() {
		this.watched.failed();
		assertThat(this.watched.needsStart()).isTrue();
		this.watched.startAgain();
		assertThat(this.container.isRunning()).isTrue();
		assertThat(this.watched.recovered()).isTrue();
	}

	@Test
	void aContainerThatFailedToStartIsTriedAgainAndHasNotRecovered() {
		this.watched.failed();
		this.container.failure = new IllegalStateException("no broker");
		assertThatIllegalStateException().isThrownBy(this.watched::startAgain);
		assertThat(this.watched.recovered()).isFalse();
		assertThat(this.watched.needsStart()).isTrue();
		this.container.failure = null;
		this.watched.startAgain();
		assertThat(this.watched.recovered()).isTrue();
	}

	@Test
	void aContainerThatOthersStartedAgainHasRecoveredAndMayBeStopped() {
		this.watched.failed();
		this.container.start();
		for (int look = 0; look < 10; look++) {
			assertThat(this.watched.needsStart()).isFalse();
		}
		assertThat(this.watched.recovered()).isTrue();
		this.container.stop();
		assertThat(this.watched.needsStart()).as("stopped on purpose").isFalse();
	}

	private static final class Container extends AbstractMessageListenerContainer {

		private RuntimeException failure;

		@Override
		public void start() {
			if (this.failure != null) {
				throw this.failure;
			}
			doStart();
		}

		@Override
		protected void doInitialize() {
			// consumes nothing
		}

		@Override
		protected void doShutdown() {
			// consumes nothing
		}

	}

}
