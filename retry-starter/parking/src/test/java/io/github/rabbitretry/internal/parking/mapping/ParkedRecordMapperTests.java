/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.parking.ledger.Parking;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.parking.message.PayloadState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedRecordMapperTests {

	@Test
	void theKeyDoesNotDependOnTheOrderOfHeaders() {
		Map<String, Object> few = new HashMap<>(2);
		Map<String, Object> many = new HashMap<>(4096);
		for (int number = 0; number < 40; number++) {
			few.put("header-" + number, Map.of("a", number, "b", List.of(number)));
			many.put("header-" + (39 - number), Map.of("b", List.of(39 - number), "a", 39 - number));
		}
		assertThat(key(few)).isEqualTo(key(many));
		many.put("x-delivery-count", 3L);
		assertThat(key(few)).as("the broker's own headers aside").isEqualTo(key(many));
		many.put("header-7", 8);
		assertThat(key(few)).isNotEqualTo(key(many));
	}

	@Test
	void theKeyTellsQueuesBodiesAndParkingsApart() {
		byte[] key = Parking.of("m-1").row().key();
		assertThat(Parking.of("m-1").row().key()).isEqualTo(key);
		assertThat(Parking.of("m-1").header("x-delivery-count", 1L).row().key()).isEqualTo(key);
		assertThat(Parking.of("m-1").row("other").key()).isNotEqualTo(key);
		assertThat(Parking.of("m-1").body("[]").row().key()).isNotEqualTo(key);
		assertThat(Parking.of("m-2").row().key()).isNotEqualTo(key);
		assertThat(Parking.of("m-1").at(Parking.NOW).row().key()).isNotEqualTo(key);
		assertThat(Parking.of("m-1").header("x-app-handover-id", 7L).row().key()).isNotEqualTo(key);
	}

	@Test
	void textsOfExceptionsAreNotStoredWhereAPolicyShowsNone() {
		BasicProperties properties = Parking.of("m-1")
			.header("x-app-exception", "com.acme.Refused")
			.header("x-app-exception-message", "card 4111 refused")
			.header("x-app-root-exception", "com.acme.Expired")
			.header("x-app-root-exception-message", "card 4111 expired")
			.header("x-app-exception-frames", "com.acme.Cards.charge(Cards.java:4111)")
			.properties();
		ParkedRecordMapper mapper = new ParkedRecordMapper(Parking.NAMES, () -> Parking.NOW);
		ParkedRecord full = mapper.read(Parking.policy("order"), properties, new byte[0]);
		ParkedRecord none = mapper.read(Parking.policy("order", Redaction.NONE, ExceptionTexts.NONE), properties,
				new byte[0]);
		assertThat(full.summary(1).exceptionMessage()).isEqualTo("card 4111 refused");
		assertThat(none.key()).as("a message that is delivered again is the same").isEqualTo(full.key());
		assertThat(none.summary(1).exceptionMessage()).isNull();
		assertThat(none.summary(1).cause().text()).isNull();
		assertThat(none.summary(1).cause().exception()).isEqualTo("com.acme.Expired");
		assertThat(none.summary(1).exception()).isEqualTo("com.acme.Refused");
		assertThat(AmqpPropertiesCodec.decode(none.properties()).getHeaders().toString()).doesNotContain("4111")
			.contains("com.acme.Refused", "f1");
	}

	@Test
	void headersThatAreNestedTooDeeplyDoNotEndTheConsumer() {
		Map<String, Object> deep = Map.of("end", 1);
		for (int level = 0; level < 100_000; level++) {
			deep = Map.of("deeper", deep);
		}
		ParkedRecord row = Parking.of("m-1").header("deep", deep).row();
		assertThat(row.messageId()).isEqualTo("m-1");
		assertThat(row.kind().reason()).isEqualTo("UNREADABLE");
		assertThat(AmqpPropertiesCodec.decode(row.properties()).getHeaders()).containsKey("x-app-parked-at")
			.doesNotContainKey("deep");
	}

	@Test
	void textsThatAreTooLongToEncodeAreCutAndKeptWholeBeside() {
		String text = "\uFFFD".repeat(255);
		Map<String, Object> headers = new HashMap<>(Parking.of("m-1").properties().getHeaders());
		headers.put(text, Map.of(text, 7, "other", 8));
		BasicProperties properties = new BasicProperties.Builder().headers(headers)
			.messageId(text)
			.contentType(text)
			.replyTo(text)
			.correlationId(text)
			.type(text)
			.appId(text)
			.build();
		ParkedRecord row = new ParkedRecordMapper(Parking.NAMES, () -> Parking.NOW).read(Parking.policy("order"),
				properties, new byte[] { 1, 2 });
		assertThat(row.body()).containsExactly(1, 2);
		assertThat(row.kind().reason()).isEqualTo("UNREADABLE");
		assertThat(row.kind().failureReason()).isEqualTo("DOWNSTREAM_TIMEOUT");
		assertThat(row.identified()).isTrue();
		BasicProperties stored = AmqpPropertiesCodec.decode(row.properties());
		assertThat(stored.getMessageId()).startsWith("\uFFFD\uFFFD").endsWith("...");
		assertThat(stored.getHeaders()).containsKeys("x-app-parked-at", "x-app-unreadable");
		Map<?, ?> whole = (Map<?, ?>) stored.getHeaders().get("x-app-unreadable");
		assertThat(whole.get("message-id").toString()).isEqualTo(text);
		assertThat(whole.values()).hasSize(8).allSatisfy((value) -> assertThat(value.toString()).isEqualTo(text));
	}

	@Test
	void aRedactionThatFailsStoresNothing() {
		Redaction failing = (body) -> {
			throw new IllegalStateException("no");
		};
		ParkedRecord row = Parking.of("m-1").row(Parking.policy("order", failing));
		assertThat(row.body()).isNull();
		assertThat(row.kind().payload()).isEqualTo(PayloadState.OMITTED);
	}

	@Test
	void timesThatCannotBeTrueAreNotBelieved() {
		ParkedRecord row = Parking.of("m-1")
			.header("x-app-parked-at", "2031-01-01T00:00:00Z")
			.header("x-app-first-failure-at", "soon")
			.header("x-app-last-failure-at", "1869-01-01T00:00:00Z")
			.row();
		assertThat(row.parkedAt()).isEqualTo(Parking.NOW);
		assertThat(row.firstSeenAt()).isEqualTo(Parking.NOW);
		assertThat(row.lastFailedAt()).isEqualTo(Parking.NOW);
	}

	@Test
	void propertiesOfEveryKindSurviveTheWire() {
		BasicProperties properties = Parking.of("m-1").correlationId("c").properties();
		assertThat(AmqpPropertiesCodec.decode(AmqpPropertiesCodec.encode(properties))).isEqualTo(properties);
		assertThat(AmqpPropertiesCodec.decode(AmqpPropertiesCodec.encode(new BasicProperties())))
			.isEqualTo(new BasicProperties());
	}

	private static byte[] key(Map<String, Object> headers) {
		BasicProperties properties = new BasicProperties.Builder().headers(headers).build();
		return new ParkedRecordMapper(Parking.NAMES, () -> Parking.NOW)
			.read(Parking.policy("order"), properties, new byte[0])
			.key();
	}

}
