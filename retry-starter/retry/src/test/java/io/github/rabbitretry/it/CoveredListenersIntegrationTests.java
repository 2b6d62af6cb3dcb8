/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.postprocessor.GUnzipPostProcessor;
import org.springframework.amqp.support.postprocessor.GZipPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

class CoveredListenersIntegrationTests {

	private static final List<String> POLICIES = List.of("covered.boot", "covered.direct", "covered.later",
			"covered.unzipping");

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() throws Exception {
		this.broker.channel().queueDeclare("covered.stranger", true, false, false, null);
		Application.handled.clear();
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=1",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Boot.queue=covered.boot",
				"rabbit-retry.message-policies.Direct.queue=covered.direct",
				"rabbit-retry.message-policies.Later.queue=covered.later",
				"rabbit-retry.message-policies.Unzipping.queue=covered.unzipping");
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		Channel channel = this.broker.channel();
		for (String queue : POLICIES) {
			for (String name : List.of(queue, queue + ".retry.200ms", queue + ".dlq", queue + ".parking-lot")) {
				channel.queueDelete(name);
			}
		}
		channel.queueDelete("covered.stranger");
		channel.queueDelete("covered.declared");
		this.broker.close();
	}

	@Test
	void ofBootsFactoryAreRetried() {
		assertRetriedAndParked("covered.boot", "Boot");
	}

	@Test
	void ofAUsersOwnDirectFactoryAreRetried() {
		assertRetriedAndParked("covered.direct", "Direct");
	}

	@Test
	void registeredLaterAreRetried() {
		SimpleRabbitListenerEndpoint endpoint = new SimpleRabbitListenerEndpoint();
		endpoint.setId("later");
		endpoint.setQueueNames("covered.later");
		endpoint.setMessageListener((MessageListener) (message) -> {
			Application.handled.add("covered.later");
			throw new IllegalStateException("no");
		});
		this.application.getBean(RabbitListenerEndpointRegistry.class)
			.registerListenerContainer(endpoint, this.application.getBean("rabbitListenerContainerFactory",
					SimpleRabbitListenerContainerFactory.class), true);
		assertRetriedAndParked("covered.later", "Later");
	}

	@Test
	void keepTheBodyAsItCameThoughTheContainerUnzipsIt() {
		byte[] zipped = new GZipPostProcessor(true).postProcessMessage(new Message("fail".getBytes())).getBody();
		this.broker.send("covered.unzipping",
				TestBroker.json("m").contentEncoding("gzip").headers(Map.of("springAutoDecompress", true)).build(),
				zipped);
		GetResponse parked = this.broker.take("covered.unzipping.parking-lot");
		assertThat(parked.getBody()).isEqualTo(zipped);
		assertThat(parked.getProps().getContentEncoding()).isEqualTo("gzip");
		assertThat(Application.handled).containsExactly("covered.unzipping fail", "covered.unzipping fail");
	}

	private void assertRetriedAndParked(String queue, String type) {
		this.broker.sendJson(queue, "m", Map.of(), "fail");
		Map<String, Object> headers = RetryLifecycleIntegrationTests.text(this.broker.take(queue + ".parking-lot"));
		assertThat(headers).containsEntry("x-app-message-type", type).containsEntry("x-app-retry-attempt", "1");
		assertThat(Application.handled).filteredOn(queue::equals).hasSize(2);
	}

	@Test
	void withoutAPolicyBehaveAsWithoutTheStarter() throws Exception {
		RabbitListenerEndpointRegistry registry = this.application.getBean(RabbitListenerEndpointRegistry.class);
		AbstractMessageListenerContainer container = (AbstractMessageListenerContainer) registry
			.getListenerContainer("stranger");
		assertThat(container.getAcknowledgeMode()).isEqualTo(AcknowledgeMode.AUTO);
		this.broker.sendJson("covered.stranger", "m", Map.of(), "fail");
		// requeued at once, again and again, as Spring AMQP does
		Awaitility.await()
			.untilAsserted(() -> assertThat(Application.handled).filteredOn("covered.stranger"::equals)
				.hasSizeGreaterThan(10));
		this.broker.sendJson("covered.stranger", "m", Map.of(), "reject");
		Awaitility.await().until(() -> Application.handled.contains("rejected"));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = "covered.boot")
		void boot(String body) {
			handle("covered.boot");
		}

		@RabbitListener(queues = "covered.direct", containerFactory = "own")
		void direct(String body) {
			handle("covered.direct");
		}

		@RabbitListener(queues = "covered.unzipping", containerFactory = "unzipping")
		void unzipping(byte[] body) {
			handle("covered.unzipping " + new String(body));
		}

		@RabbitListener(id = "stranger", queues = "covered.stranger")
		void stranger(byte[] body) {
			if (new String(body).equals("reject")) {
				handled.add("rejected");
				throw new AmqpRejectAndDontRequeueException("no");
			}
			handle("covered.stranger");
		}

		private static void handle(String queue) {
			if (handled.size() > 5000) {
				return;
			}
			handled.add(queue);
			throw new IllegalStateException("no");
		}

		@Bean
		static DirectRabbitListenerContainerFactory own(ConnectionFactory connectionFactory) {
			DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			return factory;
		}

		@Bean
		static SimpleRabbitListenerContainerFactory unzipping(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setAfterReceivePostProcessors(new GUnzipPostProcessor());
			return factory;
		}

		@Bean
		Queue declaredBesidesOurs() {
			return new Queue("covered.declared");
		}

	}

}
