/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.stream.Stream;

/**
 * The kinds of listeners, in the order of the page. A new kind is added to one of these
 * lists, or to a list of its own, and to the page.
 */
final class ListenerKinds {

	private ListenerKinds() {
	}

	/**
	 * All kinds.
	 * @return those that have an application in common stand together
	 */
	static List<ListenerKind> all() {
		return Stream
			.of(PayloadKinds.all(), ReplyKinds.all(), AsyncKinds.all(), KotlinKinds.all(), BatchKinds.all(),
					QueueKinds.all(), ContainerKinds.all(), BeanKinds.all())
			.flatMap(List::stream)
			.toList();
	}

}
