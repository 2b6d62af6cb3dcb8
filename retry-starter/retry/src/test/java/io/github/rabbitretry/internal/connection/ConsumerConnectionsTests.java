/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.rabbitmq.client.Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ThreadChannelConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ConsumerConnectionsTests {

	private final ConnectionAborter aborter = new ConnectionAborter(new StopDeadline(Duration.ofSeconds(20)));

	private final ConsumerConnections connections = new ConsumerConnections(this.aborter);

	@AfterEach
	void close() {
	}

	@Test
	void leadToTheSameBrokerAsTheSameUser() {
		CachingConnectionFactory shared = new CachingConnectionFactory("broker.example", 5673);
		shared.setUsername("worker");
		shared.setVirtualHost("orders");
		shared.setCloseTimeout(1234);
		shared.setConnectionNameStrategy((factory) -> "order-worker");
		CachingConnectionFactory own = own(shared);
		assertThat(own).isNotSameAs(shared);
		assertThat(own.getHost()).isEqualTo("broker.example");
		assertThat(own.getPort()).isEqualTo(5673);
		assertThat(own.getVirtualHost()).isEqualTo("orders");
		assertThat(own.getUsername()).isEqualTo("worker");
		FactorySettings settings = new FactorySettings(own);
		assertThat(settings.addresses()).isNull();
		assertThat(settings.closeTimeout()).isEqualTo(1234);
		assertThat(settings.nameStrategy().obtainNewConnectionName(own)).isEqualTo("order-worker.dead-letters");
	}

	@Test
	void haveTheSameAddressesAndThreads() {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		CachingConnectionFactory shared = new CachingConnectionFactory();
		shared.setAddresses("one:5672,two:5673");
		shared.setAddressShuffleMode(AddressShuffleMode.NONE);
		shared.setExecutor(executor);
		FactorySettings settings = new FactorySettings(own(shared));
		assertThat(settings.addresses()).containsExactly(new Address("one", 5672), new Address("two", 5673));
		assertThat(new FactorySettings((CachingConnectionFactory) this.connections.of(shared, "ledger")).executor())
			.isSameAs(executor);
		executor.shutdownNow();
	}

	@Test
	void areOfOneFactoryForEachPurpose() {
		CachingConnectionFactory shared = new CachingConnectionFactory();
		assertThat(own(shared)).isSameAs(own(shared))
			.isNotSameAs(this.connections.of(shared, "ledger"))
			.isNotSameAs(own(new CachingConnectionFactory()));
	}

	@Test
	void leaveTheSettingsOfTheSharedOneAlone() {
		com.rabbitmq.client.ConnectionFactory client = new com.rabbitmq.client.ConnectionFactory();
		ThreadChannelConnectionFactory shared = new ThreadChannelConnectionFactory(client);
		client.setAutomaticRecoveryEnabled(true);
		assertThat(own(shared).getRabbitConnectionFactory()).isNotSameAs(client);
		assertThat(client.isAutomaticRecoveryEnabled()).isTrue();
	}

	@Test
	void areTheSharedOnesOfAClassThatNobodyElseKnows() {
		CachingConnectionFactory decorated = new CachingConnectionFactory() {
		};
		assertThat(this.connections.of(decorated, "dead-letters")).isSameAs(decorated);
	}

	@Test
	void ofTheApplicationAreReportedOnceHoweverOftenTheyAreWatched() {
		CachingConnectionFactory shared = new CachingConnectionFactory();
		FatalErrors.watch(shared);
		Object handler = shared.getRabbitConnectionFactory().getExceptionHandler();
		FatalErrors.watch((CachingConnectionFactory) this.connections.of(shared, "dead-letters"));
		assertThat(List.of(handler)).hasOnlyElementsOfType(ReportingExceptionHandler.class);
		assertThat(shared.getRabbitConnectionFactory().getExceptionHandler()).isSameAs(handler);
	}

	private CachingConnectionFactory own(ConnectionFactory shared) {
		return (CachingConnectionFactory) this.connections.of(shared, "dead-letters");
	}

}
