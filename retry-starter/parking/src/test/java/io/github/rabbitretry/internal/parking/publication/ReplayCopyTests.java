/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.ForeignHeaderFilter;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.topology.DelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayCopyTests {

	private static final Instant NOON = Instant.parse("2026-07-01T12:00:00Z");

	private static final byte[] BODY = { 1, 2 };

	private static final DelayRoute ROUTE = new DelayRoute("order.retry", "order", Duration.ZERO);

	static final ParkedSummary PARKED = new ParkedSummary(17, ParkedState.PARKED, "order", "Order", "team-orders",
			"RETRY_BUDGET_EXHAUSTED", null, "transient", "f1", null, null, "worker:1", "worker", "m-1", null, null,
			null, null, null, 4, NOON, NOON, NOON.plusSeconds(60), null, PayloadState.WHOLE, "hash",
			new FailureCause("c1", null, null), null);

	private final ReplayCopy copies = new ReplayCopy("replay-2", new OperatorAction("ops", "HANDLER_FIXED"), 0);

	private static BasicProperties headers(Map<String, Object> headers) {
		return new BasicProperties.Builder().messageId("m-1").headers(headers).build();
	}

	private Map<String, Object> followed(Map<String, Object> headers) {
		return copy(headers).properties().getHeaders();
	}

	private OutboundMessage copy(Map<String, Object> headers) {
		return this.copies.toWorkQueue(AmqpPropertiesCodec.message(PARKED, headers(headers), BODY), ROUTE)
			.orElseThrow();
	}

	@Test
	void aCopyNamesItsPlaceInTheLedger() {
		Map<String, Object> before = Map.of("x-replay-item", 3L, "x-tenant", "acme", "x-app-retry-attempt", 4);
		assertThat(followed(before)).containsEntry("x-replay-item", 17L)
			.containsEntry("x-tenant", "acme")
			.doesNotContainKeys("x-app-retry-attempt", "x-app-handover-id");
		OutboundMessage copy = copy(before);
		assertThat(copy.exchange()).isEqualTo("order.retry");
		assertThat(copy.routingKey()).isEqualTo("order");
		assertThat(copy.body()).isEqualTo(BODY);
	}

	@Test
	void aCopyForAnotherQueueKeepsItsEnvelopeAndNamesWhereItComesFrom() {
		Map<String, Object> before = Map.of("x-app-retry-attempt", 4, "x-app-parked-at", "2026-07-01T12:01:00Z",
				"x-app-origin-queue", "elsewhere", "x-app-handover-id", 3L);
		OutboundMessage copy = this.copies
			.toTarget(AmqpPropertiesCodec.message(PARKED, headers(before), BODY), "elsewhere")
			.orElseThrow();
		assertThat(copy.exchange()).isEmpty();
		assertThat(copy.routingKey()).isEqualTo("elsewhere");
		assertThat(copy.properties().getHeaders()).containsEntry("x-app-retry-attempt", 4)
			.containsEntry("x-app-parked-at", "2026-07-01T12:01:00Z")
			.containsEntry("x-app-origin-queue", "order")
			.doesNotContainKey("x-app-handover-id");
		ReceivedMessage received = new ReceivedMessage(copy.properties(), BODY, "", "elsewhere", "elsewhere");
		MessagePolicy policy = TestPolicy.order().queue("elsewhere").build();
		assertThat(ForeignHeaderFilter.removed(policy, received).properties().getHeaders()).isEmpty();
	}

	@Test
	void aReplayedMessageStaysInTheTraceOfItsProducer() {
		Map<String, Object> trace = Map.of("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
				"tracestate", "congo=t61", "baggage", "tenant=acme", "b3", "0af7651916cd43dd-b7ad6b7169203331-1");
		assertThat(followed(trace)).containsAllEntriesOf(trace);
	}

	@Test
	void theHeadersSayWhoReplayedAndWhy() {
		assertThat(followed(Map.of()))
			.containsAllEntriesOf(Map.of("x-replayed", true, "x-replay-id", "replay-2", "x-replayed-by", "ops",
					"x-replay-reason", "HANDLER_FIXED", "x-original-death-count", 4, "x-app-replayed-count", 1));
	}

	@Test
	void whatEarlierReplaysCountedIsAddedUpAndBounded() {
		assertThat(followed(Map.of("x-original-death-count", 6, "x-app-replayed-count", 2L)))
			.containsEntry("x-original-death-count", 10)
			.containsEntry("x-app-replayed-count", 3);
		assertThat(followed(Map.of("x-original-death-count", Long.MAX_VALUE, "x-app-replayed-count", -7)))
			.containsEntry("x-original-death-count", Integer.MAX_VALUE)
			.containsEntry("x-app-replayed-count", 1);
		assertThat(followed(Map.of("x-original-death-count", "many"))).containsEntry("x-original-death-count", 4);
	}

	@ParameterizedTest
	@CsvSource({ "2026-06-01T00:00:00Z, 2026-06-01T00:00:00Z", "2026-08-01T00:00:00Z, 2026-07-01T12:00:00Z",
			"yesterday, 2026-07-01T12:00:00Z" })
	void theEarliestFailureIsKeptIfItCanBeTrue(String before, String after) {
		Map<String, Object> headers = Map.of("x-app-replayed-first-failure-at", before);
		assertThat(followed(headers)).containsEntry("x-app-replayed-first-failure-at", after);
	}

	@Test
	void whatCanNotBePublishedAsItWasIsNotPublished() {
		assertThat(this.copies.toWorkQueue(AmqpPropertiesCodec.message(PARKED, headers(Map.of()), null), ROUTE))
			.isEmpty();
		Optional<OutboundMessage> large = this.copies.toWorkQueue(
				AmqpPropertiesCodec.message(PARKED, headers(Map.of("x-large", "x".repeat(120_000))), BODY), ROUTE);
		assertThat(large).isEmpty();
	}

}
