/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Asks how many messages queues have. Only a list is reliable: asked for a single queue,
 * a node of a cluster knows of no message, and answers 0, where another node has the
 * queue's leader.
 */
public final class QueueLists {

	/**
	 * With numbers of messages, those of each queue's last tick: 5 seconds old at most. A
	 * queue is left out if its node is down or does not answer, without any notice.
	 */
	public static final String TOTALS = "disable_stats=true&enable_queue_totals=true";

	/** Without numbers, and with all queues there are, wherever they are. */
	public static final String ALL = "disable_stats=true";

	/** As RabbitMQ (4.0 to 4.3) calls states in which a queue does not answer. */
	private static final Set<String> UNAVAILABLE = Set.of("down", "crashed", "stopped", "minority", "no_leader");

	/** More than match the longest pattern. */
	private static final int PAGE = 500;

	/** The API takes a request line of some 8,000 characters. */
	private static final int LONGEST_PATTERN = 3000;

	private static final Pattern NO_LETTER_OR_DIGIT = Pattern.compile("([\\x20-\\x7e&&[^A-Za-z0-9_]])");

	private final ManagementClient client;

	/**
	 * Creates it.
	 * @param client to ask with
	 */
	public QueueLists(ManagementClient client) {
		this.client = client;
	}

	/**
	 * Whether a queue answers.
	 * @param state its state, as the API calls it
	 * @return {@code false} if nothing can be published to it, taken from it or known of
	 * what is in it
	 */
	public static boolean isAvailable(String state) {
		return !UNAVAILABLE.contains(state);
	}

	/**
	 * Finds queues.
	 * @param names their names
	 * @param list {@link #TOTALS} or {@link #ALL}
	 * @param columns the attributes to return, with their names, separated by commas
	 * @return what the API reports about those that are in the list
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	public List<JsonRows> find(Collection<String> names, String list, String columns) {
		Set<String> wanted = new HashSet<>(names);
		List<JsonRows> found = new ArrayList<>();
		for (String pattern : patterns(names)) {
			JsonRows page = JsonRows
				.ofObject(this.client.list("queues?page=1&page_size=%s&use_regex=true&name=%s&%s&columns=%s"
					.formatted(PAGE, pattern, list, columns)));
			JsonRows.of(page.members().get("items"))
				.stream()
				// patterns take upper for lower case
				.filter((queue) -> wanted.contains(queue.text("name")))
				.forEach(found::add);
		}
		return found;
	}

	private static List<String> patterns(Collection<String> names) {
		List<String> patterns = new ArrayList<>();
		StringBuilder alternatives = new StringBuilder();
		for (String name : names) {
			String next = ManagementClient.encoded(NO_LETTER_OR_DIGIT.matcher(name).replaceAll("\\\\$1"));
			if (!alternatives.isEmpty() && alternatives.length() + next.length() > LONGEST_PATTERN) {
				patterns.add(alternatives.append(ManagementClient.encoded(")$")).toString());
				alternatives.setLength(0);
			}
			alternatives.append(ManagementClient.encoded(alternatives.isEmpty() ? "^(" : "|")).append(next);
		}
		if (!alternatives.isEmpty()) {
			patterns.add(alternatives.append(ManagementClient.encoded(")$")).toString());
		}
		return patterns;
	}

}
