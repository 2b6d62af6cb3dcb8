/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * Previews messages before an action on them.
 */
public final class PreviewLines {

	private PreviewLines() {
	}

	/**
	 * How many messages there are of each owner, and some of them.
	 * @param preview what a dry run shows of the messages
	 * @return lines
	 */
	public static List<String> messages(JsonNode preview) {
		List<String> lines = new ArrayList<>();
		JsonNode owners = preview.path("owners");
		owners.propertyNames().forEach((owner) -> lines.add("%s: %s".formatted(owner, FieldText.text(owners, owner))));
		for (JsonNode sample : preview.path("samples")) {
			lines.add("for example %s  %s  %s  %s  %s".formatted(FieldText.text(sample, "id"),
					FieldText.text(sample, "messageId"), FieldText.text(sample, "messageType"),
					FieldText.text(sample, "reason"), Times.brief(FieldText.text(sample, "parkedAt"))));
		}
		return lines.stream().map(SafeText::line).map(String::stripTrailing).toList();
	}

	/**
	 * Which replays have selected some of the messages.
	 * @param preview what a dry run shows of the messages
	 * @param taken whether they are meant all the same
	 * @return lines
	 */
	public static List<String> reserved(JsonNode preview, boolean taken) {
		List<String> lines = new ArrayList<>();
		for (JsonNode reserved : preview.path("reserved")) {
			lines.add(SafeText.line("%s, %s are selected by %s (%s, %s)".formatted(taken ? "taken" : "left out",
					FieldText.text(reserved, "messages"), FieldText.text(reserved, "replayId"),
					FieldText.text(reserved, "state"), FieldText.text(reserved, "user"))));
		}
		return lines;
	}

}
