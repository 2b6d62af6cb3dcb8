/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import io.github.rabbitretry.actuate.EndpointRequests;
import io.github.rabbitretry.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.actuate.ReplaysEndpoint;
import io.github.rabbitretry.scan.ParkingLotWindow;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryEndpointAutoConfigurationTests {

	private final ApplicationContextRunner hidden = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryLedgerAutoConfiguration.class,
				RabbitRetryReplayAutoConfiguration.class, RabbitRetryScanAutoConfiguration.class,
				RabbitRetryEndpointAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	private final ApplicationContextRunner application = this.hidden
		.withPropertyValues("management.endpoints.web.exposure.include=parkinglot,replays");

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
			.hasSingleBean(EndpointRequests.class));
		this.application.withBean(DataSource.class, RabbitRetryEndpointAutoConfigurationTests::database)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ParkingLotEndpoint.class));
	}

	@Test
	void endpointsThatAreNotExposedAreNot() {
		this.hidden.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(ParkingLotWindow.class)
			.doesNotHaveBean(ParkingLotEndpoint.class)
			.doesNotHaveBean(ReplaysEndpoint.class));
	}

	@Test
	void anEndpointWithoutAccessIsNotThere() {
		this.application.withPropertyValues("management.endpoint.parkinglot.access=none")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ParkingLotEndpoint.class)
				.hasSingleBean(ReplaysEndpoint.class));
	}

	@Test
	void anEndpointOfTheUsersOwnReplacesOurs() {
		this.application
			.withBean("own", ReplaysEndpoint.class,
					() -> new ReplaysEndpoint(new ParkedMessages(null, () -> false, mock(ParkingLotWindow.class)), null))
			.run((context) -> assertThat(context).hasNotFailed().getBeanNames(ReplaysEndpoint.class).containsExactly("own"));
	}

	@Test
	void withoutActuatorTheWindowIsThere() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ParkingLotWindow.class)
				.doesNotHaveBean("rabbitRetryParkingLotEndpoint"));
	}

	@Test
	void withoutSpringJdbcTheEndpointsAreThere() {
		this.application
			.withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.springframework.boot.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ParkingLotEndpoint.class));
	}

	@Test
	void withoutAPolicyThereIsNothing() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryScanAutoConfiguration.class, RabbitRetryEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ParkingLotWindow.class)
				.doesNotHaveBean(ParkingLotEndpoint.class));
	}

}
