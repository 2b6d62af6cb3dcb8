/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Asks a person at a terminal before something is done with messages, and shows them.
 */
final class Confirmation {

	@Option(names = { "-y", "--yes" }, description = "do not ask")
	private boolean yes;

	/** A script is not asked. */
	boolean wanted(Session session) {
		return !this.yes && session.console().personThere();
	}

	/**
	 * Asks.
	 * @param session where the person is
	 * @param preview what a dry run shows of the messages
	 * @param takesReserved whether those are meant too that replays have selected
	 * @param question the question
	 * @return whether the answer is yes
	 */
	static boolean given(Session session, JsonNode preview, boolean takesReserved, String question) {
		session.show(preview, takesReserved);
		return session.console().confirms(question);
	}

}
