/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.BindingReader;
import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Queues that have a name of ours and are left alone, and why.
 */
final class KeptQueues {

	private static final Set<QueueRole> STORES = EnumSet.of(QueueRole.PARKING_LOT, QueueRole.QUARANTINE,
			QueueRole.DEAD_LETTER);

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
		if (STORES.contains(ours.role())) {
			Set<String> exchanges = ours.type()
				.bases()
				.stream()
				.flatMap((basis) -> Stream.of(basis.names().ringExchange(), basis.names().deadLetterExchange()))
				.collect(Collectors.toSet());
			for (Route route : this.draft.routesTo(queue.name())) {
				if (!exchanges.contains(route.exchange())) {
					return "it may be another's: exchange '%s' leads to it".formatted(route.exchange());
				}
				String user = user(route.exchange());
				if (user != null) {
					return "another may share it: exchange '%s' leads to it, and %s".formatted(route.exchange(), user);
				}
			}
		}
		return unmovable(this.draft, queue);
	}

	/**
	 * Who else uses an exchange. Policies do not tell: with minimal arguments our own
	 * queues dead-letter by policy.
	 */
	private @Nullable String user(String exchange) {
		return Stream
			.of(this.draft.queuesWith("x-dead-letter-exchange", exchange)
				.stream()
				.filter(this::isAnothers)
				.map("queue '%s' dead-letters to that"::formatted),
					this.draft.exchangesWith("alternate-exchange", exchange)
						.stream()
						.map("that is the alternate exchange of '%s'"::formatted),
					this.draft.routesFrom(exchange)
						.stream()
						.filter((route) -> !route.leadsToQueue() || isAnothers(route.destination()))
						.map((route) -> "to '%s' also".formatted(route.destination())),
					this.draft.routes((route) -> !route.leadsToQueue() && route.destination().equals(exchange))
						.stream()
						.map((route) -> "exchange '%s' to that".formatted(route.exchange())),
					this.draft.unreadableAt(exchange)
						.stream()
						.filter((binding) -> !binding.toQueue() || isAnothers(binding.destination()))
						.map((binding) -> "there are " + binding.description()))
			.flatMap((users) -> users)
			.findFirst()
			.orElse(null);
	}

	private boolean isAnothers(String queue) {
		return this.known.get(MigrationPlanner.withoutSuffix(queue)) == null && !this.wanted.contains(queue);
	}

	/**
	 * AMQP tells whole numbers of several types apart, and void from a text. The
	 * management API does not.
	 */
	static @Nullable String unmovable(Draft draft, SeenQueue queue) {
		if ("stream".equals(queue.arguments().get("x-queue-type"))) {
			return "it is a stream, which keeps what is consumed";
		}
		List<UnreadableBinding> unreadable = draft.unreadableTo(queue.name());
		if (!unreadable.isEmpty()) {
			return "it is not known how it is bound. Have the owner of what can't be read remove it, and apply again: "
					+ unreadable.get(0).description();
		}
		return draft.routesTo(queue.name())
			.stream()
			.filter((route) -> isAmbiguous(route.arguments()))
			.findFirst()
			.map((route) -> "it has a binding with a number or void among its arguments, which can't be moved: %s. Move that one, and apply again"
				.formatted(route))
			.orElse(null);
	}

	private static boolean isAmbiguous(@Nullable Object value) {
		if (value instanceof Map<?, ?> table) {
			return table.values().stream().anyMatch(KeptQueues::isAmbiguous);
		}
		if (value instanceof List<?> list) {
			return list.stream().anyMatch(KeptQueues::isAmbiguous);
		}
		return value == null || value instanceof Number || value.equals(BindingReader.VOID);
	}

	private List<String> othersOf(EarlierLadder ladder) {
		return Stream
			.concat(this.draft.routesFrom(ladder.delivery()).stream().map(Route::destination),
					this.draft.unreadableAt(ladder.delivery()).stream().map(UnreadableBinding::destination))
			.filter(this::isAnothers)
			.distinct()
			.toList();
	}

}
