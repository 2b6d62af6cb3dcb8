/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ManagedListenerTests {

	private static final String SIMPLE = "spring.rabbitmq.listener.simple.";

	private static final String DIRECT = "spring.rabbitmq.listener.direct.";

	private final ApplicationContextRunner application = StartReport.application()
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	@ParameterizedTest
	@MethodSource
	void aListenerThatCannotBeOwnedStopsTheStart(Class<?> listener, List<String> properties, String problem,
			String remedy) {
		this.application.withUserConfiguration(listener)
			.withPropertyValues(properties.toArray(String[]::new))
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.startsWith("Listener '%s#handle' on queue '".formatted(listener.getSimpleName()))
					.contains("can't be retried safely: ")
					.contains(problem)
					.endsWith(".");
				assertThat(analysis.getAction()).contains(remedy).endsWith(".");
			});
	}

	static Stream<Arguments> aListenerThatCannotBeOwnedStopsTheStart() {
		String nested = "is nested in ours and would multiply the handler's calls";
		return Stream.of(
				Arguments.of(Plain.class, List.of(SIMPLE + "acknowledge-mode=manual"),
						"its acknowledge mode is MANUAL, not AUTO", SIMPLE + "acknowledge-mode"),
				Arguments.of(Plain.class, List.of(SIMPLE + "acknowledge-mode=none"),
						"its acknowledge mode is NONE, not AUTO", SIMPLE + "acknowledge-mode"),
				Arguments.of(Plain.class,
						List.of("spring.rabbitmq.listener.type=direct", DIRECT + "acknowledge-mode=manual"),
						"its acknowledge mode is MANUAL, not AUTO", DIRECT + "acknowledge-mode"),
				Arguments.of(Manual.class, List.of(), "its acknowledge mode is MANUAL, not AUTO",
						"and the acknowledgements in its methods"),
				Arguments.of(Plain.class, List.of(SIMPLE + "retry.enabled=true"), nested, SIMPLE + "retry.enabled"),
				Arguments.of(Plain.class, List.of(SIMPLE + "retry.enabled=true", SIMPLE + "retry.stateless=false"),
						nested, SIMPLE + "retry.enabled"),
				Arguments.of(Plain.class,
						List.of("spring.rabbitmq.listener.type=direct", DIRECT + "retry.enabled=true"), nested,
						DIRECT + "retry.enabled"),
				Arguments.of(Retryable.class, List.of(),
						"a second retry (RetryAnnotationInterceptor) around its method 'handle' " + nested,
						"Remove @Retryable"),
				Arguments.of(Transacted.class, List.of(), "its channel is transacted", "Remove channelTransacted"),
				Arguments.of(Routed.class, List.of(), "its connection factory routes by the calling thread",
						"the one connection factory that it consumes with"),
				Arguments.of(AsyncVoid.class, List.of(),
						"its method 'handle' is @Async, so that its message would be acknowledged before it is handled",
						"return a CompletableFuture"),
				Arguments.of(Reactive.class, List.of(),
						"its method 'handle' returns a Flux, to which Spring AMQP does not subscribe", "return a Mono"),
				Arguments.of(Async.class, List.of(SIMPLE + "acknowledge-mode=none"),
						"its acknowledge mode is NONE, not AUTO", SIMPLE + "acknowledge-mode"),
				Arguments.of(Batch.class, List.of("rabbit-retry.message-policies.Order.max-downstream-calls=3"),
						"it receives batches, and the cost of one message of a batch",
						"remove max-downstream-calls and max-cost"),
				Arguments.of(Batch.class, List.of("rabbit-retry.message-policies.Order.max-cost=3"),
						"it receives batches, and the cost of one message of a batch",
						"remove max-downstream-calls and max-cost"),
				Arguments.of(Batch.class, List.of("rabbit-retry.message-policies.Order.deduplication.store=in-memory"),
						"it receives batches, of which single messages can't be remembered as handled",
						"set deduplication.store of the message policy to none"),
				Arguments.of(Batch.class, List.of("rabbit-retry.message-policies.Order.handler-timeout=30s"),
						"it receives batches, and handler-timeout is the time of one message",
						"remove handler-timeout from the message policy"),
				Arguments.of(Batch.class, List.of("rabbit-retry.message-policies.Order.outage.enabled=true"),
						"it receives batches, and an outage cannot be distinguished from the failure of several messages",
						"set outage.enabled of the message policy to false"),
				Arguments.of(ReplyingBatch.class, List.of(SIMPLE + "consumer-batch-enabled=true"),
						"it receives batches and returns String, but Spring AMQP sends no replies to a batch",
						"return void, or take single messages"),
				Arguments.of(Batch.class, ordered(),
						"it receives batches, and its message policy keeps single messages in order (ordering)",
						"set ordering of the message policy to none"),
				Arguments.of(Mixed.class, ordered(),
						"it listens to several queues, and the message policy of one of them keeps its messages in order (ordering)",
						"Let each queue have a listener of its own"),
				Arguments.of(Plain.class, ordered(SIMPLE + "prefetch=0"),
						"its prefetch is 0, which is no bound, and its message policy holds messages", "to 1 or more"),
				Arguments.of(LaterReplyingBatch.class, List.of(SIMPLE + "consumer-batch-enabled=true"),
						"it receives batches and returns CompletableFuture, but Spring AMQP sends no replies to a batch",
						"must be of type Void"),
				Arguments.of(Mixed.class,
						List.of("rabbit-retry.message-policies.Other.owner=team-orders",
								"rabbit-retry.defaults.outage.enabled=true"),
						"its policies differ in outage.enabled or outage.dependency",
						"Give its policies one outage.dependency"));
	}

	private static List<String> ordered(String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.add("rabbit-retry.message-policies.Order.ordering=queue");
		properties.add("rabbit-retry.message-policies.Order.retry-backoff=fixed");
		return properties;
	}

	@Test
	void oneThatLeavesAcknowledgingToSomeOfItsMethodsStopsTheStart() {
		this.application.withUserConfiguration(SomeLater.class).run((context) -> {
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith("Listener 'SomeLater' on queue 'order' ")
				.contains("Spring AMQP leaves it to the method 'now' to acknowledge through its Channel");
			assertThat(analysis.getAction()).contains("give the method a class of its own");
		});
	}

	@ParameterizedTest
	@CsvSource({ "simple,auto", "simple,manual", "direct,auto", "direct,manual" })
	void oneThatReturnsAFutureIsOwnedAsSpringAmqpWantsIt(String type, String mode) {
		this.application.withUserConfiguration(Async.class)
			.withPropertyValues("spring.rabbitmq.listener.type=" + type,
					"spring.rabbitmq.listener." + type + ".acknowledge-mode=" + mode)
			.run((context) -> assertThat(advices(container(context))).singleElement()
				.extracting((advice) -> advice.getClass().getSimpleName())
				.isEqualTo("RetryAdvice"));
	}

	@Test
	void aQueueWithoutAPolicyIsNamedIfOthersOfItsListenerHaveOne(CapturedOutput output) {
		this.application.withUserConfiguration(Mixed.class).run((context) -> {
			assertThat(container(context).getAcknowledgeMode()).isEqualTo(AcknowledgeMode.MANUAL);
			assertThat(output).contains("Listener 'Mixed#handle' consumes [other] too, without a message policy");
		});
	}

	@ParameterizedTest
	@CsvSource({ "odrer, true", "invoice, false" })
	void aListenerIsSuggestedForAPolicyWhoseQueueIsMisspelled(String queue, boolean suggested, CapturedOutput output) {
		this.application.withUserConfiguration(Plain.class)
			.withPropertyValues("rabbit-retry.message-policies.Order.queue=" + queue)
			.run((context) -> {
				context.getBean(PolicySummary.class)
					.onApplicationEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0],
							context.getSourceApplicationContext(), null));
				assertThat(output).contains("No managed listener container consumes queue '" + queue + "'");
				assertThat(output.getOut().contains("Did you mean 'order'")).isEqualTo(suggested);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void anOwnedContainerAcknowledgesNothingByItself(String type) {
		this.application.withUserConfiguration(Plain.class)
			.withPropertyValues("spring.rabbitmq.listener.type=" + type)
			.run((context) -> {
				AbstractMessageListenerContainer container = container(context);
				assertThat(container.getAcknowledgeMode()).isEqualTo(AcknowledgeMode.MANUAL);
				assertThat(advices(container)).singleElement()
					.extracting((advice) -> advice.getClass().getSimpleName())
					.isEqualTo("RetryAdvice");
				assertThat(ReflectionTestUtils.getField(container, "messagePropertiesConverter"))
					.isInstanceOf(ReceivedPropertiesConverter.class);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { SIMPLE + "consumer-batch-enabled=true", SIMPLE + "consumer-batch-enabled=false",
			"spring.rabbitmq.listener.type=direct" })
	void aListenerOfBatchesIsOwned(String property) {
		this.application.withUserConfiguration(Batch.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(container(context).getAcknowledgeMode()).isEqualTo(AcknowledgeMode.MANUAL));
	}

	@Test
	void theUsersAdviceStaysInsideOurs() {
		this.application.withUserConfiguration(Advised.class).run((context) -> {
			assertThat(advices(container(context))).hasSize(2).last().isSameAs(Advised.ADVICE);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { SIMPLE + "acknowledge-mode=manual", SIMPLE + "acknowledge-mode=auto",
			SIMPLE + "retry.enabled=true", SIMPLE + "retry.enabled=false" })
	void aListenerWithoutAPolicyIsLeftAsItIs(String property) {
		ApplicationContextRunner other = this.application.withUserConfiguration(Other.class)
			.withPropertyValues(property);
		other.run((context) -> {
			AbstractMessageListenerContainer container = container(context);
			StartReport.application().withUserConfiguration(Other.class).withPropertyValues(property).run((without) -> {
				AbstractMessageListenerContainer expected = container(without);
				assertThat(container.getAcknowledgeMode()).isEqualTo(expected.getAcknowledgeMode());
				assertThat(advices(container)).extracting(Object::getClass)
					.isEqualTo(advices(expected).stream().map(Object::getClass).toList());
				assertThat(ReflectionTestUtils.getField(container, "messagePropertiesConverter"))
					.isExactlyInstanceOf(DefaultMessagePropertiesConverter.class);
			});
		});
	}

	private static AbstractMessageListenerContainer container(ApplicationContext context) {
		return (AbstractMessageListenerContainer) context.getBean(RabbitListenerEndpointRegistry.class)
			.getListenerContainers()
			.iterator()
			.next();
	}

	static List<Advice> advices(AbstractMessageListenerContainer container) {
		Advice[] chain = ReflectionTestUtils.invokeMethod(container, "getAdviceChain");
		return (chain != null) ? List.of(chain) : List.of();
	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@RabbitListener(queues = "order")
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Other {

		@RabbitListener(queues = "other")
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mixed {

		@RabbitListener(queues = { "order", "other" })
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Manual {

		@RabbitListener(queues = "order", ackMode = "MANUAL")
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	static class Retryable {

		@RabbitListener(queues = "order")
		@org.springframework.resilience.annotation.Retryable
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Async {

		@RabbitListener(queues = "order")
		CompletableFuture<Void> handle(String body) {
			return CompletableFuture.completedFuture(null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class AsyncVoid {

		@RabbitListener(queues = "order")
		@org.springframework.scheduling.annotation.Async
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Reactive {

		@RabbitListener(queues = "order")
		Flux<String> handle(String body) {
			return Flux.just(body);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@RabbitListener(queues = "order")
	static class SomeLater {

		@RabbitHandler
		CompletableFuture<Void> later(String body) {
			return CompletableFuture.completedFuture(null);
		}

		@RabbitHandler
		void now(Integer body, Channel channel) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Batch {

		@RabbitListener(queues = "order", batch = "true")
		void handle(List<String> bodies) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LaterReplyingBatch {

		@RabbitListener(queues = "order", batch = "true")
		CompletableFuture<String> handle(List<String> bodies) {
			return CompletableFuture.completedFuture("handled");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplyingBatch {

		@RabbitListener(queues = "order", batch = "true")
		String handle(List<String> bodies) {
			return "handled";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Transacted {

		@Bean
		static SimpleRabbitListenerContainerFactory transacted(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setChannelTransacted(true);
			return factory;
		}

		@RabbitListener(queues = "order", containerFactory = "transacted")
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Routed {

		@Bean
		static SimpleRabbitListenerContainerFactory routed(ConnectionFactory connectionFactory) {
			SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
			routing.setDefaultTargetConnectionFactory(connectionFactory);
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(routing);
			return factory;
		}

		@RabbitListener(queues = "order", containerFactory = "routed")
		void handle(String body) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Advised {

		private static final MethodInterceptor ADVICE = (invocation) -> invocation.proceed();

		@Bean
		static SimpleRabbitListenerContainerFactory advised(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setAutoStartup(false);
			factory.setAdviceChain(ADVICE);
			return factory;
		}

		@RabbitListener(queues = "order", containerFactory = "advised")
		void handle(String body) {
		}

	}

}
