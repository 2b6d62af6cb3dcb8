/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Queues that have a name of ours and are left alone, and why.
 */
final class KeptQueues {

	private final Draft draft;

	private final KnownQueues known;

	private final Set<String> wanted;

	KeptQueues(Draft draft, KnownQueues known, Set<String> wanted) {
		this.draft = draft;
		this.known = known;
		this.wanted = wanted;
	}

	/**
	 * Why a queue stays.
	 * @param queue it has a name of ours
	 * @param ours what we would have there
	 * @return the reason, {@code null} if it need not stay
	 */
	@Nullable String reason(SeenQueue queue, KnownQueue ours) {
		if (!ours.declaredByUs(queue)) {
			return "it has a name of ours, and arguments that are not ours: " + ours.difference(queue);
		}
		for (EarlierLadder ladder : this.known.ladders()) {
			if (ladder.queues().containsKey(queue.name())) {
				List<String> others = othersOf(ladder);
				if (!others.isEmpty()) {
					return "queues of other services are bound to '%s': %s".formatted(ladder.delivery(),
							String.join(", ", others));
				}
			}
		}
		String strange = strange(queue, ours);
		if (strange != null) {
			return strange;
		}
		Object exchange = queue.arguments().get("x-dead-letter-exchange");
		if (ours.role() == QueueRole.RETRY && exchange instanceof String name && !this.draft.hasExchange(name)) {
			return "its messages have no way back: exchange '%s' does not exist".formatted(name);
		}
		return null;
	}

	/**
	 * A parking lot has a name and arguments that others' may have too: what leads to it
	 * tells whose it is.
	 */
	private @Nullable String strange(SeenQueue queue, KnownQueue ours) {
		if (ours.role() == QueueRole.PARKING_LOT || ours.role() == QueueRole.QUARANTINE) {
			Set<String> exchanges = ours.type()
				.bases()
				.stream()
				.flatMap((basis) -> Stream.of(basis.names().ringExchange(), basis.names().deadLetterExchange()))
				.collect(Collectors.toSet());
			for (Route route : this.draft.routesTo(queue.name())) {
				if (!exchanges.contains(route.exchange())) {
					return "it may be another's: exchange '%s' leads to it".formatted(route.exchange());
				}
			}
		}
		return numbered(this.draft, queue);
	}

	/**
	 * AMQP tells whole numbers of several types apart, and the management API does not.
	 */
	static @Nullable String numbered(Draft draft, SeenQueue queue) {
		return draft.routesTo(queue.name())
			.stream()
			.filter((route) -> route.arguments().values().stream().anyMatch(Number.class::isInstance))
			.findFirst()
			.map((route) -> "it has a binding with a number among its arguments, which can't be moved: %s. Move that one, and apply again"
				.formatted(route))
			.orElse(null);
	}

	private List<String> othersOf(EarlierLadder ladder) {
		return this.draft.routesFrom(ladder.delivery())
			.stream()
			.map(Route::destination)
			.filter((queue) -> this.known.get(MigrationPlanner.withoutSuffix(queue)) == null
					&& !this.wanted.contains(queue))
			.distinct()
			.toList();
	}

}
