/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.MessageBatch;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Producer batches that the broker dead-letters are parked whole and exactly once, and do
 * not keep other dead letters from being parked.
 */
class DeadLetteredBatchIntegrationTests {

	private static final String QUEUE = "batch.order";

	private static final String PARKING_LOT = QUEUE + ".parking-lot";

	private static final String POLICY = "dead-lettered-batch";

	private final TestBroker broker = TestBroker.connect();

	/** By message id, in the order of publishing. */
	private final Map<String, byte[]> sent = new LinkedHashMap<>();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		this.application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.delivery-limit=1",
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms");
	}

	@AfterEach
	void stop() {
		this.application.close();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 100, 1000 })
	void rejectedByAForeignConsumerIsParkedWholeAndOnce(int size) throws Exception {
		publish(size);
		Channel foreign = this.broker.channel().getConnection().createChannel();
		for (int i = 0; i < this.sent.size(); i++) {
			foreign.basicReject(next(foreign).getEnvelope().getDeliveryTag(), false);
		}
		assertParkedWholeAndOnce("REJECTED");
	}

	@Test
	void givenUpAtTheDeliveryLimitIsParkedWholeAndOnce() throws Exception {
		publish(100);
		Channel foreign = this.broker.channel().getConnection().createChannel();
		for (int i = 0; i < 2 * this.sent.size(); i++) {
			foreign.basicReject(next(foreign).getEnvelope().getDeliveryTag(), true);
		}
		assertParkedWholeAndOnce("DELIVERY_LIMIT");
	}

	@Test
	void droppedByALengthLimitIsParkedWholeAndOnce() {
		publish(100);
		Broker.shared()
			.ctl("set_policy", "-p", Broker.shared().virtualHost(), "--apply-to", "queues", POLICY,
					"^" + QUEUE.replace(".", "\\.") + "$", "{\"max-length\":0,\"overflow\":\"drop-head\"}");
		try {
			assertParkedWholeAndOnce("QUEUE_OVERFLOW");
		}
		finally {
			Broker.shared().ctl("clear_policy", "-p", Broker.shared().virtualHost(), POLICY);
		}
	}

	private GetResponse next(Channel channel) {
		return Awaitility.await().until(() -> channel.basicGet(QUEUE, false), (got) -> got != null);
	}

	/** Five batches, with a single message after each. */
	private void publish(int size) {
		for (int batch = 0; batch < 5; batch++) {
			Message message = batch("batch-" + batch, size);
			BasicProperties properties = new DefaultMessagePropertiesConverter()
				.fromMessageProperties(message.getMessageProperties(), "UTF-8");
			assertThat(properties.getHeaders()).containsEntry("springBatchFormat", "lengthHeader4");
			send(properties, message.getBody());
			send(TestBroker.json("single-" + batch).build(), "{}".getBytes());
		}
	}

	private static Message batch(String id, int size) {
		SimpleBatchingStrategy strategy = new SimpleBatchingStrategy(size, Integer.MAX_VALUE, Long.MAX_VALUE);
		MessageBatch batch = null;
		for (int i = 0; i < size; i++) {
			batch = strategy.addToBatch("", QUEUE,
					MessageBuilder.withBody((id + " part " + i).getBytes())
						.setMessageId(id)
						.setContentType(MessageProperties.CONTENT_TYPE_TEXT_PLAIN)
						.build());
		}
		assertThat(batch).isNotNull();
		return batch.message();
	}

	private void send(BasicProperties properties, byte[] body) {
		this.broker.send(QUEUE, properties, body);
		this.sent.put(properties.getMessageId(), body);
	}

	private void assertParkedWholeAndOnce(String reason) {
		List<GetResponse> parked = new ArrayList<>();
		while (parked.size() < this.sent.size()) {
			parked.add(this.broker.take(PARKING_LOT));
		}
		// what comes twice comes while the queues drain
		Awaitility.await()
			.until(() -> this.broker.channel().messageCount(QUEUE + ".dlq") == 0
					&& this.broker.channel().messageCount(QUEUE) == 0);
		this.application.close();
		assertThat(this.broker.ready(QUEUE + ".dlq")).isZero();
		parked.addAll(this.broker.drain(PARKING_LOT));
		assertThat(parked).extracting((message) -> message.getProps().getMessageId())
			.containsExactlyInAnyOrderElementsOf(this.sent.keySet());
		assertThat(parked).allSatisfy((message) -> {
			assertThat(message.getBody()).isEqualTo(this.sent.get(message.getProps().getMessageId()));
			assertThat(TestBroker.text(message)).containsEntry("x-app-retry-reason", reason);
		});
		assertThat(parked).filteredOn((message) -> message.getProps().getMessageId().startsWith("batch"))
			.allSatisfy((message) -> assertThat(TestBroker.text(message)).containsEntry("springBatchFormat",
					"lengthHeader4"));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
