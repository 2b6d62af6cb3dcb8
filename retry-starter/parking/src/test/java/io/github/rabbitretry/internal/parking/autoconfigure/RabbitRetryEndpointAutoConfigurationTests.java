/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.WaitingRetriesEndpoint;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryDepthAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.RetryEndpointsAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.parking.actuate.OperatorRoles;
import io.github.rabbitretry.internal.parking.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.internal.parking.actuate.PayloadAccess;
import io.github.rabbitretry.internal.parking.actuate.ReplaysEndpoint;
import org.h2.jdbcx.JdbcDataSource;
import io.github.rabbitretry.parking.message.Ledger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryEndpointAutoConfigurationTests {

	private final ApplicationContextRunner hidden = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
				RabbitRetryLedgerAutoConfiguration.class, RabbitRetryReplayAutoConfiguration.class,
				RabbitRetryDepthAutoConfiguration.class, RetryEndpointsAutoConfiguration.class,
				RabbitRetryEndpointAutoConfiguration.class))
		.withBean(DataSource.class, RabbitRetryEndpointAutoConfigurationTests::database)
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	private final ApplicationContextRunner application = this.hidden
		.withPropertyValues("management.endpoints.web.exposure.include=parkinglot,replays,waitingretries");

	private static DataSource database() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

	@Test
	void endpointsThatAreExposedAreThere() {
		this.application.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(ParkingLotEndpoint.class)
			.hasSingleBean(ReplaysEndpoint.class)
			.hasSingleBean(WaitingRetriesEndpoint.class)
			.getBeans(EndpointRequests.class)
			.hasSize(2));
		this.application.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ParkingLotEndpoint.class)
				.doesNotHaveBean(ReplaysEndpoint.class)
				.hasSingleBean(WaitingRetriesEndpoint.class));
	}

	@Test
	void endpointsThatAreNotExposedAreNot() {
		this.hidden.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(Ledger.class)
			.doesNotHaveBean(ParkingLotEndpoint.class)
			.doesNotHaveBean(WaitingRetriesEndpoint.class)
			.doesNotHaveBean(ReplaysEndpoint.class));
	}

	@Test
	void anEndpointWithoutAccessIsNotThere() {
		this.application.withPropertyValues("management.endpoint.parkinglot.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ParkingLotEndpoint.class)
				.hasSingleBean(ReplaysEndpoint.class));
	}

	@Test
	void anEndpointOfTheUsersOwnReplacesOurs() {
		this.application.withUserConfiguration(Own.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReplaysEndpoint.class).hasBean("own"));
	}

	@Test
	void withoutActuatorTheLedgerIsThere() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Ledger.class)
				.doesNotHaveBean("rabbitRetryParkingLotEndpoint"));
	}

	@Test
	void withoutAPolicyThereIsNothing() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryLedgerAutoConfiguration.class, RabbitRetryEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Ledger.class)
				.doesNotHaveBean(ParkingLotEndpoint.class));
	}

	@ParameterizedTest
	@CsvSource({ "replay, ''", "discard[0], ''", "edit, 'EDITOR,,'" })
	void rolesThatAreEmptyFailStartup(String key, String value) {
		this.application.withPropertyValues("rabbit-retry.replay.roles.%s=%s".formatted(key, value)).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(StartReport.explain(context.getStartupFailure()).getDescription())
				.contains("rabbit-retry.replay.roles." + key.replace("[0]", ""), "has no role, or an empty one");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Own {

		@Bean
		ReplaysEndpoint own() {
			return new ReplaysEndpoint(null, new PayloadAccess(Show.NEVER, Set.of()), OperatorRoles.ANY);
		}

	}

}
