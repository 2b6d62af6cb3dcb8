/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.rabbitretry.broker.Broker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Instances that start at the same moment at a broker where nothing is declared yet.
 */
@ExtendWith(OutputCaptureExtension.class)
class SimultaneousStartIntegrationTests {

	private static final String PREFIX = "simultaneous";

	private static final int INSTANCES = 3;

	private static final String[] POLICIES = { "rabbit-retry.message-policies.Order.queue=simultaneous.order",
			"rabbit-retry.message-policies.Order.retry-backoff=fixed",
			"rabbit-retry.message-policies.Order.initial-delay=200ms",
			"rabbit-retry.message-policies.Order.broker-attempts=1",
			"rabbit-retry.message-policies.Order.exchange=simultaneous.orders",
			"rabbit-retry.message-policies.Order.routing-keys=order",
			"rabbit-retry.message-policies.Invoice.queue=simultaneous.invoice",
			"rabbit-retry.message-policies.Refund.queue=simultaneous.refund",
			"rabbit-retry.message-policies.Refund.ring=shared",
			"rabbit-retry.message-policies.Own.queue=simultaneous.own",
			"rabbit-retry.message-policies.Own.work-queue=existing", };

	private static final CyclicBarrier BEFORE_DECLARING = new CyclicBarrier(INSTANCES);

	@AfterEach
	void remove() {
		// one that a start did not come to is broken for good
		BEFORE_DECLARING.reset();
		try (TestBroker broker = TestBroker.connect()) {
			broker.deleteAll(PREFIX);
		}
	}

	@RepeatedTest(3)
	void declareEverythingTogetherAndAllOfThemStart(CapturedOutput output) throws Exception {
		assumeTrue(Broker.shared().managementUri().isPresent());
		ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
		CountDownLatch started = new CountDownLatch(INSTANCES);
		CountDownLatch seen = new CountDownLatch(1);
		try {
			List<Future<Optional<Throwable>>> starts = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> threads.submit(() -> start(started, seen)))
				.toList();
			started.await(1, TimeUnit.MINUTES);
			assertEverythingIsThere();
			seen.countDown();
			for (Future<Optional<Throwable>> start : starts) {
				assertThat(start.get()).isEmpty();
			}
		}
		finally {
			seen.countDown();
			threads.shutdown();
			threads.awaitTermination(1, TimeUnit.MINUTES);
		}
		assertThat(output).doesNotContain("ERROR").doesNotContain("can't be reached");
	}

	private static void assertEverythingIsThere() throws Exception {
		try (TestBroker broker = TestBroker.connect()) {
			assertThat(broker.queues(PREFIX)).contains("simultaneous.order", "simultaneous.invoice", "simultaneous.own",
					"simultaneous.refund.parking-lot", "simultaneous.order.parking-lot");
			broker.channel().basicPublish("simultaneous.orders", "order", true, null, new byte[0]);
			broker.channel().waitForConfirmsOrDie(5000);
			broker.take("simultaneous.order.parking-lot");
		}
	}

	private static Optional<Throwable> start(CountDownLatch started, CountDownLatch seen) {
		List<Throwable> failures = new ArrayList<>();
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues(TestBroker.arguments().stream().map((text) -> text.substring(2)).toArray(String[]::new))
			.withPropertyValues(POLICIES)
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					failures.add(context.getStartupFailure());
				}
				started.countDown();
				seen.await(1, TimeUnit.MINUTES);
			});
		return failures.stream().findAny();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Queue own() {
			return new Queue("simultaneous.own");
		}

		@Bean
		DirectExchange owns() {
			return new DirectExchange("simultaneous.owns");
		}

		@Bean
		Binding binding() {
			return BindingBuilder.bind(own()).to(owns()).with("own");
		}

		/**
		 * Runs before the initializer of the topology, which is a bean of a later name.
		 */
		@Bean
		SmartInitializingSingleton together(ConnectionFactory connectionFactory) {
			return () -> {
				try {
					BEFORE_DECLARING.await(1, TimeUnit.MINUTES);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			};
		}

		@RabbitListener(queues = "simultaneous.order")
		void handle(byte[] order) {
			throw new IllegalArgumentException("never");
		}

	}

}
