/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * The queues that are ours by their names: those of the configuration, of the former one,
 * and of what earlier configurations and builds declare for the same work queues.
 */
final class KnownQueues {

	private static final Pattern LABEL = Pattern.compile("(\\d{1,10})(ms|s|m|h|d)");

	private static final Map<String, Duration> UNITS = Map.of("ms", Duration.ofMillis(1), "s", Duration.ofSeconds(1),
			"m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

	private final Map<String, KnownQueue> known = new TreeMap<>();

	private final Set<EarlierLadder> ladders = new LinkedHashSet<>();

	KnownQueues(List<MigratedType> types, Collection<String> liveNames) {
		for (MigratedType type : types) {
			for (TopologyBasis basis : type.bases()) {
				add(type, basis, liveNames);
				addEarlier(type, basis.queue());
			}
			addLadder(type, new EarlierLadder(EarlierLadder.SHARED));
		}
	}

	private void add(MigratedType type, TopologyBasis basis, Collection<String> liveNames) {
		try {
			for (MessageTopology variant : basis.variants(delays(basis.retryPrefix(), liveNames), type.minimal())) {
				for (QueueModel model : variant.ownQueues()) {
					if (!model.existing()) {
						known(model.name(), model.role(), type, successor(model.role(), type)).ifPresent((queue) -> {
							queue.shape(model.arguments());
							queue.shape(model.declaredArguments());
						});
					}
				}
			}
		}
		catch (InvalidConfigurationException ex) {
			// names that are derived from it are too long: nobody has declared them
		}
	}

	/** What the first version had besides. */
	private void addEarlier(MigratedType type, String queue) {
		for (MessageTopology variant : List.of(MessageTopology.of(queue).build(),
				MessageTopology.of(queue).queueType(QueueType.CLASSIC).build())) {
			variant.ownQueues()
				.stream()
				.filter((model) -> model.role() == QueueRole.PARKING_LOT)
				.forEach(
						(storage) -> known(queue + ".undeliverable", QueueRole.UNROUTABLE, type, DelayLadder.UNROUTABLE)
							.ifPresent((known) -> known.shape(storage.arguments())));
		}
		addLadder(type, new EarlierLadder(queue + ".delay"));
	}

	private void addLadder(MigratedType type, EarlierLadder ladder) {
		if (this.ladders.add(ladder)) {
			ladder.queues()
				.forEach((name, shapes) -> known(name, QueueRole.RETRY, type, null)
					.ifPresent((known) -> shapes.forEach(known::shape)));
		}
	}

	/** Empty if another message type has a queue of that name. */
	private Optional<KnownQueue> known(String name, QueueRole role, MigratedType type, @Nullable String successor) {
		KnownQueue queue = this.known.computeIfAbsent(name, (missing) -> new KnownQueue(role, type, successor));
		return Optional.of(queue).filter((one) -> one.type() == type && one.role() == role);
	}

	private static @Nullable String successor(QueueRole role, MigratedType type) {
		MessageTopology wanted = type.wanted();
		return switch (role) {
			case WORK -> wanted.queue();
			case QUARANTINE -> wanted.quarantined() ? wanted.quarantine() : wanted.queue();
			case DEAD_LETTER -> wanted.deadLetterQueue();
			case PARKING_LOT -> wanted.parkingLot();
			case UNROUTABLE -> DelayLadder.UNROUTABLE;
			case RETRY -> null;
		};
	}

	private static Set<Duration> delays(String prefix, Collection<String> names) {
		Set<Duration> delays = new LinkedHashSet<>();
		for (String name : names) {
			String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
			Matcher label = LABEL.matcher(MigrationPlanner.withoutSuffix(rest));
			if (label.matches()) {
				Duration delay = UNITS.get(label.group(2)).multipliedBy(Long.parseLong(label.group(1)));
				if (isLevel(delay, label.group())) {
					delays.add(delay);
				}
			}
		}
		return delays;
	}

	private static boolean isLevel(Duration delay, String label) {
		try {
			return new DelayLevel(delay).label().equals(label);
		}
		catch (InvalidConfigurationException ex) {
			return false;
		}
	}

	@Nullable KnownQueue get(String name) {
		return this.known.get(name);
	}

	Set<EarlierLadder> ladders() {
		return this.ladders;
	}

	/** The exchanges that earlier configurations and builds declare, and their types. */
	Map<String, String> exchanges(List<MigratedType> types) {
		Map<String, String> exchanges = new HashMap<>();
		types.stream()
			.flatMap((type) -> type.bases().stream())
			.flatMap((basis) -> Stream.of(basis.names().ringExchange(), basis.names().deadLetterExchange()))
			.forEach((name) -> exchanges.put(name, "direct"));
		this.ladders.forEach((ladder) -> ladder.exchanges().forEach((name) -> exchanges.put(name, "topic")));
		return exchanges;
	}

}
