/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.util.Map;

/**
 * Commands as operators type them.
 */
public final class Rabbitmqctl {

	private Rabbitmqctl() {
	}

	public static String setPolicy(boolean operator, String virtualHost, long priority, String applyTo, String name,
			String pattern, Map<String, ?> definition) {
		return String.join(" ", "rabbitmqctl", operator ? "set_operator_policy" : "set_policy", "-p",
				ShellWord.quoted(virtualHost), "--priority", String.valueOf(priority), "--apply-to", applyTo,
				ShellWord.quoted(name), ShellWord.quoted(pattern), ShellWord.quoted(Json.write(definition)));
	}

}
