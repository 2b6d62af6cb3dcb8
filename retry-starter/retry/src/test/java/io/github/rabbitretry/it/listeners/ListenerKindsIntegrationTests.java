/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kinds that {@code src/docs/listeners.md} lists, in both containers and with each
 * outcome. Those that have an application in common follow each other, so that it is
 * started once.
 */
class ListenerKindsIntegrationTests {

	private static TestBroker broker;

	private static final AtomicInteger messages = new AtomicInteger();

	private static @Nullable RunningKinds running;

	@BeforeAll
	static void connect() {
		broker = TestBroker.connect();
	}

	@AfterAll
	static void stop() {
		RunningKinds last = running;
		running = null;
		try {
			if (last != null) {
				last.closeAndVerify(broker);
			}
		}
		finally {
			broker.close();
		}
	}

	@ParameterizedTest(name = "{0}, {1} container: {2}")
	@MethodSource("cells")
	void areCovered(ListenerKind kind, ContainerType container, Outcome outcome) {
		Assumptions.assumeTrue(kind.possible());
		run(kind, container);
		List<String> told = DeliveryRecord.renew(kind.messageType());
		String id = "%s-%d".formatted(outcome.name(), messages.incrementAndGet());
		kind.send(broker, id, outcome);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.untilAsserted(() -> assertThat(told).hasSameSizeAs(kind.events(outcome)));
		assertThat(told).isEqualTo(kind.events(outcome));
		assertThat(HandlerCalls.of(id)).isEqualTo(kind.calls(outcome));
		kind.verify(broker, id, outcome);
	}

	static Stream<Arguments> cells() {
		return ListenerKinds.all()
			.stream()
			.map(ListenerKind::application)
			.distinct()
			.flatMap((application) -> Stream.of(ContainerType.values())
				.flatMap((container) -> ListenerKinds.all()
					.stream()
					.filter((kind) -> kind.application().equals(application))
					.flatMap((kind) -> Stream.of(Outcome.values())
						.map((outcome) -> Arguments.of(kind, container, outcome)))));
	}

	private static void run(ListenerKind kind, ContainerType container) {
		RunningKinds now = running;
		if (now == null || !now.is(kind, container)) {
			running = null;
			if (now != null) {
				now.closeAndVerify(broker);
			}
			running = RunningKinds.start(kind.application(), container);
		}
	}

}
