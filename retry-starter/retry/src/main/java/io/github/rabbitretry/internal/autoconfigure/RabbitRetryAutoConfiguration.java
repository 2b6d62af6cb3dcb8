/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Clock;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.configuration.ChainAssembler;
import io.github.rabbitretry.internal.configuration.PolicyAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.listener.ManagedQueues;
import io.github.rabbitretry.internal.deadletter.DeadLetterConsumer;
import io.github.rabbitretry.internal.deadletter.ParkingHeaders;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.pipeline.DeliveryDecider;
import io.github.rabbitretry.internal.event.DeliveryListeners;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.listener.ManualContainers;
import io.github.rabbitretry.internal.listener.RefusedConsumers;
import io.github.rabbitretry.internal.listener.RetryContainerConfigurer;
import io.github.rabbitretry.internal.listener.RetryListenerEndpointRegistry;
import io.github.rabbitretry.internal.listener.StoppedContainers;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.multiconnection.DeadLetterConsumersPerConnection;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.github.rabbitretry.internal.pipeline.DecisionExecutor;
import io.github.rabbitretry.internal.pipeline.RejectionEvents;
import io.github.rabbitretry.internal.pipeline.RetryQueueRedelivery;
import io.github.rabbitretry.internal.thread.Watchdog;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Auto-configuration of Rabbit Retry, for applications that have a message policy and a
 * connection factory.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
		"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration" })
@ConditionalOnClass(RabbitTemplate.class)
@ConditionalOnBean(ConnectionFactory.class)
@Conditional(OnMessagePolicies.class)
@EnableConfigurationProperties(RabbitRetryProperties.class)
@Import({ HandoverConfiguration.class, TopologyConfiguration.class })
public final class RabbitRetryAutoConfiguration {

	static final String EVENTS = "rabbitRetryDeliveryListeners";

	@Bean
	static RegistryReplacement rabbitRetryRegistryReplacement() {
		return new RegistryReplacement(RetryListenerEndpointRegistry.class, "rabbitRetryContainerConfigurer");
	}

	@Bean
	static EagerListeners rabbitRetryEagerListeners() {
		return new EagerListeners();
	}

	@Bean
	@ConditionalOnMissingBean
	MessagePolicies rabbitRetryMessagePolicies(RabbitRetryProperties properties, Environment environment) {
		return new PolicyAssembler(properties, environment).assemble();
	}

	@Bean
	@ConditionalOnMissingBean
	ClassificationChain rabbitRetryClassificationChain(RabbitRetryProperties properties, MessagePolicies policies,
			ObjectProvider<FailureClassifier> classifiers, ResourceLoader resources) {
		return new ChainAssembler(properties.classification(), policies, resources.getClassLoader())
			.assemble(classifiers.orderedStream().toList(), Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	ConsumerIdentity rabbitRetryConsumerIdentity(RabbitRetryProperties properties, Environment environment) {
		String application = environment.getProperty("spring.application.name", "application");
		String version = environment.getProperty("spring.application.version", "unknown");
		String handler = properties.handlerVersion();
		return new ConsumerIdentity(application, (handler != null) ? handler : application + ":" + version);
	}

	@Bean
	FailureLog rabbitRetryFailureLog() {
		return new FailureLog();
	}

	@Bean
	ParkingLotPublisher rabbitRetryParker(ConsumerIdentity identity, FailureLog log) {
		return new ParkingLotPublisher(new ParkingHeaders(identity), log);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnBooleanProperty(name = "rabbit-retry.dead-letter-consumer.enabled", matchIfMissing = true)
	DeadLetterConsumersPerConnection rabbitRetryDeadLetterConsumers(PolicyConnections policyConnections,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			ManagedContainers containers, @Qualifier(EVENTS) DeliveryListener events,
			ConsumerCancellations cancellations, RabbitRetryProperties properties, Watchdog watchdog) {
		return new DeadLetterConsumersPerConnection(policyConnections, (connectionFactory, policies) -> {
			DeadLetterConsumer deadLetters = new DeadLetterConsumer(policies, connectionFactory, connections,
					publishers, parkingLot, containers::quarantines, events, properties.topology().mode(), watchdog,
					InstantSource.system());
			cancellations.register(deadLetters::brokerCancelled);
			return deadLetters;
		});
	}

	/** Not a candidate by default, or it would be its own only listener. */
	@Bean(defaultCandidate = false)
	@Qualifier(EVENTS)
	DeliveryListener rabbitRetryDeliveryListeners(ObjectProvider<DeliveryListener> listeners) {
		return DeliveryListeners.logging(listeners.orderedStream().toList());
	}

	@Bean
	RejectionEvents rabbitRetryRejectionEvents(ObjectProvider<MessageConverter> converters, ConsumerIdentity identity) {
		return new RejectionEvents(converters.getIfUnique(SimpleMessageConverter::new), identity);
	}

	@Bean
	Deduplicators rabbitRetryDeduplicators(MessagePolicies policies,
			@Qualifier("rabbitRetryJdbcDeduplicator") ObjectProvider<MessageDeduplicator> jdbc,
			ObjectProvider<MessageDeduplicator> application) {
		return new Deduplicators(policies, jdbc, application);
	}

	@Bean(destroyMethod = "close")
	Dependencies rabbitRetryDependencies(MessagePolicies policies, @Qualifier(EVENTS) DeliveryListener events) {
		return new Dependencies(policies, events, InstantSource.system());
	}

	@Bean
	ManagedContainers rabbitRetryManagedContainers(ConsumerCancellations cancellations) {
		ManagedContainers containers = new ManagedContainers();
		cancellations.register(containers::brokerCancelled);
		return containers;
	}

	@Bean
	RetryContainerConfigurer rabbitRetryContainerConfigurer(MessagePolicies policies, ManagedContainers containers,
			ConsumerConnections connections, ConfirmedPublishers publishers, ClassificationChain classification,
			ConsumerIdentity identity, ParkingLotPublisher parkingLot, RejectionEvents rejections,
			@Qualifier(EVENTS) DeliveryListener events, ObjectProvider<AttemptObserver> observer,
			Deduplicators deduplicators, FailureLog log, Dependencies dependencies, Watchdog watchdog) {
		AttemptObserver observed = observer.getIfAvailable(() -> AttemptObserver.NONE);
		return new RetryContainerConfigurer(policies, containers, connections,
				new ManagedQueues(publishers, deduplicators, dependencies),
				new DeliveryDecider(classification, new Decider(() -> ThreadLocalRandom.current().nextLong()), events,
						observed, InstantSource.system()),
				new DecisionExecutor(new RetryHeaders(identity), parkingLot, rejections, log, events, observed,
						new RetryQueueRedelivery()),
				watchdog);
	}

	@Bean
	ManualContainers rabbitRetryManualContainers(RetryContainerConfigurer configurer, ApplicationContext context) {
		return new ManualContainers(configurer, context);
	}

	@Bean
	static ManualContainerConfigurer rabbitRetryManualContainerConfigurer(ObjectProvider<ManualContainers> containers) {
		return new ManualContainerConfigurer(containers);
	}

	@Bean
	StoppedContainers rabbitRetryStoppedContainers(MessagePolicies policies) {
		return new StoppedContainers(policies);
	}

	@Bean
	RefusedConsumers rabbitRetryRefusedConsumers(MessagePolicies policies,
			ObjectProvider<AbstractConnectionFactory> connectionFactories) {
		return new RefusedConsumers(policies, connectionFactories.stream());
	}

	@Bean
	@ConditionalOnMissingBean
	RetryExplainer rabbitRetryExplainer(MessagePolicies policies, ClassificationChain classification) {
		return new DefaultRetryExplainer(policies, classification, InstantSource.system());
	}

	@Bean
	PolicySummary rabbitRetryPolicySummary(MessagePolicies policies, ManagedContainers containers) {
		return new PolicySummary(policies, containers);
	}

}
