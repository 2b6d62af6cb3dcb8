/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.UndeclaredThrowableException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.handler.BatchItemsFailedException;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches that a container gathered, given to a listener of batches.
 */
class BatchHandlingTests {

	private final ManagedTestListener owned = new ManagedTestListener();

	/** What each call of the listener was given. */
	private final List<List<String>> calls = new ArrayList<>();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void whatIsHandledIsAcknowledgedEachByItsOwnTag() {
		start(TestPolicy.order().build(), (messages) -> {
		}).deliverTogether(headers(3));
		assertThat(this.calls).containsExactly(List.of("m-1", "m-2", "m-3"));
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack", "ack");
		assertThat(this.owned.channel().acknowledged()).containsExactly(1L, 2L, 3L);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 3));
	}

	@Test
	void namedFailuresAreRetriedAndTheOthersAcknowledged() {
		start(TestPolicy.order().build(), failing("m-2", "m-4")).deliverTogether(headers(5));
		assertThat(this.calls).hasSize(1);
		assertThat(copies()).containsExactly("m-2 to order.retry.1s", "m-4 to order.retry.1s");
		assertThat(this.owned.channel().acknowledged()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 5, "acknowledged", 3, "retried DOWNSTREAM_TIMEOUT", 2));
	}

	@Test
	void eachNamedFailureIsDecidedByItsOwnCause() {
		start(TestPolicy.order().build(),
				(messages) -> throwIfAny(
						new BatchItemsFailedException().add(0, ParkMessageException.because("NO_CUSTOMER"))
							.add(1, DiscardMessageException.asStale())
							.add(2, new SocketTimeoutException("read"))
							.add(3, new ImmediateAcknowledgeAmqpException("enough"))))
			.deliverTogether(headers(4));
		assertThat(copies()).containsExactly("m-1 to order.parking-lot", "m-3 to order.retry.1s");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 4, "acknowledged", 1, "parked NO_CUSTOMER", 1,
				"discarded STALE_COMMAND", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void aNamedFailureIsCalledAloneForTheLocalAttemptsThatAreLeft() {
		start(TestPolicy.order().localAttempts(3).build(), failing("m-2")).deliverTogether(headers(3));
		assertThat(this.calls).containsExactly(List.of("m-1", "m-2", "m-3"), List.of("m-2"), List.of("m-2"));
		assertThat(copies()).containsExactly("m-2 to order.retry.1s");
	}

	@Test
	void aPlaceBeyondTheBatchNamesNothing() {
		start(TestPolicy.order().build(), (messages) -> {
			if (messages.size() > 1) {
				throwIfAny(new BatchItemsFailedException().add(3, new IllegalStateException()));
			}
		}).deliverTogether(headers(3));
		assertThat(this.calls).hasSize(4);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 3));
	}

	/** As a transaction template throws it after it has rolled back. */
	@Test
	void namedFailuresThatAnotherExceptionWrapsNameNothing() {
		start(TestPolicy.order().build(), (messages) -> {
			if (ids(messages).contains("m-2")) {
				throw new UndeclaredThrowableException(
						new BatchItemsFailedException().add(messages.size() - 2, new SocketTimeoutException("read")));
			}
		}).deliverTogether(headers(3));
		assertThat(this.calls).hasSize(4);
		assertThat(this.owned.told()).containsEntry("acknowledged", 2);
	}

	@Test
	void aWrappedFailureOfAMessageAloneIsItsFailure() {
		start(TestPolicy.order().build(), (messages) -> {
			throw new UndeclaredThrowableException(
					new BatchItemsFailedException().add(0, new SocketTimeoutException("read")));
		}).deliverTogether(headers(2));
		assertThat(this.calls).hasSize(3);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "retried DOWNSTREAM_TIMEOUT", 2));
	}

	/** The common call counts, but each message has one of its own. */
	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 1", "3, 2" })
	void anyOtherFailureHasEachHandledAlone(int localAttempts, int callsOfTheBadOne) {
		start(TestPolicy.order().localAttempts(localAttempts).build(), failingWith("m-2")).deliverTogether(headers(3));
		List<List<String>> expected = new ArrayList<>(List.of(List.of("m-1", "m-2", "m-3"), List.of("m-1")));
		expected.addAll(Collections.nCopies(callsOfTheBadOne, List.of("m-2")));
		expected.add(List.of("m-3"));
		assertThat(this.calls).isEqualTo(expected);
		assertThat(copies()).containsExactly("m-2 to order.retry.1s");
		assertThat(this.owned.channel().acknowledged()).containsExactlyInAnyOrder(1L, 2L, 3L);
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 3, "acknowledged", 2, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void ifAllFailEachIsRetried() {
		start(TestPolicy.order().build(), failingWith("m-1", "m-2", "m-3")).deliverTogether(headers(3));
		assertThat(this.calls).hasSize(4);
		assertThat(copies()).containsExactly("m-1 to order.retry.1s", "m-2 to order.retry.1s", "m-3 to order.retry.1s");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "retried DOWNSTREAM_TIMEOUT", 3));
	}

	@Test
	void whatACommonCallAsksForIsDoneToNoneButAsEachAsksAlone() {
		start(TestPolicy.order().build(), (messages) -> {
			if (ids(messages).contains("m-2")) {
				throw ParkMessageException.because("NO_CUSTOMER");
			}
		}).deliverTogether(headers(3));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 2, "parked NO_CUSTOMER", 1));
	}

	@Test
	void aListenerThatAsksForItHasAllAcknowledged() {
		start(TestPolicy.order().build(), (messages) -> {
			throw new ImmediateAcknowledgeAmqpException("enough");
		}).deliverTogether(headers(3));
		assertThat(this.calls).hasSize(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 3));
	}

	@Test
	void theListenerIsGivenOnlyWhatIsAdmitted() {
		start(TestPolicy.order().build(), (messages) -> {
		}).deliverTogether(List.of(Map.of(),
				Map.of("x-app-retry-attempt", 2, "x-app-retry-reason", "RATE_LIMITED", "x-app-first-failure-at",
						"2026-07-01T11:59:00Z", "x-app-retry-not-before", "2026-07-01T12:00:03Z"),
				Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T10:59:00Z"), Map.of()));
		assertThat(this.calls).containsExactly(List.of("m-1", "m-4"));
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 4, "acknowledged", 2, "postponed", 1, "parked RETRY_AGE_EXCEEDED", 1));
	}

	@Test
	void aSingleMessageHasAContextAndABatchHasNone() {
		List<Optional<Integer>> contexts = new ArrayList<>();
		start(TestPolicy.order().build(), (messages) -> {
			contexts.add(RetryContext.current().map(RetryContext::localAttempt));
			failingWith("m-2").handle(messages);
		});
		this.owned.deliverTogether(headers(2));
		this.owned.deliverTogether(headers(1));
		assertThat(contexts).containsExactly(Optional.empty(), Optional.of(1), Optional.of(1), Optional.of(0));
	}

	@Test
	void aSingleMessageThatIsNamedIsDecidedByItsOwnCauseToo() {
		start(TestPolicy.order().localAttempts(2).build(), failing("m-1")).deliverTogether(headers(1));
		assertThat(this.calls).hasSize(2);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void aSingleMessageHasAllItsLocalAttempts() {
		start(TestPolicy.order().localAttempts(3).build(), failingWith("m-1")).deliverTogether(headers(1));
		assertThat(this.calls).hasSize(3);
		assertThat(copies()).containsExactly("m-1 to order.retry.1s");
	}

	@Test
	void aMessageThatIsDeliveredByItselfIsABatchOfOne() {
		start(TestPolicy.order().build(), (messages) -> {
		}).deliver();
		assertThat(this.calls).containsExactly(List.of("m-1"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void whatTheListenerDoesToItsListChangesNothing() {
		start(TestPolicy.order().build(), (messages) -> {
			List<Message> given = new ArrayList<>(messages);
			messages.clear();
			failing("m-2").handle(given);
		}).deliverTogether(headers(3));
		assertThat(copies()).containsExactly("m-2 to order.retry.1s");
		assertThat(this.owned.channel().acknowledged()).hasSize(3);
	}

	@Test
	void aCopyHasThePropertiesOfItsOwnMessageAsReceived() {
		start(TestPolicy.order().build(), failing("m-1", "m-3"))
			.deliverTogether(List.of(Map.of("tenant", "a"), Map.of("tenant", "b"), Map.of("tenant", "c")));
		assertThat(this.owned.channel().published()).extracting((copy) -> copy.headers().get("tenant").toString())
			.containsExactlyInAnyOrder("a", "c");
		assertThat(this.owned.channel().published())
			.allSatisfy((copy) -> assertThat(copy.properties().getDeliveryMode()).isEqualTo(2));
	}

	@Test
	void aMessageThatIsGivenBackIsGivenBackAlone() {
		start(TestPolicy.order().build(),
				(messages) -> throwIfAny(new BatchItemsFailedException().add(1, ReturnMessageException.toQueue())))
			.deliverTogether(headers(3));
		assertThat(this.owned.channel().settled()).containsExactlyInAnyOrder("ack", "ack", "nack requeue");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 2, "returned", 1));
	}

	@Test
	void anErrorOfTheListenerIsAFailureLikeAnyOther() {
		start(TestPolicy.order().build(), (messages) -> {
			if (ids(messages).contains("m-1")) {
				throw new NoClassDefFoundError("gone");
			}
		}).deliverTogether(headers(2));
		assertThat(this.calls).hasSize(3);
		assertThat(this.owned.channel().acknowledged()).containsExactlyInAnyOrder(1L, 2L);
		assertThat(this.owned.channel().published()).hasSize(1);
	}

	@Test
	void theTroubleOfOneKeepsNoOtherFromBeingSettled() {
		start(TestPolicy.order().build(), failing("m-1", "m-2")).deliverTogether(headers(1));
		this.owned.channel().breakPublishing();
		this.owned.deliverTogether(headers(3));
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack", "nack requeue", "ack");
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 4, "acknowledged", 1, "retried DOWNSTREAM_TIMEOUT", 2, "returned", 1));
	}

	private ManagedTestListener start(MessagePolicy policy, ManagedTestListener.BatchHandler handler) {
		return this.owned.startBatches(policy, (messages) -> {
			this.calls.add(ids(messages));
			handler.handle(messages);
		});
	}

	private static ManagedTestListener.BatchHandler failing(String... failing) {
		return (messages) -> {
			BatchItemsFailedException failed = new BatchItemsFailedException();
			for (int index = 0; index < messages.size(); index++) {
				if (List.of(failing).contains(ids(messages).get(index))) {
					failed.add(index, new SocketTimeoutException("read"));
				}
			}
			failed.throwIfAny();
		};
	}

	private static ManagedTestListener.BatchHandler failingWith(String... failing) {
		return (messages) -> {
			if (ids(messages).stream().anyMatch(Arrays.asList(failing)::contains)) {
				throw new SocketTimeoutException("read");
			}
		};
	}

	private static void throwIfAny(BatchItemsFailedException failed) throws BatchItemsFailedException {
		failed.throwIfAny();
	}

	private static List<Map<String, Object>> headers(int number) {
		return Collections.nCopies(number, Map.of());
	}

	/** The first may be published after the others, once there is a connection. */
	private List<String> copies() {
		return this.owned.channel()
			.published()
			.stream()
			.map((copy) -> copy.properties().getMessageId() + " to " + copy.routingKey())
			.sorted()
			.toList();
	}

	private static List<String> ids(List<Message> messages) {
		return messages.stream()
			.map((message) -> Objects.requireNonNull(message.getMessageProperties().getMessageId()))
			.toList();
	}

}
