/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQBasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import com.rabbitmq.client.impl.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OutboundMessageCheckTests {

	private static final int FRAME = 131_072;

	/** 86 bytes that are not UTF-8 as the client decodes them: 258 bytes of UTF-8. */
	private static final String DECODED = "\uFFFD".repeat(86);

	@ParameterizedTest
	@MethodSource
	void aTextOfMoreThan255BytesCanNotBePublished(Function<String, BasicProperties.Builder> property)
			throws IOException {
		assertThat(OutboundMessageCheck.problem(property.apply("\uFFFD".repeat(85)).build(), FRAME)).isEmpty();
		BasicProperties tooLong = property.apply(DECODED).build();
		assertThat(OutboundMessageCheck.problem(tooLong, FRAME))
			.hasValueSatisfying((why) -> assertThat(why).contains("258"));
		assertThatIllegalArgumentException().as("what the client does").isThrownBy(() -> encode(tooLong));
	}

	static Stream<Function<String, BasicProperties.Builder>> aTextOfMoreThan255BytesCanNotBePublished() {
		return Stream.of((text) -> builder().contentType(text), (text) -> builder().contentEncoding(text),
				(text) -> builder().correlationId(text), (text) -> builder().replyTo(text),
				(text) -> builder().expiration(text), (text) -> builder().messageId(text),
				(text) -> builder().type(text), (text) -> builder().userId(text), (text) -> builder().appId(text),
				(text) -> builder().clusterId(text), (text) -> builder().headers(Map.of(text, 1)),
				(text) -> builder().headers(Map.of("nested", List.of(Map.of(text, 1)))));
	}

	@Test
	void everyTypeThatTheBrokerSendsCanBePublished() {
		Map<String, Object> headers = new HashMap<>();
		headers.put("nothing", null);
		headers.put("table",
				Map.of("date", new Date(0), "list", List.of(Map.of(), new byte[3], new BigDecimal("7.8"))));
		headers.put("numbers", List.of((byte) 1, (short) 2, 3, 4L, 5f, 6d, true));
		assertThat(OutboundMessageCheck.problem(builder().headers(headers).build(), FRAME)).isEmpty();
		assertThat(OutboundMessageCheck.problem(new BasicProperties(), FRAME)).isEmpty();
	}

	@Test
	void aHeaderOfATypeThatIsNotAmqpsCanNotBePublished() {
		assertThat(OutboundMessageCheck.problem(builder().headers(Map.of("id", UUID.randomUUID())).build(), FRAME))
			.isPresent();
		assertThat(OutboundMessageCheck.problem(builder().headers(Map.of("d", new BigDecimal("1e90"))).build(), FRAME))
			.isPresent();
		assertThat(OutboundMessageCheck.problem(builder().headers(Collections.singletonMap(null, 1)).build(), FRAME))
			.isPresent();
	}

	@Test
	void aHeaderNestedDeeperThanTheStackCanNotBePublished() {
		Map<String, Object> nested = Map.of();
		for (int depth = 0; depth < 100_000; depth++) {
			nested = Map.of("n", nested);
		}
		assertThat(OutboundMessageCheck.problem(builder().headers(nested).build(), FRAME))
			.hasValueSatisfying((why) -> assertThat(why).contains("deep"));
	}

	@Test
	void headersMustFitOneFrameToTheByteAsTheClientCountsThem() throws IOException {
		BasicProperties properties = builder().headers(Map.of("large", "x".repeat(FRAME))).build();
		int frame = frame(properties).size();
		assertThat(OutboundMessageCheck.problem(properties, frame)).isEmpty();
		assertThat(OutboundMessageCheck.problem(properties, frame - 1))
			.hasValueSatisfying((why) -> assertThat(why).contains(String.valueOf(frame)));
		assertThat(OutboundMessageCheck.problem(properties, 0)).as("without a limit").isEmpty();
	}

	@Test
	void onlyADirectReplyToAddressThatTheBrokerMadeCanBePublished() {
		assertThat(OutboundMessageCheck.problem(builder().replyTo("amq.rabbitmq.reply-to").build(), FRAME)).isPresent();
		assertThat(OutboundMessageCheck
			.problem(builder().replyTo("amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM.key==").build(), FRAME)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theExchangeAndTheRoutingKeyMustBeShortToo(boolean exchange) {
		BasicProperties properties = new BasicProperties();
		String name = "n".repeat(255);
		assertThat(OutboundMessageCheck.problem(name, name, properties, FRAME)).isEmpty();
		assertThat(OutboundMessageCheck.problem(exchange ? name + "n" : name, exchange ? name : name + "n", properties,
				FRAME))
			.isPresent();
	}

	private static BasicProperties.Builder builder() {
		return new BasicProperties.Builder();
	}

	private static void encode(AMQBasicProperties properties) throws IOException {
		properties
			.writePropertiesTo(new ContentHeaderPropertyWriter(new DataOutputStream(OutputStream.nullOutputStream())));
	}

	private static Frame frame(AMQBasicProperties properties) throws IOException {
		return properties.toFrame(1, 0);
	}

}
