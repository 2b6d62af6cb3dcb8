/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.github.rabbitretry.connection.ConsumerConnections;
import io.github.rabbitretry.connection.StopDeadline;
import io.github.rabbitretry.ledger.IngestionSettings;
import io.github.rabbitretry.ledger.JdbcLedger;
import io.github.rabbitretry.ledger.Ledger;
import io.github.rabbitretry.ledger.LedgerCounts;
import io.github.rabbitretry.ledger.LedgerHealth;
import io.github.rabbitretry.ledger.LedgerIngestion;
import io.github.rabbitretry.ledger.LedgerMaintenance;
import io.github.rabbitretry.ledger.LedgerPolicy;
import io.github.rabbitretry.ledger.LedgerSchema;
import io.github.rabbitretry.ledger.ParkedMessageListener;
import io.github.rabbitretry.ledger.ParkedMessageListeners;
import io.github.rabbitretry.policy.InvalidPolicyException;
import io.github.rabbitretry.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;

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
	LedgerSchema rabbitRetryLedgerSchema(BeanFactory beans, RabbitRetryProperties properties) {
		return new LedgerSchema(dataSource(beans, properties), properties.ledger().createTables(),
				Boolean.TRUE.equals(properties.ledger().enabled()));
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerHealth rabbitRetryLedgerHealth(LedgerSchema schema) {
		return schema.health();
	}

	@Bean
	@ConditionalOnMissingBean
	Ledger rabbitRetryLedger(BeanFactory beans, RabbitRetryProperties properties, LedgerSchema schema) {
		return new JdbcLedger(dataSource(beans, properties), schema);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "rabbit-retry.ledger.ingest", matchIfMissing = true)
	LedgerIngestion rabbitRetryLedgerIngestion(BeanFactory beans, RabbitRetryProperties properties, LedgerSchema schema,
			MessagePolicies policies, ConnectionFactory connectionFactory, ConsumerConnections connections,
			StopDeadline deadline, ResourceLoader resources, ObjectProvider<ParkedMessageListener> listeners) {
		LedgerProperties ledger = properties.ledger();
		if (ledger.batchSize() < 1 || ledger.batchSize() > LARGEST_BATCH) {
			throw new InvalidPolicyException("rabbit-retry.ledger.batch-size", ledger.batchSize(),
					"must be from 1 to " + LARGEST_BATCH, "Use 200, the default.");
		}
		long batchBytes = ledger.batchBytes().toBytes();
		if (batchBytes < SMALLEST_BYTES || batchBytes > LARGEST_BYTES) {
			throw new InvalidPolicyException("rabbit-retry.ledger.batch-bytes", ledger.batchBytes(),
					"must be from 64KB to 1GB", "Use 16MB, the default.");
		}
		List<LedgerPolicy> ledgerPolicies = new LedgerPolicies(properties, resources.getClassLoader()).of(policies);
		LedgerIngestion ingestion = new LedgerIngestion(connections.of(connectionFactory, "ledger"),
				dataSource(beans, properties), schema, ledgerPolicies, ledger.envelopeHeaders(),
				new IngestionSettings(ledger.batchSize(), batchBytes), Boolean.TRUE.equals(ledger.enabled()));
		ingestion.adopt(AdoptionValidator.of(ledger.adopt(), policies, ledgerPolicies));
		ingestion.watchedBy(connections.errors());
		ingestion.stopsWithin(deadline);
		ingestion.setListeners(new ParkedMessageListeners(listeners.orderedStream().toList()));
		return ingestion;
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerCounts rabbitRetryLedgerCounts(BeanFactory beans, RabbitRetryProperties properties, LedgerSchema schema) {
		return new LedgerCounts(dataSource(beans, properties), schema);
	}

	/** An instance that only looks deletes nothing either. */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "rabbit-retry.ledger.ingest", matchIfMissing = true)
	LedgerMaintenance rabbitRetryLedgerUpkeep(BeanFactory beans, RabbitRetryProperties properties, LedgerSchema schema,
			MessagePolicies policies, ResourceLoader resources) {
		return new LedgerMaintenance(dataSource(beans, properties), schema,
				new LedgerPolicies(properties, resources.getClassLoader()).of(policies), schema.clock());
	}

	private static DataSource dataSource(BeanFactory beans, RabbitRetryProperties properties) {
		String name = properties.ledger().dataSource();
		try {
			return (name != null) ? beans.getBean(name, DataSource.class) : beans.getBean(DataSource.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidPolicyException("rabbit-retry.ledger.data-source", "",
					"must name one of the DataSource beans: " + names(ex),
					"Set it, or set rabbit-retry.ledger.enabled to false.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidPolicyException("rabbit-retry.ledger.data-source", String.valueOf(name),
					"is no DataSource bean", "Name a DataSource bean, or leave it out if there is only one.");
		}
	}

	private static List<String> names(NoUniqueBeanDefinitionException ex) {
		return (ex.getBeanNamesFound() != null) ? List.copyOf(ex.getBeanNamesFound()) : List.of();
	}

}
