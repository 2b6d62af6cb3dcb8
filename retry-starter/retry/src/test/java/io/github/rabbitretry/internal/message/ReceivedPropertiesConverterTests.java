/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.LongStringHelper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.amqp.support.SimpleAmqpHeaderMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ReceivedPropertiesConverterTests {

	private static final Envelope ENVELOPE = new Envelope(5, true, "e", "k");

	private final ReceivedPropertiesConverter converter = new ReceivedPropertiesConverter(
			new DefaultMessagePropertiesConverter());

	@Test
	void givesThePropertiesBackAsTheyWereReceived() {
		BasicProperties received = new BasicProperties.Builder().deliveryMode(2)
			.headers(Map.of("h", LongStringHelper.asLongString("v")))
			.build();
		MessageProperties converted = convert(received);
		converted.getHeaders().clear();
		converted.setContentType("changed");
		assertThat(ReceivedPropertiesConverter.received(converted)).isSameAs(received);
	}

	@Test
	void keepsThePropertiesOfAllMessagesOfABatch() {
		ReceivedPropertiesConverter ofBatches = new ReceivedPropertiesConverter(new DefaultMessagePropertiesConverter(),
				true, List.of());
		List<BasicProperties> received = Stream.of("lost", "m-1", "m-2", "m-3")
			.map((id) -> new BasicProperties.Builder().messageId(id).build())
			.toList();
		List<MessageProperties> converted = received.stream()
			.map((each) -> ofBatches.toMessageProperties(each, ENVELOPE, "UTF-8"))
			.toList();
		assertThat(converted.subList(1, 4)).map(ReceivedPropertiesConverter::received)
			.zipSatisfy(received.subList(1, 4), (actual, expected) -> assertThat(actual).isSameAs(expected));
	}

	@Test
	void convertsAsItsDelegateDoes() {
		BasicProperties received = new BasicProperties.Builder().deliveryMode(1)
			.messageId("m-1")
			.headers(Map.of("h", LongStringHelper.asLongString("v")))
			.build();
		MessageProperties expected = new DefaultMessagePropertiesConverter().toMessageProperties(received, ENVELOPE,
				"UTF-8");
		assertThat(convert(received)).isEqualTo(expected);
		assertThat(this.converter.fromMessageProperties(expected, "UTF-8").getMessageId()).isEqualTo("m-1");
	}

	@Test
	void anUnknownDeliveryModeIsReadAsPersistentAndKeptAsItWas() {
		BasicProperties received = new BasicProperties.Builder().deliveryMode(3).messageId("m-1").build();
		MessageProperties converted = convert(received);
		assertThat(converted.getReceivedDeliveryMode()).isEqualTo(MessageDeliveryMode.PERSISTENT);
		assertThat(converted.getMessageId()).isEqualTo("m-1");
		assertThat(ReceivedPropertiesConverter.received(converted).getDeliveryMode()).isEqualTo(3);
	}

	/** Spring AMQP would write it to the log as it is. */
	@ParameterizedTest
	@MethodSource
	void aMalformedDeathIsNotShownToTheDelegateAndKeptAsItWas(Object death) {
		AtomicReference<BasicProperties> shown = new AtomicReference<>();
		ReceivedPropertiesConverter converter = new ReceivedPropertiesConverter(
				new DefaultMessagePropertiesConverter() {

					@Override
					public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope,
							String charset) {
						shown.set(source);
						return super.toMessageProperties(source, envelope, charset);
					}

				});
		BasicProperties received = new BasicProperties.Builder().headers(Map.of("x-death", death, "h", 1)).build();
		MessageProperties converted = converter.toMessageProperties(received, ENVELOPE, "UTF-8");
		assertThat(shown.get().getHeaders()).containsExactly(Map.entry("h", 1));
		assertThat(converted.getHeaders()).containsEntry("h", 1).doesNotContainKey("x-death");
		assertThat(ReceivedPropertiesConverter.received(converted)).isSameAs(received);
	}

	/** Micrometer's getter casts to a text, before the advice runs. */
	@ParameterizedTest
	@ValueSource(strings = { "traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId", "X-B3-Sampled" })
	void aTraceContextThatIsNoTextIsNotShownAndKeptAsItWas(String name) {
		for (Object value : List.of(1, new byte[] { 1 }, Map.of("a", 1), List.of("a"))) {
			BasicProperties received = new BasicProperties.Builder().headers(Map.of(name, value, "h", 1)).build();
			MessageProperties converted = convert(received);
			assertThat(converted.getHeaders()).containsEntry("h", 1).doesNotContainKey(name);
			assertThat(ReceivedPropertiesConverter.received(converted)).isSameAs(received);
		}
		String text = "x".repeat(5000);
		MessageProperties converted = convert(
				new BasicProperties.Builder().headers(Map.of(name, LongStringHelper.asLongString(text))).build());
		assertThat(converted.<Object>getHeader(name)).isEqualTo(text);
	}

	/** Micrometer's propagator reads them as it reads the trace. */
	@Test
	void aBaggageFieldThatIsNoTextIsNotShown() {
		ReceivedPropertiesConverter withTenant = new ReceivedPropertiesConverter(
				new DefaultMessagePropertiesConverter(), false, List.of("tenant"));
		BasicProperties received = new BasicProperties.Builder().headers(Map.of("tenant", 7, "number", 7)).build();
		assertThat(withTenant.toMessageProperties(received, ENVELOPE, "UTF-8").getHeaders())
			.isEqualTo(Map.of("number", 7));
		assertThat(convert(received).getHeaders()).containsEntry("tenant", 7);
	}

	static Stream<Object> aMalformedDeathIsNotShownToTheDelegateAndKeptAsItWas() {
		return Stream.of(LongStringHelper.asLongString("forged\n2026-01-01 ERROR line"), 1, List.of(),
				List.of("forged\u0085line"), new byte[] { 1 });
	}

	@Test
	void aDeathOfTheBrokersIsShown() {
		Map<String, Object> death = Map.of("queue", "q", "count", 1L);
		BasicProperties received = new BasicProperties.Builder().headers(Map.of("x-death", List.of(death))).build();
		assertThat(convert(received).getXDeathHeader()).hasSize(1);
	}

	@Test
	void aHeaderThatIsNestedTooDeepIsNotShownAndKeptAsItWas() {
		Map<String, Object> tables = Map.of();
		List<Object> arrays = List.of();
		for (int level = 0; level < 20_000; level++) {
			tables = Map.of("n", tables);
			arrays = List.of(arrays);
		}
		BasicProperties received = new BasicProperties.Builder()
			.headers(Map.of("tables", tables, "arrays", arrays, "x-death", List.of(Map.of("n", tables)), "h", 1))
			.build();
		MessageProperties converted = convert(received);
		assertThat(converted.getHeaders()).isEqualTo(Map.of("h", 1));
		assertThat(ReceivedPropertiesConverter.received(converted)).isSameAs(received);
	}

	@Test
	void aProducersHeadersDoNotReplaceWhatSpringSaysOfTheDelivery() {
		BasicProperties received = new BasicProperties.Builder()
			.headers(Map.of(AmqpHeaders.RECEIVED_ROUTING_KEY, "forged", AmqpHeaders.USER_ID, "forged", "h", 1))
			.build();
		MessageProperties converted = convert(received);
		assertThat(new SimpleAmqpHeaderMapper().toHeaders(converted))
			.containsEntry(AmqpHeaders.RECEIVED_ROUTING_KEY, "k")
			.containsEntry("h", 1)
			.doesNotContainKey(AmqpHeaders.USER_ID);
		assertThat(new ReceivedMessage(received, new byte[0], "e", "k", "q").headers()).isEqualTo(Map.of("h", 1));
		assertThat(OutboundProperties.of(received, Map.of(), 0).properties().getHeaders())
			.isEqualTo(received.getHeaders());
	}

	@Test
	void aMissingDeliveryModeStaysMissing() {
		MessageProperties converted = convert(new BasicProperties());
		assertThat(converted.getReceivedDeliveryMode()).isNull();
		assertThat(ReceivedPropertiesConverter.received(converted).getDeliveryMode()).isNull();
	}

	@Test
	void aBrokenDelegateDoesNotEndTheConsumerNorHideTheHeaders() {
		ReceivedPropertiesConverter broken = new ReceivedPropertiesConverter(new DefaultMessagePropertiesConverter() {

			@Override
			public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope,
					String charset) {
				throw new IllegalStateException("can't");
			}

		});
		BasicProperties received = new BasicProperties.Builder().messageId("m-1").headers(Map.of("h", 1)).build();
		MessageProperties converted = broken.toMessageProperties(received, ENVELOPE, "UTF-8");
		assertThat(converted.getMessageId()).isEqualTo("m-1");
		assertThat(converted.getDeliveryTag()).isEqualTo(5);
		assertThat(converted.getHeaders()).containsEntry("h", 1);
		assertThat(ReceivedPropertiesConverter.received(converted)).isSameAs(received);
	}

	@Test
	void whatAnotherConverterReadIsTakenAsNearAsCanBe() {
		BasicProperties source = new BasicProperties.Builder().deliveryMode(2)
			.messageId("m-1")
			.headers(Map.of("h", LongStringHelper.asLongString("v")))
			.build();
		MessageProperties foreign = new DefaultMessagePropertiesConverter().toMessageProperties(source, ENVELOPE,
				"UTF-8");
		BasicProperties near = ReceivedPropertiesConverter.received(foreign);
		assertThat(near.getDeliveryMode()).isEqualTo(2);
		assertThat(near.getMessageId()).isEqualTo("m-1");
		assertThat(near.getHeaders()).hasEntrySatisfying("h", (value) -> assertThat(value).hasToString("v"));
	}

	@Test
	void eachDeliveryIsGivenOutOnceAndToItsOwnPropertiesOnly() {
		BasicProperties first = new BasicProperties.Builder().messageId("m-1").deliveryMode(1).build();
		BasicProperties second = new BasicProperties.Builder().messageId("m-2").build();
		MessageProperties convertedFirst = convert(first);
		MessageProperties convertedSecond = convert(second);
		assertThat(ReceivedPropertiesConverter.received(convertedFirst).getMessageId()).isEqualTo("m-1");
		assertThat(ReceivedPropertiesConverter.received(convertedSecond)).isSameAs(second);
	}

	private MessageProperties convert(BasicProperties received) {
		return this.converter.toMessageProperties(received, ENVELOPE, "UTF-8");
	}

}
