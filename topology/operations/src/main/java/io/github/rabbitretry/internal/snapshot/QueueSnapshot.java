/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the broker has it.
 *
 * @param name its name
 * @param type its type as the broker calls it
 * @param durable whether it survives a restart
 * @param shortLived whether the broker deletes it with its last consumer or its
 * connection
 * @param arguments the arguments of its declaration
 * @param messages how many messages are in it, some seconds ago, or -1 if that is not
 * known
 * @param ready those that can be delivered
 * @param unacknowledged those that are delivered
 * @param state its state as the broker calls it
 * @param leader the node that it is on
 * @param members the nodes that have a replica, if its type has them
 * @param online those of them that are up
 */
public record QueueSnapshot(String name, String type, boolean durable, boolean shortLived,
		Map<String, @Nullable Object> arguments, long messages, long ready, long unacknowledged, String state,
		@Nullable String leader, List<String> members, List<String> online) {

	public QueueType queueType() {
		return this.type.equals("classic") ? QueueType.CLASSIC : QueueType.QUORUM;
	}

	/**
	 * What is in effect for a key, that of the declaration or else of a policy.
	 * @param key a key of policies
	 * @param policies the virtual host's policies
	 * @return its value, or {@code null} if neither has it
	 */
	public @Nullable Object effective(String key, BrokerPolicies policies) {
		return policies.effective(key, this.name, queueType(), this.arguments);
	}

	/**
	 * Whether it refuses messages when it is full.
	 * @param policies the virtual host's policies
	 * @return whether it does
	 */
	public boolean mayRefuse(BrokerPolicies policies) {
		Object overflow = effective("overflow", policies);
		return overflow != null && overflow.toString().startsWith("reject-publish")
				&& (effective("max-length", policies) != null || effective("max-length-bytes", policies) != null);
	}

	/**
	 * Whether it was declared with just the arguments of a model.
	 * @param model the model
	 * @return {@code false} if declaring the model would be refused
	 */
	public boolean isDeclaredAs(QueueDefinition model) {
		Map<String, @Nullable Object> there = new TreeMap<>(this.arguments);
		// what the management API leaves out where it is the default
		there.putIfAbsent("x-queue-type", this.type);
		return this.durable && !this.shortLived && comparable(there).equals(comparable(model.arguments()));
	}

	private static Map<String, String> comparable(Map<String, ? extends @Nullable Object> arguments) {
		Map<String, String> comparable = new TreeMap<>();
		arguments.forEach((name, value) -> comparable.put(name,
				(value instanceof Number number) ? Long.toString(number.longValue()) : String.valueOf(value)));
		return comparable;
	}

	/** So many, in words. */
	public String content() {
		return (this.messages < 0) ? "an unknown number of messages" : this.messages + " messages";
	}

	/** Messages that are being dead-lettered. */
	long leaving() {
		return this.messages - this.ready - this.unacknowledged;
	}

	/**
	 * Messages that are being dead-lettered and don't get on. Where messages expire all
	 * the time there are always some on their way: as many as expire in the time that one
	 * needs, which is far less than a second if its target takes it.
	 * @param policies the virtual host's policies
	 * @return their number, 0 if the queue's traffic explains it
	 */
	public long stuck(BrokerPolicies policies) {
		long expiringInASecond = (effective("message-ttl", policies) instanceof Number ttl && ttl.longValue() > 0)
				? 1000 * this.ready / ttl.longValue() : 0;
		return (leaving() > expiringInASecond) ? leaving() : 0;
	}

}
