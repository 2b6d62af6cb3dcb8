/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.chaos.Evidence;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataAccessException;

/**
 * An application that has a ledger and replays whatever is in it, in a JVM of its own
 * until its standard input ends.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LedgerApplication {

	static final Duration LEASE = Duration.ofSeconds(5);

	/** What can be published twice when it is killed. */
	static final int IN_FLIGHT = 40;

	private final Evidence evidence;

	LedgerApplication(@Value("${chaos.evidence}") Path evidence) {
		this.evidence = new Evidence(evidence);
	}

	public static void main(String[] arguments) throws IOException, InterruptedException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(LedgerApplication.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			CountDownLatch over = new CountDownLatch(1);
			ReplayService service = application.getBean(ReplayService.class);
			Thread replays = new Thread(() -> replayUntil(over, service), "replays");
			replays.setUncaughtExceptionHandler((thread, ex) -> {
				ex.printStackTrace();
				Runtime.getRuntime().halt(1);
			});
			replays.start();
			while (System.in.read() >= 0) {
				// until the end
			}
			over.countDown();
			replays.join();
		}
	}

	private static void replayUntil(CountDownLatch over, ReplayService replays) {
		try {
			while (!over.await(500, TimeUnit.MILLISECONDS)) {
				replay(replays);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Whatever else is thrown ends the application, and fails the test. */
	private static void replay(ReplayService replays) {
		try {
			if (replays.jobs(ReplayJob.State.RUNNING, 1).isEmpty()) {
				replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
						ReplayOptions.unthrottled(10_000).withRate(200.0, Duration.ZERO),
						new OperatorAction("chaos", "it can be handled now")));
			}
		}
		catch (DataAccessException | ReplayRefusedException ex) {
			// the database has a fault
		}
	}

	@Bean
	static ReplaySettings shortLease() {
		return new ReplaySettings(LEASE, IN_FLIGHT, Duration.ofMillis(200), 4, Duration.ofSeconds(10),
				Duration.ofDays(90), false);
	}

	@RabbitListener(queues = "${chaos.queue}")
	void handle(Message message) {
		this.evidence.handled(Integer.parseInt(new String(message.getBody())));
	}

}
