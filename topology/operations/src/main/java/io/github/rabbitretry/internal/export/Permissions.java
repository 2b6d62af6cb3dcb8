/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.permission.PermissionPattern;

/**
 * The permissions of a user in a virtual host, each a regular expression.
 *
 * @param role what the user is for
 * @param user the user's name
 * @param configure what it may declare and delete
 * @param write what it may publish to
 * @param read what it may consume
 * @param topics which routing keys it may publish with, by exchange; any, where none is
 * said
 */
record Permissions(Role role, String user, String configure, String write, String read, Map<String, String> topics) {

	/**
	 * The commands that make the user, without a password, which the first one asks for.
	 * @param virtualHost the virtual host
	 * @return lines for a shell
	 */
	List<String> commands(String virtualHost) {
		String name = ShellWord.quoted(this.user);
		String host = ShellWord.quoted(virtualHost);
		List<String> commands = new ArrayList<>();
		commands.add("# %s: %s".formatted(this.role.user("role").substring("role-".length()), this.role.purpose));
		commands.add("rabbitmqctl add_user " + name);
		commands.add("rabbitmqctl set_user_tags %s %s".formatted(name, this.role.tag).strip());
		commands.add(String.join(" ", "rabbitmqctl set_permissions -p", host, name, ShellWord.quoted(this.configure),
				ShellWord.quoted(this.write), ShellWord.quoted(this.read)));
		return commands;
	}

	/**
	 * The commands that say which routing keys the user may publish with. Of an exchange
	 * that does not exist {@code rabbitmqctl} refuses them.
	 * @param virtualHost the virtual host
	 * @return lines for a shell
	 */
	List<String> topicCommands(String virtualHost) {
		List<String> commands = new ArrayList<>();
		this.topics.forEach((exchange,
				key) -> commands.add(String.join(" ", "rabbitmqctl set_topic_permissions -p",
						ShellWord.quoted(virtualHost), ShellWord.quoted(this.user), ShellWord.quoted(exchange),
						ShellWord.quoted(key), ShellWord.quoted(PermissionPattern.NOTHING))));
		return commands;
	}

}
