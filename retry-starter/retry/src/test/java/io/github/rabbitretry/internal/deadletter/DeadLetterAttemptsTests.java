/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLetterAttemptsTests {

	private static final int LIMIT = 25;

	@Test
	void eachMessageThatTheBrokerMovesHasDeliveriesOfItsOwn() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, true);
		for (int moved = 0; moved < 8; moved++) {
			assertThat(attempts.look(1, moved)).isEqualTo((moved > 0) ? 1 : 0);
			fail(attempts, LIMIT + 1);
			assertThat(attempts.deliveries()).isEqualTo(LIMIT + 1);
			assertThat(attempts.tooMany()).isFalse();
		}
	}

	@Test
	void messagesThatEndConnectionsByTurnsHaveTheDeliveriesOfAll() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, true);
		attempts.look(8, 0);
		fail(attempts, 8 * (LIMIT + 1));
		assertThat(attempts.tooManyDeliveries()).isFalse();
		fail(attempts, 8 * 10);
		assertThat(attempts.tooManyDeliveries()).isTrue();
	}

	@Test
	void aQueueThatDoesNotCountIsGivenUpHoweverManyMessagesItHolds() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, false);
		attempts.look(1_000, 0);
		fail(attempts, LIMIT + 10);
		assertThat(attempts.tooManyDeliveries()).isTrue();
	}

	@Test
	void whatOthersLeaveInTheLastQueueKeepsNoClassicQueueGoing() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, false);
		for (int moved = 0; moved < LIMIT + 10; moved++) {
			assertThat(attempts.look(1, moved)).isZero();
			fail(attempts, 1);
		}
		assertThat(attempts.tooManyDeliveries()).isTrue();
	}

	@Test
	void whatMovedWithoutADeliveryBetweenIsNotOurs() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, true);
		attempts.look(1, 0);
		assertThat(attempts.look(1, 7)).isZero();
	}

	@Test
	void aLimitThatNeverMovesAMessageIsGivenUp() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, true);
		attempts.look(1_000_000, 0);
		fail(attempts, 50 * (LIMIT + 10));
		assertThat(attempts.tooManyDeliveries()).isTrue();
	}

	@Test
	void whatIsReceivedBeginsTheCountAgain() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, false);
		attempts.look(10, 0);
		fail(attempts, LIMIT + 9);
		attempts.gotOn();
		fail(attempts, LIMIT + 9);
		assertThat(attempts.tooMany()).isFalse();
	}

	@Test
	void aBrokerThatIsAwayIsLeftToTheContainerAndBlamesNoMessage() {
		DeadLetterAttempts attempts = new DeadLetterAttempts(LIMIT, true);
		for (int failure = 0; failure < 5; failure++) {
			assertThat(attempts.tooMany()).isFalse();
			attempts.failed(false);
		}
		assertThat(attempts.tooMany()).isTrue();
		assertThat(attempts.tooManyDeliveries()).isFalse();
	}

	private static void fail(DeadLetterAttempts attempts, int times) {
		for (int failure = 0; failure < times; failure++) {
			attempts.failed(true);
		}
	}

}
