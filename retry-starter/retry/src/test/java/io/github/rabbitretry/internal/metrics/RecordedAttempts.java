/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.support.micrometer.RabbitMessageReceiverContext;

/**
 * Keeps the containers' observations that ended, as a bridge to a tracer sees them: with
 * what the message says about its trace.
 */
public final class RecordedAttempts implements ObservationHandler<RabbitMessageReceiverContext> {

	private final List<Attempt> attempts = new CopyOnWriteArrayList<>();

	/**
	 * A registry that observes with this.
	 * @return the registry
	 */
	public ObservationRegistry registry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(this);
		return registry;
	}

	/**
	 * The observations that ended.
	 * @return them, in this order
	 */
	public List<Attempt> attempts() {
		return List.copyOf(this.attempts);
	}

	@Override
	public void onEvent(Observation.Event event, RabbitMessageReceiverContext context) {
		events(context).add(String.valueOf(event.getContextualName()));
	}

	@Override
	public void onStop(RabbitMessageReceiverContext context) {
		Map<String, String> values = new TreeMap<>();
		for (KeyValue value : context.getHighCardinalityKeyValues()) {
			if (value.getKey().startsWith("rabbit.retry.")) {
				values.put(value.getKey().substring("rabbit.retry.".length()), value.getValue());
			}
		}
		List<String> timerTags = new ArrayList<>();
		context.getLowCardinalityKeyValues().forEach((value) -> timerTags.add(value.getKey()));
		Message message = context.getCarrier();
		Map<String, String> trace = new TreeMap<>();
		for (String name : List.of("traceparent", "tracestate", "baggage", "b3")) {
			Object value = context.getGetter().get(message, name);
			if (value != null) {
				trace.put(name, value.toString());
			}
		}
		this.attempts.add(new Attempt(String.valueOf(context.getSource()), context.getError(), values, timerTags,
				events(context), trace));
	}

	private static List<String> events(RabbitMessageReceiverContext context) {
		return context.computeIfAbsent("events", (key) -> new ArrayList<String>());
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof RabbitMessageReceiverContext;
	}

	/**
	 * An observation that ended.
	 *
	 * @param queue the queue
	 * @param error why it is one of a failed attempt, or {@code null}
	 * @param values our key values, without their prefix
	 * @param timerTags the names of the timer's tags
	 * @param events its events
	 * @param trace the headers of the trace that it belongs to
	 */
	public record Attempt(String queue, @Nullable Throwable error, Map<String, String> values, List<String> timerTags,
			List<String> events, Map<String, String> trace) {
	}

}
