/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the windows of parking lots, to be searched as the ledger is. It does
 * not change any more, and knows nothing of what was not in the windows.
 */
public final class ScannedLedger implements Ledger {

	private static final Comparator<ParkedSummary> LAST_FIRST = Comparator.comparing(ParkedSummary::parkedAt)
		.thenComparingLong(ParkedSummary::id)
		.reversed();

	private final List<ParkedSummary> messages;

	private final Map<Long, ParkedMessage> whole;

	private final List<ScanWindow> windows;

	ScannedLedger(List<ParkedSummary> messages, Map<Long, ParkedMessage> whole, List<ScanWindow> windows) {
		this.messages = List.copyOf(messages);
		this.whole = Map.copyOf(whole);
		this.windows = List.copyOf(windows);
	}

	/**
	 * Which part of the parking lots this is.
	 * @return a window for each parking lot that was looked at
	 */
	public List<ScanWindow> windows() {
		return this.windows;
	}

	@Override
	public ParkedPage search(ParkedFilter filter, ParkedPage.@Nullable PageKey after, int size) {
		checkSize(size);
		List<ParkedSummary> found = matching(filter).filter((message) -> after == null || isAfter(message, after))
			.sorted(LAST_FIRST)
			.limit(size + 1L)
			.toList();
		if (found.size() <= size) {
			return new ParkedPage(found, null);
		}
		ParkedSummary last = found.get(size - 1);
		return new ParkedPage(found.subList(0, size), new ParkedPage.PageKey(last.parkedAt(), last.id()));
	}

	private static boolean isAfter(ParkedSummary message, ParkedPage.PageKey key) {
		int older = message.parkedAt().compareTo(key.parkedAt());
		return older < 0 || (older == 0 && message.id() < key.id());
	}

	@Override
	public long count(ParkedFilter filter) {
		return matching(filter).count();
	}

	/**
	 * Finds a message that the scan keeps whole.
	 */
	@Override
	public Optional<ParkedMessage> find(long id) {
		return Optional.ofNullable(this.whole.get(id));
	}

	/**
	 * Finds messages that the scan keeps whole.
	 */
	@Override
	public List<ParkedMessage> find(Collection<Long> ids) {
		return ids.stream().map(this.whole::get).filter(Objects::nonNull).toList();
	}

	@Override
	public List<FailureGroup> groups(ParkedFilter filter, int limit) {
		checkSize(limit);
		Map<String, List<ParkedSummary>> groups = matching(filter)
			.collect(Collectors.groupingBy((message) -> message.cause().id()));
		return groups.values()
			.stream()
			.map(ScannedLedger::group)
			.sorted(Comparator.comparingLong(FailureGroup::count)
				.reversed()
				.thenComparing((group) -> group.cause().id()))
			.limit(limit)
			.toList();
	}

	@Override
	public List<FailureGroup.Total> totals(ParkedFilter filter, FailureGroup.Attribute attribute, int limit) {
		checkSize(limit);
		return matching(filter)
			.collect(Collectors.groupingBy((message) -> Optional.ofNullable(value(message, attribute))))
			.entrySet()
			.stream()
			.map((group) -> total(group.getKey().orElse(null), group.getValue()))
			.sorted(Comparator.comparingLong(FailureGroup.Total::count)
				.reversed()
				.thenComparing(FailureGroup.Total::value, Comparator.nullsLast(Comparator.naturalOrder())))
			.limit(limit)
			.toList();
	}

	private static @Nullable String value(ParkedSummary message, FailureGroup.Attribute attribute) {
		return switch (attribute) {
			case MESSAGE_TYPE -> message.messageType();
			case OWNER -> message.owner();
			case HANDLER_VERSION -> message.handlerVersion();
			case SCHEMA_VERSION -> message.schemaVersion();
			case QUEUE -> message.queue();
		};
	}

	private static FailureGroup.Total total(@Nullable String value, List<ParkedSummary> messages) {
		List<Instant> parked = messages.stream().map(ParkedSummary::parkedAt).sorted().toList();
		long causes = messages.stream().map((message) -> message.cause().id()).distinct().count();
		return new FailureGroup.Total(value, messages.size(), causes, parked.get(0), parked.get(parked.size() - 1));
	}

	/**
	 * Not to be known without a history.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	public List<FailureGroup> groupsNewSince(ParkedFilter filter, String handlerVersion, int limit) {
		throw new UnsupportedOperationException("a window of the queue has no history");
	}

	/**
	 * None: a window of the queue begins with the oldest messages.
	 */
	@Override
	public List<FailureGroup.Trend> trends(ParkedFilter filter, List<FailureGroup> groups) {
		return List.of();
	}

	private Stream<ParkedSummary> matching(ParkedFilter filter) {
		return this.messages.stream().filter((message) -> ParkedMatch.matches(filter, message));
	}

	private static FailureGroup group(List<ParkedSummary> messages) {
		List<ParkedSummary> firstFirst = messages.stream().sorted(LAST_FIRST.reversed()).toList();
		Instant first = firstFirst.get(0).parkedAt();
		ParkedSummary last = firstFirst.get(firstFirst.size() - 1);
		List<String> versions = firstFirst.stream()
			.map(ParkedSummary::handlerVersion)
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		long exhausted = messages.stream().filter((message) -> FailureGroup.exhausted(message.reason())).count();
		String why = last.failureReason();
		return new FailureGroup(last.cause(), messages.size(), exhausted, first, last.parkedAt(), last.queue(),
				last.messageType(), last.owner(), (why != null) ? why : last.reason(), last.failureClass(),
				last.exception(), last.fingerprint(), versions);
	}

	private static void checkSize(int size) {
		if (size < 1 || size > LARGEST_PAGE) {
			throw new IllegalArgumentException("a size of %s is not from 1 to %s".formatted(size, LARGEST_PAGE));
		}
	}

}
