/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration;
import io.github.rabbitretry.internal.configuration.ResolvedKeys;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.parking.deduplication.JdbcDeduplicator;
import io.github.rabbitretry.internal.parking.ingestion.IngestionSettings;
import io.github.rabbitretry.internal.parking.ingestion.LedgerIngestion;
import io.github.rabbitretry.internal.parking.ingestion.ParkedMessageListeners;
import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerCounts;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;
import io.github.rabbitretry.internal.parking.ledger.LedgerRetention;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.registry.RegisteredPolicies;
import io.github.rabbitretry.internal.parking.registry.ServiceRegistration;
import io.github.rabbitretry.internal.parking.registry.ServiceRegistry;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessageListener;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.ExchangeTypes;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration of the ledger, where there are message policies and a database.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass(JdbcTemplate.class)
@ConditionalOnBean({ DataSource.class, MessagePolicies.class })
@ConditionalOnBooleanProperty(name = "rabbit-retry.ledger.enabled", matchIfMissing = true)
public final class RabbitRetryLedgerAutoConfiguration {

	private static final int LARGEST_BATCH = 1000;

	private static final long SMALLEST_BYTES = 64 * 1024;

	private static final long LARGEST_BYTES = 1024 * 1024 * 1024;

	/** After Flyway and Liquibase, which may be what creates the tables. */
	@Bean(initMethod = "prepare")
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	LedgerSchema rabbitRetryLedgerSchema(BeanFactory beans, LedgerProperties properties) {
		return new LedgerSchema(dataSource(beans, properties), properties.initializeSchema(),
				Boolean.TRUE.equals(properties.enabled()));
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerHealth rabbitRetryLedgerHealth(LedgerSchema schema) {
		return schema.health();
	}

	@Bean
	@ConditionalOnMissingBean
	Ledger rabbitRetryLedger(LedgerProperties properties, LedgerSchema schema, MessagePolicies policies,
			LedgerPolicies ledgerPolicies, ObjectProvider<RegisteredPolicies> registered) {
		// an instance that only looks deletes nothing, but services may
		Map<String, Duration> own = properties.ingest() ? LedgerRetention.byQueue(ledgerPolicies.of(policies))
				: Map.of();
		RegisteredPolicies others = registered.getIfAvailable();
		return new JdbcLedger(schema, (others != null) ? others::retention : () -> own);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "rabbit-retry.ledger.ingest", matchIfMissing = true)
	LedgerIngestion rabbitRetryLedgerIngestion(BeanFactory beans, LedgerProperties properties, LedgerSchema schema,
			MessagePolicies policies, ConnectionFactory connectionFactory, ConsumerConnections connections,
			StopDeadline deadline, LedgerPolicies configured, Environment environment,
			ObjectProvider<ParkedMessageListener> listeners) {
		if (properties.batchSize() < 1 || properties.batchSize() > LARGEST_BATCH) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.batch-size", properties.batchSize(),
					"must be from 1 to " + LARGEST_BATCH, "Use 200, the default.");
		}
		long batchBytes = properties.batchBytes().toBytes();
		if (batchBytes < SMALLEST_BYTES || batchBytes > LARGEST_BYTES) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.batch-bytes", properties.batchBytes(),
					"must be from 64KB to 1GB", "Use 16MB, the default.");
		}
		List<LedgerPolicy> ledgerPolicies = configured.of(policies);
		LedgerIngestion ingestion = new LedgerIngestion(connections.of(connectionFactory, "ledger"), schema,
				ledgerPolicies, properties.envelopeHeaders(), new IngestionSettings(properties.batchSize(), batchBytes),
				Boolean.TRUE.equals(properties.enabled()));
		ingestion
			.adopt(AdoptionValidator.of(AdoptedQueue.in(environment), policies, ledgerPolicies, () -> bindings(beans)));
		ingestion.stopsWithin(deadline);
		ingestion.setListeners(new ParkedMessageListeners(listeners.orderedStream().toList()));
		return ingestion;
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerCounts rabbitRetryLedgerCounts(LedgerSchema schema) {
		return new LedgerCounts(schema);
	}

	@Bean
	@ConditionalOnMissingBean
	ServiceRegistry rabbitRetryServiceRegistry(LedgerSchema schema) {
		return new ServiceRegistry(schema);
	}

	/** For a console of all services, where the application has policies of its own. */
	@Bean
	@ConditionalOnBean(RabbitRetryAutoConfiguration.class)
	@ConditionalOnMissingBean
	ServiceRegistration rabbitRetryServiceRegistration(ServiceRegistry registry, ConsumerIdentity identity,
			Environment environment, ObjectProvider<ConnectionFactory> connectionFactory) {
		ConnectionFactory primary = connectionFactory.getIfUnique();
		return new ServiceRegistration(registry,
				new ServiceRegistry.Registration(identity.consumer(), identity.handlerVersion(),
						(primary != null) ? primary.getVirtualHost() : null, ResolvedKeys.write(environment)));
	}

	/**
	 * An instance that only looks deletes no parked messages. It does delete handled
	 * ones, which are rows of handlers, but not for policies that are those of others.
	 */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	LedgerMaintenance rabbitRetryLedgerMaintenance(LedgerProperties properties, LedgerSchema schema,
			MessagePolicies policies, LedgerPolicies ledgerPolicies, HandledMessages handled,
			ObjectProvider<ServiceRegistration> registration, ObjectProvider<RegisteredPolicies> registered) {
		List<LedgerMaintenance.Task> tasks = new ArrayList<>();
		registration.ifAvailable((own) -> {
			tasks.addAll(own.tasks());
			tasks.addAll(handled.tasks(policies));
		});
		registered.ifAvailable((others) -> tasks.addAll(others.tasks()));
		if (properties.ingest()) {
			tasks.addAll(LedgerMaintenance.ofParked(schema, ledgerPolicies.of(policies)));
		}
		return new LedgerMaintenance(schema, tasks);
	}

	@Bean
	@ConditionalOnMissingBean
	HandledMessages rabbitRetryHandledMessages(LedgerSchema schema) {
		return new HandledMessages(schema, Deduplicators.PATIENCE);
	}

	/** Found by its name, and never the application's own. */
	@Bean(initMethod = "verify", defaultCandidate = false)
	@Lazy
	@Qualifier("rabbitRetryJdbcDeduplicator")
	JdbcDeduplicator rabbitRetryJdbcDeduplicator(LedgerSchema schema, MessagePolicies policies, HandledMessages handled,
			ObjectProvider<PlatformTransactionManager> managers) {
		return JdbcDeduplicator.of(policies, handled, schema, managers);
	}

	/** Without those of exchanges that do not compare keys. */
	private static Stream<Binding> bindings(BeanFactory beans) {
		Set<String> keyless = declared(beans, Exchange.class)
			.filter((exchange) -> Set.of(ExchangeTypes.FANOUT, ExchangeTypes.HEADERS).contains(exchange.getType()))
			.map(Exchange::getName)
			.collect(Collectors.toSet());
		return declared(beans, Binding.class).filter((binding) -> !keyless.contains(binding.getExchange()));
	}

	private static <T extends Declarable> Stream<T> declared(BeanFactory beans, Class<T> type) {
		return Stream.concat(beans.getBeanProvider(type).stream(),
				beans.getBeanProvider(Declarables.class)
					.stream()
					.flatMap((declarables) -> declarables.getDeclarablesByType(type).stream()));
	}

	private static DataSource dataSource(BeanFactory beans, LedgerProperties properties) {
		String name = properties.dataSource();
		try {
			return (name != null) ? beans.getBean(name, DataSource.class) : beans.getBean(DataSource.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.data-source", "",
					"must name one of the DataSource beans: "
							+ ((ex.getBeanNamesFound() != null) ? List.copyOf(ex.getBeanNamesFound()) : List.of()),
					"Set it, or set rabbit-retry.ledger.enabled to false.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.data-source", String.valueOf(name),
					"is no DataSource bean", "Name a DataSource bean, or leave it out if there is only one.");
		}
	}

}
