/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.parking.ingestion.LedgerIngestion;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.registry.RegisteredPolicies;
import io.github.rabbitretry.internal.parking.registry.ServiceRegistration;
import io.github.rabbitretry.internal.parking.registry.ServiceRegistry;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class RabbitRetryLedgerAutoConfigurationTests {

	private static final String THREE_LINES = """
			spring:
			  datasource:
			    url: jdbc:h2:file:./data/rabbit-retry;DB_CLOSE_ON_EXIT=FALSE
			""";

	private static final String POLICY = "rabbit-retry.message-policies.Order.";

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
				RabbitRetryLedgerAutoConfiguration.class))
		.withPropertyValues(POLICY + "owner=team-orders");

	private final ApplicationContextRunner withDatabase = this.application.withBean("database", DataSource.class,
			() -> database());

	private static DataSource database() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

	@Test
	void whereThereIsADataSourceThereIsALedger() {
		this.withDatabase.withPropertyValues("rabbit-retry.ledger.enabled=true").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).hasSingleBean(LedgerIngestion.class).hasSingleBean(LedgerMaintenance.class);
			assertThat(context.getBean(Ledger.class).count(ParkedFilter.ALL)).isZero();
		});
	}

	@Test
	void bootsOwnDataSourceIsOne() {
		this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(Ledger.class));
	}

	@Test
	void nothingIsMovedIntoMemoryUnlessThatIsAskedFor() {
		this.withDatabase.run((context) -> assertThat(context.getBean(LedgerIngestion.class).isRunning()).isFalse());
		this.withDatabase.withPropertyValues("rabbit-retry.ledger.enabled=true")
			.run((context) -> assertThat(context.getBean(LedgerIngestion.class).isRunning()).isTrue());
	}

	@ParameterizedTest
	@ValueSource(strings = { "mem:", "nioMemFS:", "nioMemLZF:", "memFS:", "split:nioMemFS:" })
	void nothingIsCreatedInADatabaseInMemoryThatIsNotUsed(String where) throws SQLException {
		String name = where + UUID.randomUUID();
		JdbcDataSource inMemory = new JdbcDataSource();
		inMemory.setUrl("jdbc:h2:%s;DB_CLOSE_DELAY=-1".formatted(name));
		this.application.withBean(DataSource.class, () -> inMemory).run((context) -> {
			assertThat(context.getBean(LedgerIngestion.class).isRunning()).isFalse();
			assertThat(context.getBean(LedgerMaintenance.class).isRunning()).isFalse();
			assertThatExceptionOfType(LedgerSchema.UnusedLedgerException.class)
				.isThrownBy(() -> context.getBean(Ledger.class).search(ParkedFilter.ALL, null, 10))
				.withMessageContaining("stay in their queues")
				.withMessageContaining("jdbc:h2:file:");
			assertThat(context.getBean(LedgerHealth.class).problems()).isEmpty();
		});
		try (Connection connection = inMemory.getConnection();
				ResultSet tables = connection.getMetaData().getTables(null, null, "RABBIT_RETRY%", null)) {
			assertThat(tables.next()).isFalse();
		}
	}

	@Test
	void withoutADataSourceStartupFailsAndPrintsWhatToPaste() {
		assertStopped(this.application, "spring.datasource.url", "there is no DataSource");
		this.application.run((context) -> assertThat(StartReport.explain(context.getStartupFailure()).getAction())
			.containsIgnoringNewLines(THREE_LINES)
			.contains("com.h2database:h2"));
		this.application.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Ledger.class));
	}

	@Test
	void aDataSourceWithoutAUrlFailsStartupAlike() {
		this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.h2", "org.hsqldb", "org.apache.derby"))
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = new NoDatabaseFailureAnalyzer(new StandardEnvironment())
					.analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("Property: spring.datasource.url");
				assertThat(analysis.getAction()).containsIgnoringNewLines(THREE_LINES);
			});
	}

	@Test
	void withoutAConnectionFactoryNoDatabaseIsAskedFor() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
					RabbitRetryLedgerAutoConfiguration.class))
			.withBean(MessagePolicies.class, () -> new MessagePolicies(List.of()))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Ledger.class));
	}

	@Test
	void withoutSpringJdbcStartupFails() {
		assertStopped(this.application.withClassLoader(new FilteredClassLoader("org.springframework.jdbc")),
				"rabbit-retry.ledger.enabled", "needs Spring JDBC");
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.jdbc"))
			.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LedgerSchema.class));
	}

	@Test
	void withoutAConnectionFactoryThereIsNoneAndNoDatabaseIsMissed() {
		ApplicationContextRunner withoutBroker = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryParkingPropertiesAutoConfiguration.class, RabbitRetryLedgerAutoConfiguration.class,
					RabbitRetryReplayAutoConfiguration.class, RabbitRetryEndpointAutoConfiguration.class))
			.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");
		withoutBroker.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Ledger.class));
		withoutBroker.withBean(DataSource.class, () -> database())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Ledger.class));
	}

	@Test
	void withoutAPolicyThereIsNone() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryParkingPropertiesAutoConfiguration.class, RabbitRetryLedgerAutoConfiguration.class))
			.withBean(DataSource.class, () -> database())
			.run((context) -> assertThat(context).doesNotHaveBean(Ledger.class));
	}

	@Test
	void itCanBeSwitchedOffAsAWholeOrJustTheIngestion() {
		this.withDatabase.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Ledger.class).doesNotHaveBean(LedgerSchema.class));
		this.withDatabase.withPropertyValues("rabbit-retry.ledger.ingest=false")
			.run((context) -> assertThat(context).hasSingleBean(Ledger.class)
				.doesNotHaveBean(LedgerIngestion.class)
				.satisfies((started) -> assertThat(started.getBean(LedgerMaintenance.class).isRunning()).isFalse()));
	}

	@Test
	void oneOfSeveralDataSourcesIsNamed() {
		ApplicationContextRunner two = this.withDatabase.withBean("other", DataSource.class, () -> database());
		two.withPropertyValues("rabbit-retry.ledger.data-source=other")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Ledger.class));
		assertStopped(two, "rabbit-retry.ledger.data-source", "[database, other]");
		assertStopped(two.withPropertyValues("rabbit-retry.ledger.data-source=third"),
				"rabbit-retry.ledger.data-source", "is no DataSource bean");
	}

	@Test
	void aServiceRegistersItsPoliciesAndAConsoleReadsThem() {
		DataSource shared = database();
		this.application.withBean(DataSource.class, () -> shared)
			.withPropertyValues("rabbit-retry.ledger.enabled=true")
			.run((service) -> await().untilAsserted(() -> {
				assertThat(service).hasSingleBean(ServiceRegistration.class);
				assertThat(rows(shared, "rabbit_retry_service")).isOne();
			}));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
					RabbitRetryLedgerAutoConfiguration.class))
			.withBean(DataSource.class, () -> shared)
			.withBean(RegisteredPolicies.class,
					() -> new RegisteredPolicies(
							new ServiceRegistry(new LedgerSchema(shared, SchemaInitialization.NEVER)), "/"))
			.withUserConfiguration(ConsoleOfItsOwn.class)
			.withPropertyValues("rabbit-retry.ledger.enabled=true", "rabbit-retry.ledger.ingest=false",
					"rabbit-retry.ledger.initialize-schema=never")
			.run((console) -> {
				assertThat(console).hasNotFailed().doesNotHaveBean(ServiceRegistration.class);
				await().untilAsserted(() -> assertThat(console.getBean(MessagePolicies.class).ofQueue("order")).get()
					.extracting(MessagePolicy::owner)
					.isEqualTo("team-orders"));
			});
	}

	private static int rows(DataSource database, String table) {
		return JdbcClient.create(database).sql("select count(*) from " + table).query(Integer.class).single();
	}

	@Configuration(proxyBeanMethods = false)
	static class ConsoleOfItsOwn {

		@Bean
		MessagePolicies registered(RegisteredPolicies policies) {
			return policies.policies();
		}

	}

	@Test
	void aLedgerOfTheUsersOwnReplacesOurs() {
		LedgerSchema own = new LedgerSchema(database(), SchemaInitialization.ALWAYS);
		this.withDatabase.withBean(LedgerSchema.class, () -> own)
			.run((context) -> assertThat(context.getBean(LedgerSchema.class)).isSameAs(own));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			rabbit-retry.ledger.batch-size                        | 0         | must be from 1 to 1000
			rabbit-retry.ledger.batch-size                        | 1001      | must be from 1 to 1000
			rabbit-retry.ledger.batch-bytes                       | 1KB       | must be from 64KB to 1GB
			rabbit-retry.ledger.batch-bytes                       | 2GB       | must be from 64KB to 1GB
			rabbit-retry.ledger.initialize-schema                 | never     | V1__rabbit_retry_ledger.sql
			rabbit-retry.ledger.adopt                             | old,old   | is named twice
			rabbit-retry.ledger.adopt                             | order     | is a queue of message policy 'Order'
			rabbit-retry.ledger.adopt                             | order.dlq | is a queue of message policy 'Order'
			rabbit-retry.ledger.adopt.old.dlq                     | Ordr      | is no message type with a policy here
			rabbit-retry.message-policies.Order.ledger.retention  | PT1S      | must be from one minute
			rabbit-retry.message-policies.Order.ledger.retention  | PT-1H     | must be from one minute
			rabbit-retry.message-policies.Order.ledger.retention  | PT876001H | must be from one minute
			rabbit-retry.message-policies.Order.ledger.masked-paths | card    | is no path
			rabbit-retry.message-policies.Order.ledger.masked-paths | $       | is no path
			rabbit-retry.message-policies.Order.ledger.masked-paths | $.a[0]  | is no path
			""")
	void aWrongValueStopsTheStart(String property, String value, String relation) {
		assertStopped(this.withDatabase.withPropertyValues("rabbit-retry.ledger.enabled=true", property + "=" + value),
				property, relation);
	}

	@Test
	void masksNeedJackson() {
		assertStopped(
				this.withDatabase.withClassLoader(new FilteredClassLoader("tools.jackson"))
					.withPropertyValues(POLICY + "ledger.masked-paths=$.card"),
				POLICY + "ledger.masked-paths", "needs Jackson 3");
		this.withDatabase.withClassLoader(new FilteredClassLoader("tools.jackson"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void masksAndRetentionAreInheritedFromTheDefaults() {
		assertStopped(this.withDatabase.withPropertyValues("rabbit-retry.defaults.ledger.masked-paths=card"),
				POLICY + "ledger.masked-paths", "is no path");
		this.withDatabase
			.withPropertyValues("rabbit-retry.defaults.ledger.masked-paths=$.card",
					POLICY + "ledger.store-payload=false", "rabbit-retry.defaults.ledger.retention=30d")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "RABBITRETRY_MESSAGEPOLICIES_ORDER_LEDGER_RETENTION",
			"RABBIT_RETRY_MESSAGE_POLICIES_ORDER_LEDGER_RETENTION" })
	void environmentVariablesSetWhatTheLedgerStores(String variable) {
		this.withDatabase.withInitializer(variable(variable, "30d"))
			.run((context) -> assertThat(
					context.getBean(LedgerPolicies.class).of(context.getBean(MessagePolicies.class)))
				.extracting(LedgerPolicy::retention)
				.containsExactly(Duration.ofDays(30)));
		assertStopped(this.withDatabase.withInitializer(variable(variable + "S", "30d")), variable + "S",
				"Did you mean '%s'?".formatted(variable));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> variable(String name, String value) {
		return (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, value)));
	}

	private static void assertStopped(ApplicationContextRunner runner, String property, String relation) {
		runner.run((context) -> {
			assertThat(context).hasFailed();
			assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.isInstanceOf(InvalidConfigurationException.class);
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription() + analysis.getAction()).contains("Property: " + property)
				.contains(relation);
			assertThat(analysis.getAction()).endsWith(".");
		});
	}

}
