/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A started application and its containers' type.
 */
final class RunningKinds implements AutoCloseable {

	private final KindsApplication application;

	private final ContainerType container;

	private final ConfigurableApplicationContext context;

	private RunningKinds(KindsApplication application, ContainerType container,
			ConfigurableApplicationContext context) {
		this.application = application;
		this.container = container;
		this.context = context;
	}

	static RunningKinds start(KindsApplication application, ContainerType container) {
		List<String> properties = new ArrayList<>(
				List.of("spring.rabbitmq.listener.type=" + container, "rabbit-retry.defaults.retry-backoff=fixed",
						"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=1",
						"rabbit-retry.defaults.local-attempts=2", "rabbit-retry.defaults.local-delay=1ms"));
		properties.addAll(application.properties());
		kinds(application).forEach((kind) -> {
			properties.add("rabbit-retry.message-policies.%s.queue=%s".formatted(kind.messageType(), kind.queue()));
			properties.addAll(kind.properties());
		});
		return new RunningKinds(application, container,
				TestApplication.start(application.configuration(), properties.toArray(String[]::new)));
	}

	private static List<ListenerKind> kinds(KindsApplication application) {
		return ListenerKinds.all().stream().filter((kind) -> kind.application().equals(application)).toList();
	}

	boolean is(ListenerKind kind, ContainerType type) {
		return this.application.equals(kind.application()) && this.container == type;
	}

	/** Nothing may come back when the application has stopped, or be anywhere else. */
	void closeAndVerify(TestBroker broker) {
		close();
		Map<String, Long> left = new TreeMap<>();
		kinds(this.application).forEach((kind) -> {
			broker.queues(kind.queue()).forEach((queue) -> left.put(queue, broker.ready(queue)));
			broker.deleteAll(kind.queue());
		});
		assertThat(left).allSatisfy((queue, messages) -> assertThat(messages).as(queue).isZero());
	}

	@Override
	public void close() {
		this.context.close();
	}

}
