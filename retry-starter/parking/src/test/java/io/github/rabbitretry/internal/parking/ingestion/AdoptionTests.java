/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.parking.ledger.Parking;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read of messages in foreign dead-letter queues.
 */
class AdoptionTests {

	private static final Instant FIRST = Instant.parse("2026-05-01T10:00:00Z");

	private static final Instant LAST = Instant.parse("2026-05-01T11:00:00Z");

	private final Adoption adoption = new Adoption(List.of(new AdoptedQueue("orders.dead", null)),
			List.of(Parking.policy("orders"), Parking.policy("invoices")),
			MessageTopology.of("orders").boundTo("shop", List.of("order.created")).build()::bindings);

	private final ParkedRecordMapper rows = new ParkedRecordMapper(Parking.NAMES, () -> Parking.NOW);

	private ParkedSummary read(Map<String, Object> headers) {
		return read(this.adoption, headers);
	}

	private ParkedSummary read(Adoption adoption, Map<String, Object> headers) {
		Adoption.Adopted adopted = adoption.read(new ParkedDelivery(1, "orders.dead",
				new BasicProperties.Builder().messageId("m-1").headers(headers).build(), new byte[0]));
		return this.rows.read(adopted.policy(), adopted.properties(), new byte[0]).summary(1);
	}

	private static Map<String, Object> death(String queue, String reason, long count, Instant time) {
		return Map.of("queue", text(queue), "reason", text(reason), "count", count, "time", Date.from(time), "exchange",
				text("shop"), "routing-keys", List.of(text("order.created")));
	}

	private static Object text(String text) {
		return LongStringHelper.asLongString(text);
	}

	@Test
	void whatDiedInAFormerWorkQueueIsOfThePolicyThatHasItsSuccessor() {
		ParkedSummary summary = read(Map.of("x-death", List.of(death("orders.v0", "rejected", 1, FIRST))));
		assertThat(summary.queue()).isEqualTo("orders");
		assertThat(summary.messageType()).isEqualTo("Order");
	}

	@Test
	void whatIsMappedToAMessageTypeIsOfItUnlessItsWorkQueueIsKnown() {
		Adoption mapped = new Adoption(List.of(new AdoptedQueue("orders.dead", "Invoice")),
				List.of(Parking.policy("orders"), new LedgerPolicy("Invoice", "team-invoices", "invoices",
						"invoices.parking-lot", null, Redaction.NONE, ExceptionTexts.FULL, Map.of())),
				List::of);
		for (Map<String, Object> headers : List.of(Map.<String, Object>of(),
				Map.<String, Object>of("x-death", List.of(death("other", "rejected", 1, LAST))),
				spring(new IllegalStateException("x"), "billing", "invoice"))) {
			ParkedSummary summary = read(mapped, headers);
			assertThat(summary.queue()).isEqualTo("invoices");
			assertThat(summary.messageType()).isEqualTo("Invoice");
		}
		ParkedSummary known = read(mapped, Map.of("x-death", List.of(death("orders", "rejected", 1, LAST))));
		assertThat(known.queue()).isEqualTo("orders");
		assertThat(known.messageType()).isEqualTo("Order");
	}

	@Test
	void xDeathTellsOriginReasonCountAndTimes() {
		ParkedSummary parked = read(Map.of("x-death", List.of(death("orders", "rejected", 3, LAST))));
		assertThat(parked.queue()).isEqualTo("orders");
		assertThat(parked.reason()).isEqualTo("REJECTED");
		assertThat(parked.failureClass()).isEqualTo("poison");
		assertThat(parked.attempts()).isEqualTo(2);
		assertThat(parked.lastFailedAt()).isEqualTo(LAST);
		assertThat(parked.parkedAt()).isEqualTo(Parking.NOW);
	}

	@Test
	void whatCanNotBeAQueuesNameTellsNothing() {
		for (String name : List.of("a\0b", "q".repeat(20_000), "line\nbreak", " ")) {
			assertThat(read(Map.of("x-death", List.of(death(name, "rejected", 1, LAST)))).queue())
				.isEqualTo("orders.dead");
			assertThat(read(spring(new IllegalStateException("x"), "", name)).queue()).isEqualTo("orders.dead");
		}
	}

	@Test
	void whatExpiredInAnUnknownQueueCameFromThere() {
		assertThat(read(Map.of("x-death", List.of(death("other", "expired", 1, LAST)))).queue()).isEqualTo("other");
	}

	@Test
	void aStackTraceThatIsNoneNamesNoException() {
		Map<String, Object> headers = new HashMap<>(spring(new IllegalStateException("x"), "shop", "order.created"));
		for (String trace : List.of("x".repeat(100_000), "x.".repeat(50_000), "nothing")) {
			headers.put("x-exception-stacktrace", text(trace));
			assertThat(read(headers).exception()).isNull();
		}
		headers.put("x-exception-stacktrace", text("NoPackage: why\n\tat a.B.c(B.java:1)"));
		assertThat(read(headers).exception()).isEqualTo("NoPackage");
	}

	@Test
	void aHandMadeRetryQueueIsNotTheOrigin() {
		ParkedSummary parked = read(Map.of("x-death",
				List.of(death("orders.wait-30s", "expired", 5, LAST), death("orders", "rejected", 6, FIRST))));
		assertThat(parked.queue()).isEqualTo("orders");
		assertThat(parked.attempts()).isEqualTo(5);
		assertThat(parked.firstSeenAt()).isEqualTo(FIRST);
		ParkedSummary unknown = read(Map.of("x-death",
				List.of(death("other.wait-30s", "expired", 5, LAST), death("other", "rejected", 6, FIRST))));
		assertThat(unknown.queue()).isEqualTo("other");
		assertThat(unknown.messageType()).isEqualTo("other");
		assertThat(unknown.owner()).isEqualTo("unowned");
	}

	@Test
	void springsHeadersTellOriginAndException() {
		Throwable thrown = new ListenerExecutionFailedException("Listener method threw exception",
				new IllegalArgumentException("outer", new IllegalStateException("gateway says no")));
		ParkedSummary parked = read(spring(thrown, "shop", "order.created"));
		assertThat(parked.queue()).isEqualTo("orders");
		assertThat(parked.reason()).isEqualTo("UNKNOWN_FAILURE");
		assertThat(parked.exception()).isEqualTo("java.lang.IllegalStateException");
		assertThat(parked.exceptionMessage()).isEqualTo("gateway says no");
		assertThat(parked.fingerprint()).isEqualTo(FailureFingerprint.of(thrown, parked.messageType()));
	}

	/** As after a rollback, with retries on their way. */
	@Test
	void anExceptionSaysMoreThanTheEndOfAWaitInARetryQueue() {
		Map<String, Object> headers = new HashMap<>(withoutTrace("no such customer", "", "invoices"));
		headers.put("x-death", List.of(death("invoices.retry.10s", "expired", 2, LAST)));
		ParkedSummary parked = read(headers);
		assertThat(parked.queue()).isEqualTo("invoices");
		assertThat(parked.reason()).isEqualTo("UNKNOWN_FAILURE");
		assertThat(parked.exceptionMessage()).isEqualTo("no such customer");
		assertThat(parked.attempts()).isEqualTo(2);
		headers.put("x-death", List.of(death("invoices", "expired", 1, LAST)));
		assertThat(read(headers).reason()).as("in the work queue").isEqualTo("EXPIRED");
	}

	@Test
	void ofAnExceptionWhoseTextIsNotShownClassAndFingerprintAreStored() {
		LedgerPolicy policy = Parking.policy("orders", Redaction.NONE, ExceptionTexts.NONE);
		Adoption adoption = new Adoption(List.of(new AdoptedQueue("orders.dead", null)), List.of(policy),
				MessageTopology.of("orders").boundTo("shop", List.of("order.created")).build()::bindings);
		Throwable thrown = new IllegalStateException("card 4111 refused", new IllegalArgumentException("4111 expired"));
		for (String routingKey : List.of("order.created", "of.no.policy")) {
			Map<String, Object> headers = spring(thrown, (routingKey.startsWith("order") ? "shop" : ""), routingKey);
			Adoption.Adopted adopted = adoption.read(new ParkedDelivery(1, "orders.dead",
					new BasicProperties.Builder().headers(headers).build(), new byte[0]));
			ParkedRecord row = this.rows.read(adopted.policy(), adopted.properties(), new byte[0]);
			ParkedSummary parked = row.summary(1);
			assertThat(parked.exception()).isEqualTo("java.lang.IllegalArgumentException");
			assertThat(parked.fingerprint()).isEqualTo(FailureFingerprint.of(thrown, parked.messageType()));
			assertThat(parked.exceptionMessage()).isNull();
			assertThat(parked.cause().text()).isNull();
			assertThat(new String(row.properties(), StandardCharsets.ISO_8859_1)).doesNotContain("4111");
		}
	}

	@Test
	void withoutAStackTraceTheCauseIsWhatTheOtherHeadersTell() {
		ParkedSummary parked = read(withoutTrace("Read timed out after 30 ms", "shop", "order.created"));
		assertThat(parked.queue()).isEqualTo("orders");
		assertThat(parked.exception()).isNull();
		assertThat(parked.exceptionMessage()).isEqualTo("Read timed out after 30 ms");
		assertThat(parked.cause().text()).isEqualTo("Read timed out after # ms");
		assertThat(read(withoutTrace("Read timed out after 31 ms", "shop", "order.created")).cause().id())
			.isEqualTo(parked.cause().id());
		assertThat(read(withoutTrace("out of stock", "shop", "order.created")).cause().id())
			.isNotEqualTo(parked.cause().id());
	}

	@Test
	void withoutAStackTraceATextThatBeginsWithAnExceptionNamesIt() {
		ParkedSummary parked = read(
				withoutTrace("java.net.SocketTimeoutException: Read timed out", "shop", "order.created"));
		assertThat(parked.exception()).isEqualTo("java.net.SocketTimeoutException");
		assertThat(parked.exceptionMessage()).isEqualTo("Read timed out");
		assertThat(read(withoutTrace("java.io.EOFException", "shop", "order.created")).exception())
			.isEqualTo("java.io.EOFException");
		for (String none : List.of("x.".repeat(50_000) + "Exception", "order.Exceptional: no", "a b.CException: no")) {
			assertThat(read(withoutTrace(none, "shop", "order.created")).exception()).isNull();
		}
	}

	@Test
	void anExceptionWithNeitherTraceNorTextStillTellsItsOrigin() {
		ParkedSummary parked = read(withoutTrace(null, "shop", "order.created"));
		assertThat(parked.queue()).isEqualTo("orders");
		assertThat(parked.reason()).isEqualTo("UNKNOWN_FAILURE");
	}

	@Test
	void thePatternOfATopicExchangeSaysWhichQueueAMessageCameFrom() {
		Adoption adoption = bound(binding("shop.events", "order.#", "orders"),
				binding("shop.events", "invoice.*", "invoices"));
		assertThat(queue(adoption, "shop.events", "order.created.eu")).isEqualTo("orders");
		assertThat(queue(adoption, "shop.events", "invoice.paid")).isEqualTo("invoices");
		assertThat(queue(adoption, "", "invoices")).isEqualTo("invoices");
		assertThat(queue(adoption, "elsewhere", "order.created")).isEqualTo("orders.dead");
	}

	@Test
	void whatTheOnlyBindingOfAnExchangeDoesNotMatchIsAnothersFailure() {
		assertThat(queue(bound(binding("shop.events", "a.#", "orders")), "shop.events", "b.created"))
			.isEqualTo("orders.dead");
	}

	@Test
	void aFanoutDoesNotSayWhoseFailureItIs() {
		Adoption adoption = bound(binding("orders.fanout", "", "orders"));
		assertThat(queue(adoption, "orders.fanout", "")).isEqualTo("orders.dead");
		assertThat(queue(adoption, "orders.fanout", "order.created")).isEqualTo("orders.dead");
	}

	@Test
	void whatTwoWorkQueuesGotIsOfNeither() {
		Adoption adoption = bound(binding("shop.events", "order.created", "orders"),
				binding("shop.events", "order.#", "invoices"), binding("shop.events", "order.*", "invoices"));
		assertThat(queue(adoption, "shop.events", "order.created")).isEqualTo("orders.dead");
		assertThat(queue(adoption, "shop.events", "order.changed")).isEqualTo("invoices");
	}

	private String queue(Adoption adoption, String exchange, String routingKey) {
		return read(adoption, spring(new IllegalStateException("x"), exchange, routingKey)).queue();
	}

	private static Adoption bound(BindingDefinition... bindings) {
		return new Adoption(List.of(new AdoptedQueue("orders.dead", null)),
				List.of(Parking.policy("orders"), Parking.policy("invoices")), () -> List.of(bindings));
	}

	private static BindingDefinition binding(String exchange, String routingKey, String queue) {
		return new BindingDefinition(exchange, routingKey, Binding.DestinationType.QUEUE, queue);
	}

	@Test
	void whatTellsNothingIsStoredAllTheSame() {
		Map<String, Object> hostile = new HashMap<>();
		hostile.put("x-death", List.of("no table", Map.of("count", "many", "time", "never")));
		hostile.put("x-exception-stacktrace", 7);
		for (Map<String, Object> headers : List.of(Map.<String, Object>of(), hostile)) {
			ParkedSummary parked = read(headers);
			assertThat(parked.reason()).isEqualTo("UNKNOWN_FAILURE");
			assertThat(parked.messageId()).isEqualTo("m-1");
		}
		assertThat(read(Map.of()).queue()).isEqualTo("orders.dead");
	}

	@Test
	void anOriginNestedDeeperThanATextCanBeMadeOfIsReplaced() {
		Map<String, Object> nested = Map.of();
		for (int depth = 0; depth < 100_000; depth++) {
			nested = Map.of("n", nested);
		}
		assertThat(read(Map.of("x-app-origin-queue", nested)).queue()).isEqualTo("orders.dead");
	}

	@Test
	void aMessageOfAParkingLotThatWasMovedKeepsItsEnvelope() {
		ParkedSummary parked = read(Map.of("x-app-parked-at", "2026-06-01T00:00:00Z", "x-app-retry-reason",
				"DOWNSTREAM_TIMEOUT", "x-death", List.of(death("orders", "rejected", 3, LAST))));
		assertThat(parked.reason()).isEqualTo("DOWNSTREAM_TIMEOUT");
		assertThat(parked.parkedAt()).isEqualTo(Instant.parse("2026-06-01T00:00:00Z"));
	}

	static Map<String, Object> spring(Throwable thrown, String exchange, String routingKey) {
		StringWriter trace = new StringWriter();
		thrown.printStackTrace(new PrintWriter(trace));
		return Map.of("x-exception-stacktrace", text(trace.toString()), "x-exception-message",
				text("what Spring wrote"), "x-original-exchange", text(exchange), "x-original-routingKey",
				text(routingKey));
	}

	private static Map<String, Object> withoutTrace(@Nullable String message, String exchange, String routingKey) {
		Map<String, Object> headers = new HashMap<>(
				Map.of("x-original-exchange", text(exchange), "x-original-routingKey", text(routingKey)));
		headers.put("x-exception-message", (message != null) ? text(message) : null);
		return headers;
	}

	@Test
	void theQueueThatItWasTakenFromIsTold() {
		for (Map<String, Object> headers : List.<Map<String, Object>>of(
				Map.of("x-death", List.of(death("orders", "rejected", 3, LAST))),
				Map.of("x-app-parked-at", LAST.toString()), Map.of())) {
			assertThat(this.adoption
				.read(new ParkedDelivery(1, "orders.dead", new BasicProperties.Builder().headers(headers).build(),
						new byte[0]))
				.properties()
				.getHeaders()).containsEntry("x-app-adopted-from", "orders.dead");
		}
	}

}
