/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryMetricsAutoConfiguration;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkedDepth;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.metrics.QueueMetrics;
import io.github.rabbitretry.internal.metrics.WatchedDepths;
import io.github.rabbitretry.internal.parking.ledger.LedgerCounts;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.metrics.DepthsWithQueues;
import io.github.rabbitretry.internal.parking.metrics.MicrometerReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.parking.replay.DefaultParkedMessageService;
import io.github.rabbitretry.internal.parking.replay.DefaultReplayService;
import io.github.rabbitretry.internal.parking.replay.DryRunReader;
import io.github.rabbitretry.internal.parking.replay.OutcomeRecorder;
import io.github.rabbitretry.internal.parking.replay.ReplayStores;
import io.github.rabbitretry.internal.parking.replay.ReplayWorker;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.context.annotation.Lazy;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of replays, where there is a ledger.
 */
@AutoConfiguration(after = { RabbitRetryLedgerAutoConfiguration.class, RabbitRetryMetricsAutoConfiguration.class })
@ConditionalOnClass(JdbcTemplate.class)
@ConditionalOnBean({ Ledger.class, LedgerSchema.class, MessagePolicies.class })
@ConditionalOnBooleanProperty(name = "rabbit-retry.replay.enabled", matchIfMissing = true)
public final class RabbitRetryReplayAutoConfiguration {

	/** The shortest interval between queries of the database. */
	private static final Duration DEPTH_INTERVAL = Duration.ofSeconds(30);

	@Bean
	@ConditionalOnMissingBean
	ReplaySettings rabbitRetryReplaySettings(ReplayProperties properties) {
		return properties.settings();
	}

	@Bean
	@ConditionalOnMissingBean
	ReplayStores rabbitRetryReplayStores(LedgerSchema schema, Ledger ledger, ConsumerIdentity identity) {
		return new ReplayStores(schema, ledger, identity.consumer(), schema.clock());
	}

	@Bean
	@ConditionalOnMissingBean
	AuditLog rabbitRetryAuditLog(ReplayStores stores) {
		return stores.audit();
	}

	@Bean
	@ConditionalOnMissingBean
	OutcomeRecorder rabbitRetryOutcomeRecorder(ReplayStores stores) {
		return new OutcomeRecorder(stores);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	ReplayWorker rabbitRetryReplayWorker(ReplayStores stores, ConnectionFactory connectionFactory,
			ConfirmedPublishers publishers, MessagePolicies policies, ReplaySettings settings,
			ReplayProperties properties, LedgerSchema schema, StopDeadline deadline,
			ObjectProvider<ReplayListener> events) {
		ReplayWorker worker = new ReplayWorker(stores, connectionFactory, publishers, policies, settings,
				events.getIfAvailable(() -> ReplayListener.NONE));
		worker.stopsWithin(deadline);
		worker.setAutoStartup(properties.work() && !schema.unused());
		return worker;
	}

	@Bean
	@ConditionalOnMissingBean
	DryRunReader rabbitRetryDryRunReader(ReplayStores stores, MessagePolicies policies, ManagedContainers containers,
			ConsumerIdentity identity, ConnectionFactory connectionFactory, ConsumerConnections connections) {
		return new DryRunReader(stores, policies, containers::handles, identity.handlerVersion()::equals,
				connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS));
	}

	@Bean
	@ConditionalOnMissingBean
	ReplayService rabbitRetryReplayService(ReplayStores stores, MessagePolicies policies, DryRunReader dryRuns,
			ReplayWorker worker) {
		return new DefaultReplayService(stores, policies, dryRuns, worker);
	}

	@Bean
	@ConditionalOnMissingBean
	ParkedMessageService rabbitRetryParkedMessageService(ReplayStores stores, Ledger ledger, MessagePolicies policies,
			ReplayWorker worker, ReplaySettings settings) {
		return new DefaultParkedMessageService(stores, ledger, policies, worker, settings.editEnabled());
	}

	/** Where Micrometer has a registry. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static final class ReplayMetrics {

		@Bean
		@ConditionalOnMissingBean
		ParkedDepths rabbitRetryParkedDepths(LedgerCounts counts, LedgerSchema schema,
				ObjectProvider<BrokerDepths> broker) {
			Supplier<Supplier<Map<String, ParkedDepth>>> queues = SingletonSupplier
				.of(() -> queues(broker.getIfAvailable()));
			return new ParkedDepths(new DepthsWithQueues(() -> parked(counts, schema), () -> queues.get().get()),
					DEPTH_INTERVAL, schema.clock());
		}

		private static Supplier<Map<String, ParkedDepth>> queues(@Nullable BrokerDepths broker) {
			return (broker != null) ? WatchedDepths.parked(broker, InstantSource.system()) : Map::of;
		}

		/** Only a query shows that a database is not used. */
		private static Map<String, ParkedDepth> parked(LedgerCounts counts, LedgerSchema schema) {
			try {
				return counts.parked();
			}
			catch (DataAccessException ex) {
				if (schema.unused()) {
					return Map.of();
				}
				throw ex;
			}
		}

		@Bean
		@ConditionalOnMissingBean
		MicrometerReplayListener rabbitRetryMicrometerReplayListener(MeterRegistry registry, MessagePolicies policies,
				ParkedDepths depths) {
			return new MicrometerReplayListener(registry, policies.all(), depths);
		}

		@Bean
		SmartInitializingSingleton rabbitRetryAdoptedQueueNames(ObjectProvider<QueueMetrics> metrics,
				Environment environment, ConnectionFactory connectionFactory) {
			return () -> metrics.ifAvailable((names) -> AdoptedQueue.in(environment)
				.forEach((queue) -> names.register(connectionFactory, queue.name(), "dead-letter")));
		}

	}

}
