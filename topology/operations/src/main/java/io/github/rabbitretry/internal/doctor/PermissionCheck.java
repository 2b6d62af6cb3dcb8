/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.permission.PermissionPattern;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UserSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the application's user may do with what the application does.
 */
final class PermissionCheck implements DoctorCheck {

	/** A queue that does not exist. */
	private static final String NOBODYS = "rabbit-retry-doctor.nobody-s-queue";

	private static final int MOST_NAMES = 5;

	private static final String OF_ITS_OWN = "Give the service a user of its own, with the permissions that rabbit-retry export permissions prints.";

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		UserSnapshot user = live.user();
		if (user == null) {
			return List.of();
		}
		NeededPermissions needed = expected.permissions();
		Map<String, Set<String>> missing = new LinkedHashMap<>();
		missing.put("configure", missing(needed.configure(), user.configure()));
		missing.put("write", missing(needed.write(), user.write()));
		missing.put("read", missing(needed.read(), user.read()));
		Collection<TypeTopology> policies = expected.types();
		String configure = extended(user.configure(), missing.get("configure"), policies);
		String write = extended(user.write(), missing.get("write"), policies);
		String read = extended(user.read(), missing.get("read"), policies);
		// what others need of a user that they share is not known here
		List<String> grant = Stream.of(configure, write, read).allMatch(PermissionPattern::fits)
				? List.of(live.commands().ctl("set_permissions", user.name(), configure, write, read)) : List.of();
		List<Finding> findings = new ArrayList<>();
		missing.forEach((permission, names) -> {
			if (!names.isEmpty()) {
				findings.add(
						FindingCode.PERMISSION_MISSING
							.of("user '%s'".formatted(user.name()),
									"User '%s' lacks the permission '%s' for %s.".formatted(user.name(), permission,
											some(names)),
									"Grant it.", grant)
							.affecting(List.copyOf(names)));
			}
		});
		if (!expected.application().declared() && !consumes(user, expected, live)) {
			// who only asks, as an operator does, is not the user that the service needs
			return findings;
		}
		List<String> broad = new ArrayList<>();
		if (matches(user.configure(), NOBODYS)) {
			broad.add("may configure what no policy needs ('%s')".formatted(user.configure()));
		}
		if (user.tags().contains("administrator")) {
			broad.add("has the tag administrator");
		}
		if (!broad.isEmpty()) {
			// who takes the tag away from the last administrator locks everybody out
			findings.add(FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()),
					"User '%s', as whom the application connects, %s.".formatted(user.name(),
							String.join(" and ", broad)),
					OF_ITS_OWN, List.of()));
		}
		return findings;
	}

	private static boolean consumes(UserSnapshot user, ExpectedTopology expected, BrokerSnapshot live) {
		return live.consumers().orElse(List.of()).stream().anyMatch((consumer) -> {
			ConnectionSnapshot connection = live.connections().get(consumer.connection());
			return connection != null && connection.user().equals(user.name())
					&& expected.queues().containsKey(consumer.queue());
		});
	}

	private static Set<String> missing(Set<String> names, @Nullable String pattern) {
		Set<String> missing = new LinkedHashSet<>();
		names.stream().filter((name) -> !matches(pattern, name)).forEach(missing::add);
		return missing;
	}

	private static boolean matches(@Nullable String pattern, String name) {
		if (pattern == null || pattern.isEmpty()) {
			return false;
		}
		try {
			return NameRegex.of(pattern).matches(name);
		}
		catch (PatternSyntaxException ex) {
			// one of PCRE's alone
			return !name.equals(NOBODYS);
		}
	}

	private static String extended(@Nullable String pattern, @Nullable Set<String> names,
			Collection<TypeTopology> policies) {
		boolean none = pattern == null || pattern.isEmpty() || pattern.equals(PermissionPattern.NOTHING);
		if (names == null || names.isEmpty()) {
			return none ? PermissionPattern.NOTHING : pattern;
		}
		return PermissionPattern.after(none ? "" : pattern + "|", names, policies);
	}

	private static String some(Set<String> names) {
		List<String> all = List.copyOf(names);
		String some = String.join("', '", all.subList(0, Math.min(MOST_NAMES, all.size())));
		return "'" + some + "'" + ((all.size() > MOST_NAMES) ? " and %s more".formatted(all.size() - MOST_NAMES) : "");
	}

}
