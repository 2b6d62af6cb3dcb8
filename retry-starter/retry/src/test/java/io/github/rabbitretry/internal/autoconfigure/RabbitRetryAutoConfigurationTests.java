/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.AMQP;
import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.actuate.RabbitRetryHealthIndicator;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.listener.ContextProvidingRegistry;
import io.github.rabbitretry.internal.listener.RetryContainerConfigurer;
import io.github.rabbitretry.internal.listener.RetryListenerEndpointRegistry;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.multiconnection.DeadLetterConsumersPerConnection;
import io.github.rabbitretry.internal.multiconnection.TopologyPerConnection;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.provision.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RabbitRetryAutoConfigurationTests {

	private static final String POLICY = "rabbit-retry.message-policies.Order.owner=team-orders";

	private static final List<Class<?>> OURS = List.of(MessagePolicies.class, ClassificationChain.class,
			ConfirmedPublishers.class, ConsumerIdentity.class, DeliveryListener.class, RetryContainerConfigurer.class,
			TopologyPerConnection.class, DeadLetterConsumersPerConnection.class);

	private final ApplicationContextRunner application = StartReport.application();

	@Test
	void variablesThatNameBrokersOfTestsAreNoKeys() {
		Map<String, Object> variables = Arrays.stream(Setting.values())
			.collect(Collectors.toMap(Setting::toString, (setting) -> "amqp://127.0.0.1"));
		this.application
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void withoutAPolicyThereIsOnlyARegistryThatKnowsRetryContexts() {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			OURS.forEach((type) -> assertThat(context).doesNotHaveBean(type));
			assertThat(context.getBean(RabbitListenerEndpointRegistry.class).getClass())
				.isEqualTo(ContextProvidingRegistry.class);
		});
	}

	@Test
	void withoutSpringsTemplateThereIsNoBeanAtAll() {
		this.application.withPropertyValues(POLICY)
			.withClassLoader(new FilteredClassLoader(RabbitTemplate.class))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				OURS.forEach((type) -> assertThat(context).doesNotHaveBean(type));
			});
	}

	@Test
	void onePolicyIsEnough() {
		this.application
			.withPropertyValues(POLICY, "spring.application.name=worker", "rabbit-retry.topology.mode=declare",
					"rabbit-retry.dead-letter-consumer.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				OURS.forEach((type) -> assertThat(context.getBeanProvider(type).stream()).isNotEmpty());
				assertThat(context.getBean(RabbitListenerEndpointRegistry.class))
					.isInstanceOf(RetryListenerEndpointRegistry.class);
				assertThat(context.getBean(ConsumerIdentity.class))
					.isEqualTo(new ConsumerIdentity("worker", "worker:unknown"));
				assertThat(context.getBean(MessagePolicies.class).ofQueue("order")).isPresent();
				assertThat(context.getBean(DeadLetterConsumersPerConnection.class).isRunning()).isTrue();
			});
	}

	@Test
	void aPolicyWithoutAnyKeyIsAPolicy() {
		this.application.withPropertyValues("rabbit-retry.message-policies.Order=")
			.run((context) -> assertThat(context.getBean(MessagePolicies.class).ofQueue("order")).isPresent());
	}

	@Test
	void theBrokerMayBeAwayAtTheStart(CapturedOutput output) {
		this.application.withPropertyValues(POLICY, "rabbit-retry.topology.mode=declare").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.contains("Cannot reach the broker. The topology is verified and declared on the first connection");
		});
	}

	@Test
	void aBrokerThatRefusesTheConnectionIsQuoted(CapturedOutput output) {
		Away away = new Away(new AmqpIOException(new IOException(new ShutdownSignalException(true, false,
				new AMQP.Connection.Close.Builder().replyCode(530)
					.replyText("NOT_ALLOWED - vhost nowhere not found")
					.classId(10)
					.methodId(40)
					.build(),
				null))));
		this.application.withPropertyValues(POLICY, "rabbit-retry.topology.mode=declare")
			.withBean(ConnectionFactory.class, away::connectionFactory)
			.run((context) -> assertThat(output)
				.contains("on the first connection (530 NOT_ALLOWED - vhost nowhere not found)"));
	}

	@ParameterizedTest
	@CsvSource({ "none, 0, 1", "declare, 1, 1", "verify, 1, 1" })
	void theModeSaysWhetherTheBrokerIsAskedAtTheStart(String mode, int connections, int listeners) {
		Away away = new Away();
		this.application.withPropertyValues(POLICY, "rabbit-retry.topology.mode=" + mode)
			.withBean(ConnectionFactory.class, away::connectionFactory)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(away.asked).filteredOn("createConnection"::equals).hasSize(connections);
				assertThat(away.added)
					.filteredOn((type) -> type.startsWith("io.github.rabbitretry.internal.declaration"))
					.hasSize(listeners);
			});
	}

	@Test
	void theDeadLetterConsumerCanBeLeftToAnotherApplication() {
		this.application.withPropertyValues(POLICY, "rabbit-retry.dead-letter-consumer.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DeadLetterConsumersPerConnection.class));
	}

	@Test
	void theHandlersVersionIsTheApplicationsUnlessSet() {
		this.application.withPropertyValues(POLICY, "spring.application.name=worker", "spring.application.version=2.1")
			.run((context) -> assertThat(context.getBean(ConsumerIdentity.class).handlerVersion())
				.isEqualTo("worker:2.1"));
		this.application.withPropertyValues(POLICY, "rabbit-retry.handler-version=abc")
			.run((context) -> assertThat(context.getBean(ConsumerIdentity.class).handlerVersion()).isEqualTo("abc"));
	}

	@Test
	void policiesOfTheUsersOwnGoBeforeTheConfiguredOnes() {
		MessagePolicies own = new MessagePolicies(List.of(TestPolicy.named("Own").build()));
		this.application.withPropertyValues(POLICY)
			.withBean(MessagePolicies.class, () -> own)
			.run((context) -> assertThat(context.getBean(MessagePolicies.class)).isSameAs(own));
	}

	@Test
	void otherPartsOfTheUsersOwnReplaceOurs() {
		ConsumerIdentity identity = new ConsumerIdentity("me", "1");
		this.application.withPropertyValues(POLICY)
			.withBean(ConsumerIdentity.class, () -> identity)
			.run((context) -> assertThat(context.getBean(ConsumerIdentity.class)).isSameAs(identity));
	}

	@Test
	void everyDeliveryListenerIsToldInOrder() {
		this.application.withPropertyValues(POLICY).withUserConfiguration(TwoListeners.class).run((context) -> {
			TwoListeners.TOLD.clear();
			context.getBean("rabbitRetryDeliveryListeners", DeliveryListener.class).received("Order");
			assertThat(TwoListeners.TOLD).containsExactly("first", "second");
		});
	}

	@Test
	void usersClassifiersGoBeforeRulesAndRulesBeforeWhatIsBuiltIn() {
		this.application
			.withPropertyValues(POLICY, "rabbit-retry.classification.rules[0].exception=java.io.IOException",
					"rabbit-retry.classification.rules[0].failure-class=permanent-business",
					"rabbit-retry.classification.rules[0].reason=BY_RULE")
			.withBean(FailureClassifier.class, () -> (failure, delivery) -> (failure instanceof IllegalStateException)
					? Optional.of(FailureClassification.of(FailureClass.CONTENTION, "BY_BEAN")) : Optional.empty())
			.run((context) -> {
				ClassificationChain chain = context.getBean(ClassificationChain.class);
				FailedDelivery delivery = new FailedDelivery("Order", 0, new MessageProperties());
				assertThat(chain.classify(new IllegalStateException(new IOException()), delivery).reason())
					.isEqualTo("BY_BEAN");
				assertThat(chain.classify(new SocketTimeoutException(), delivery).reason()).isEqualTo("BY_RULE");
				assertThat(chain.classify(new TimeoutException(), delivery).reason()).isNotEqualTo("BY_RULE");
			});
	}

	@Test
	void aPlainRegistryOfTheUsersOwnIsReplacedWhateverItsName() {
		this.application.withPropertyValues(POLICY)
			.withBean("ownRegistry", RabbitListenerEndpointRegistry.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean("ownRegistry")).isInstanceOf(RetryListenerEndpointRegistry.class);
			});
	}

	@Test
	void anyOtherFailsTheStart() {
		this.application.withPropertyValues(POLICY)
			.withBean("ownRegistry", ContextProvidingRegistry.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure()).hasMessageContaining("Bean 'ownRegistry'")
					.hasMessageContaining("Let its bean method return a plain RabbitListenerEndpointRegistry");
			});
	}

	@Test
	void withoutAConnectionFactoryThereIsNoneOfOurBeans(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryHealthAutoConfiguration.class, RabbitRetryWithoutBrokerAutoConfiguration.class))
			.withPropertyValues(POLICY)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(RabbitRetryHealthIndicator.class);
				OURS.forEach((type) -> assertThat(context).doesNotHaveBean(type));
				assertThat(output).contains("There is no ConnectionFactory bean: the message policies have no effect");
			});
	}

	@Test
	void whatOthersSetForTheJvmIsNoMistakeThereEither() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryWithoutBrokerAutoConfiguration.class))
			.withSystemProperties("rabbit-retry.service-host=10.0.0.1")
			.withPropertyValues(POLICY)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aContainerWhoseConnectionFactoryIsNoBeanFailsTheStart() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryWithoutBrokerAutoConfiguration.class))
			.withPropertyValues(POLICY)
			.withBean(SimpleMessageListenerContainer.class,
					() -> new SimpleMessageListenerContainer(new CachingConnectionFactory("localhost", 1)))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("needs a ConnectionFactory bean"));
	}

	@Test
	void theWorstCaseOfEachPolicyIsSaid() {
		MessagePolicy policy = TestPolicy.order().localAttempts(2).maxRetryAge(Duration.ofHours(2)).build();
		assertThat(PolicySummary.summary(policy)).isEqualTo(
				"Order on queue 'order': at most 8 handler calls per message (2 local x 4 deliveries), delays [1s, 2s, 4s], 7s in all, at most 2h after the first failure, 6 queues");
		assertThat(PolicySummary.summary(TestPolicy.order().brokerAttempts(0).build()))
			.contains("at most 1 handler calls", "delays []");
		assertThat(PolicySummary.summary(TestPolicy.order().brokerAttempts(30).build())).contains("30m, ...]")
			.contains("at most 1h after the first failure; of 30 broker attempts only 11 fit");
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoListeners {

		private static final List<String> TOLD = new CopyOnWriteArrayList<>();

		@Bean
		@Order(2)
		DeliveryListener second() {
			return telling("second");
		}

		@Bean
		@Order(1)
		DeliveryListener first() {
			return telling("first");
		}

		private static DeliveryListener telling(String name) {
			return new DeliveryListener() {

				@Override
				public void received(String messageType) {
					TOLD.add(name);
				}

			};
		}

	}

	/** A broker that is away, and knows who asked for it. */
	private static final class Away {

		private final List<String> asked = new CopyOnWriteArrayList<>();

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final AmqpException failure;

		Away() {
			this(new AmqpConnectException(new ConnectException()));
		}

		Away(AmqpException failure) {
			this.failure = failure;
		}

		ConnectionFactory connectionFactory() {
			return (ConnectionFactory) Proxy.newProxyInstance(Away.class.getClassLoader(),
					new Class<?>[] { ConnectionFactory.class }, (proxy, method, arguments) -> {
						this.asked.add(method.getName());
						return switch (method.getName()) {
							case "createConnection" -> throw this.failure;
							case "addConnectionListener" ->
								this.added.add(((ConnectionListener) arguments[0]).getClass().getName());
							case "equals" -> proxy == arguments[0];
							case "hashCode" -> System.identityHashCode(this);
							case "toString" -> "away";
							default -> method.getReturnType() == boolean.class ? Boolean.FALSE : null;
						};
					});
		}

	}

}
