/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.LongStringHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

class OutboundPropertiesTests {

	private static final int FRAME = 131_072;

	private static final Map<String, Object> OURS = Map.of(AppHeaders.RETRY_ATTEMPT, 1, AppHeaders.HANDOVER_ID, 7L);

	private static final BasicProperties FULL = new BasicProperties.Builder().contentType("application/json")
		.contentEncoding("gzip")
		.deliveryMode(2)
		.priority(4)
		.correlationId("c-1")
		.replyTo("replies")
		.messageId("m-1")
		.timestamp(new Date(1_782_000_000_000L))
		.type("Order")
		.appId("shop")
		.clusterId("c")
		.build();

	/** It spares most copies the encoding. */
	@Test
	void noHeadersTakeMoreThanIsThoughtWithoutEncodingThem() throws IOException {
		for (Object value : List.of("", "text", "\u00e4\u20ac", "\ud83d\ude00", "\ud83d", 1, Long.MAX_VALUE, true,
				LongStringHelper.asLongString(new byte[] { -1, 0 }))) {
			Map<String, Object> headers = Map.of("", value, "name \u20ac", value);
			assertThat(OutboundProperties.mostBytes(headers)).isBetween(Frame.tableSize(headers), 200L);
		}
		for (Object value : List.of(Map.of(), List.of(), new Date(), BigDecimal.ONE, new byte[0], 1.0)) {
			assertThat(OutboundProperties.mostBytes(Map.of("name", value))).isEqualTo(Long.MAX_VALUE);
		}
	}

	@Test
	void everyPropertyIsKeptByteForByte() throws IOException {
		OutboundProperties copy = OutboundProperties.of(FULL, Map.of(), FRAME);
		assertThat(encoded(copy.properties())).isEqualTo(encoded(FULL.builder().headers(Map.of()).build()));
		assertThat(copy.dropped()).isEmpty();
	}

	@Test
	void everyTypeOfHeaderIsKeptAsTheBrokerSentIt() throws IOException {
		Map<String, Object> headers = new HashMap<>();
		headers.put("text", LongStringHelper.asLongString("traceparent"));
		headers.put("bytes", LongStringHelper.asLongString(new byte[] { 0, (byte) 0xff, 1 }));
		headers.put("array", new byte[] { 1, 2, 3 });
		headers.put("nothing", null);
		headers.put("numbers", Arrays.asList((byte) 1, (short) 2, 3, 4L, 5f, 6d, new BigDecimal("7.8"), null, true));
		headers.put("table", Map.of("date", new Date(1_782_000_000_000L), "list", List.of(Map.of())));
		BasicProperties received = decoded(encoded(FULL.builder().headers(headers).build()));
		BasicProperties copy = OutboundProperties.of(received, Map.of(), FRAME).properties();
		assertThat(encoded(copy)).isEqualTo(encoded(received));
		assertThat(copy.getHeaders().get("text")).isInstanceOf(LongString.class);
		assertThat(((LongString) copy.getHeaders().get("bytes")).getBytes()).containsExactly(0, 0xff, 1);
		assertThat(copy.getHeaders()).containsEntry("nothing", null);
	}

	@ParameterizedTest
	@MethodSource
	void persistenceIsKeptAsItWas(BasicProperties received, Integer mode) {
		assertThat(OutboundProperties.of(received, OURS, FRAME).properties().getDeliveryMode()).isEqualTo(mode);
	}

	static Stream<Arguments> persistenceIsKeptAsItWas() {
		return Stream.of(1, 2, 3, null)
			.map((mode) -> Arguments.of(new BasicProperties.Builder().deliveryMode(mode).build(), mode));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "x-death", "x-delivery-count", "x-acquired-count", "x-opt-delivery-time", "x-first-death-queue",
					"x-first-death-reason", "x-first-death-exchange", "x-last-death-queue", "x-last-death-reason",
					"x-last-death-exchange", "CC", "BCC", AppHeaders.RETRY_DELAY, AppHeaders.RETRY_NOT_BEFORE,
					AppHeaders.EXCEPTION, AppHeaders.PARKED_AT, AppHeaders.DROPPED_HEADERS, AppHeaders.HANDOVER_ID })
	void whatTheBrokerMadeAndWhatIsOfTheLastHopIsTakenOff(String header) {
		Map<String, Object> headers = Map.of(header, "v", "tenant", 7);
		BasicProperties received = FULL.builder().headers(headers).build();
		assertThat(OutboundProperties.of(received, Map.of(), FRAME).properties().getHeaders())
			.isEqualTo(Map.of("tenant", 7));
	}

	@Test
	void headersOfOthersAreKeptEvenIfTheyLookLikeOursAndOursWin() {
		BasicProperties received = FULL.builder()
			.headers(Map.of("x-app-tenant", "t", "x-app-origin-exchange", "e", "x-deaths", 1, "cc", "no", "x-replayed",
					true, AppHeaders.RETRY_ATTEMPT, 99))
			.build();
		assertThat(OutboundProperties.of(received, OURS, FRAME).properties().getHeaders())
			.isEqualTo(Map.of("x-app-tenant", "t", "x-app-origin-exchange", "e", "x-deaths", 1, "cc", "no",
					"x-replayed", true, AppHeaders.RETRY_ATTEMPT, 1, AppHeaders.HANDOVER_ID, 7L));
	}

	@Test
	void itsOwnTimeToLiveAndTheProducersUserAreTakenOff() {
		BasicProperties received = FULL.builder().expiration("60000").userId("producer").build();
		BasicProperties copy = OutboundProperties.of(received, OURS, FRAME).properties();
		assertThat(copy.getExpiration()).isNull();
		assertThat(copy.getUserId()).isNull();
		assertThat(received.getExpiration()).isEqualTo("60000");
	}

	@Test
	void aMessageWithoutPropertiesGetsOurs() {
		BasicProperties copy = OutboundProperties.of(new BasicProperties(), OURS, FRAME).properties();
		assertThat(copy.getHeaders()).isEqualTo(OURS);
	}

	@ParameterizedTest
	@ValueSource(ints = { FRAME, 0 })
	void aHeaderThatLeavesNoRoomIsDroppedAndNamed(int frameMax) throws IOException {
		BasicProperties received = FULL.builder()
			.headers(Map.of("huge", LongStringHelper.asLongString(new byte[120_000]), "small", "s"))
			.build();
		OutboundProperties copy = OutboundProperties.of(received, OURS, frameMax);
		assertThat(copy.dropped()).containsExactly("huge");
		assertThat(copy.properties().getHeaders()).doesNotContainKey("huge")
			.containsEntry("small", "s")
			.containsEntry(AppHeaders.DROPPED_HEADERS, "huge")
			.containsAllEntriesOf(OURS);
		assertThat(encoded(copy.properties())).hasSizeLessThan(FRAME);
	}

	@Test
	void manyHeadersAreDroppedLargestFirstUntilTheRestFits() throws IOException {
		Map<String, Object> headers = new HashMap<>();
		IntStream.range(0, 2000).forEach((index) -> headers.put("h-" + index, "x".repeat(30 + index / 40)));
		OutboundProperties copy = OutboundProperties.of(FULL.builder().headers(headers).build(), OURS, FRAME);
		assertThat(copy.dropped()).isNotEmpty().doesNotContain("h-0");
		assertThat((String) copy.properties().getHeaders().get(AppHeaders.DROPPED_HEADERS))
			.hasSizeLessThanOrEqualTo(1024)
			.endsWith("...");
		assertThat(encoded(copy.properties())).hasSizeLessThan(FRAME - 8 * 1024);
	}

	@Test
	void headersThatFitAreAllKept() throws IOException {
		Map<String, Object> headers = Map.of("large", "x".repeat(104_000));
		OutboundProperties copy = OutboundProperties.of(FULL.builder().headers(headers).build(), OURS, FRAME);
		assertThat(copy.dropped()).isEmpty();
		assertThat(Frame.tableSize(copy.properties().getHeaders())).isGreaterThan(104_000);
	}

	@Test
	void whatCanBePublishedIsParkedAsItIs() {
		BasicProperties received = FULL.builder().headers(Map.of("tenant", 7)).build();
		assertThat(OutboundProperties.forParking(received, OURS, FRAME))
			.isEqualTo(OutboundProperties.of(received, OURS, FRAME));
	}

	@Test
	void whatCanNotBePublishedIsParkedAsData() {
		String tooLong = "\uFFFD".repeat(86);
		LongString bytes = LongStringHelper.asLongString(new byte[] { 0, (byte) 0xff });
		BasicProperties received = FULL.builder()
			.messageId(tooLong)
			.replyTo("amq.rabbitmq.reply-to")
			.headers(Map.of("tenant", 7, tooLong, bytes, "nested", List.of(Map.of(tooLong, 1))))
			.build();
		OutboundProperties parked = OutboundProperties.forParking(received, OURS, FRAME);
		assertThat(OutboundMessageCheck.problem(parked.properties(), FRAME)).isEmpty();
		assertThat(parked.dropped()).isEmpty();
		assertThat(parked.properties().getMessageId()).isNull();
		assertThat(parked.properties().getReplyTo()).isNull();
		assertThat(parked.properties().getCorrelationId()).isEqualTo("c-1");
		assertThat(parked.properties().getHeaders()).containsEntry("tenant", 7).containsAllEntriesOf(OURS).hasSize(4);
		assertThat(parked.properties().getHeaders().get("x-app-unpublishable")).asInstanceOf(list(Map.class))
			.containsExactlyInAnyOrder(Map.of("property", "message-id", "value", tooLong),
					Map.of("property", "reply-to", "value", "amq.rabbitmq.reply-to"),
					Map.of("header", tooLong, "value", bytes),
					Map.of("header", "nested", "value", List.of(List.of(List.of(tooLong, 1)))));
	}

	@ParameterizedTest
	@ValueSource(ints = { 96, 97, 98, 99, 100, 101 })
	void whatIsKeptAsDataIsNotNestedTooDeepThere(int depth) {
		Map<String, Object> nested = Map.of();
		for (int i = 1; i < depth; i++) {
			nested = Map.of("n", nested);
		}
		BasicProperties received = FULL.builder().headers(Map.of("\uFFFD".repeat(86), nested)).build();
		OutboundProperties parked = OutboundProperties.forParking(received, OURS, FRAME);
		assertThat(OutboundMessageCheck.problem(parked.properties(), FRAME)).isEmpty();
	}

	@Test
	void whatCanNotEvenBeKeptAsDataIsDroppedAndNamed() {
		Map<String, Object> nested = Map.of();
		for (int depth = 0; depth < 100_000; depth++) {
			nested = Map.of("n", nested);
		}
		String tooLong = "\uFFFD".repeat(86);
		BasicProperties received = FULL.builder()
			.messageId(tooLong)
			.headers(Map.of("deep", nested, tooLong, "x".repeat(100_000), "tenant", 7))
			.build();
		OutboundProperties parked = OutboundProperties.forParking(received, OURS, FRAME);
		assertThat(OutboundMessageCheck.problem(parked.properties(), FRAME)).isEmpty();
		assertThat(parked.dropped()).containsExactlyInAnyOrder("deep", tooLong);
		assertThat(parked.properties().getHeaders()).containsEntry("tenant", 7)
			.containsKeys("x-app-unpublishable", "x-app-dropped-headers");
	}

	private static byte[] encoded(BasicProperties properties) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		Map<String, Object> headers = properties.getHeaders();
		properties.builder()
			.headers((headers != null) ? new TreeMap<>(headers) : null)
			.build()
			.writePropertiesTo(new ContentHeaderPropertyWriter(new DataOutputStream(bytes)));
		return bytes.toByteArray();
	}

	private static BasicProperties decoded(byte[] bytes) throws IOException {
		// a header frame has the weight and the body's size before the properties
		InputStream frame = new SequenceInputStream(new ByteArrayInputStream(new byte[10]),
				new ByteArrayInputStream(bytes));
		return new BasicProperties(new DataInputStream(frame));
	}

}
