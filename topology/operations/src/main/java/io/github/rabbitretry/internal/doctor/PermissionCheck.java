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
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.permission.PermissionPattern;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.UserSnapshot;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the application's user may do with what the application does.
 */
final class PermissionCheck implements DoctorCheck {

	/** A queue that nobody would declare. */
	private static final String NOBODYS = "rabbit-retry-doctor.nobody-s-queue";

	private static final int MOST_NAMES = 5;

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
		boolean broad = matches(user.configure(), NOBODYS);
		Collection<TypeTopology> policies = expected.types();
		String configure = extended(user.configure(), missing.get("configure"), policies);
		String write = extended(user.write(), missing.get("write"), policies);
		String read = extended(user.read(), missing.get("read"), policies);
		// who lacks one permission may need what another one is too broad for
		List<String> grant = permit(user, live, configure, write, read);
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
		Set<String> consumed = consumed(user, live);
		if (!expected.declared() && consumed.stream().noneMatch(expected.queues()::containsKey)) {
			// who only asks, as an operator does, is not the user that the service needs
			return findings;
		}
		if (broad) {
			findings.add(broad(user, consumed.stream().filter((queue) -> !expected.isOurs(queue)).toList(),
					expected.declared(), consumersKnown(live),
					permit(user, live, PermissionPattern.of(needed.configure(), policies), write, read)));
		}
		if (live.version().matches("4\\.[0-2]\\..*")) {
			boolean own = expected.declared() && consumersKnown(live)
					&& consumed.stream().allMatch((queue) -> expected.isOurs(queue));
			tooLong(user,
					own ? permit(user, live, PermissionPattern.of(needed.configure(), policies),
							PermissionPattern.of(needed.write(), policies),
							PermissionPattern.of(needed.read(), policies)) : List.of(),
					findings);
		}
		if (user.tags().contains("administrator")) {
			// who takes the tag away from the last administrator locks everybody out
			findings.add(FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()),
					"User '%s', as whom the application connects, has the tag administrator.".formatted(user.name()),
					"Give the service a user of its own, with the permissions that rabbit-retry export prints, and keep this one for administration.",
					List.of()));
		}
		return findings;
	}

	/** What others need of a user that they share is not known here. */
	private static Finding broad(UserSnapshot user, List<String> ofOthers, boolean declared, boolean consumersKnown,
			List<String> commands) {
		String fact = "User '%s' may configure what no policy needs ('%s')".formatted(user.name(), user.configure());
		if (!ofOthers.isEmpty()) {
			return FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()),
					"%s, and consumes queues of others, too, such as '%s'.".formatted(fact, ofOthers.get(0)),
					"Give each service a user of its own, with the permissions that rabbit-retry export prints.",
					List.of());
		}
		if (!consumersKnown) {
			return FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()),
					fact + ". Whether it consumes queues of others, too, can't be read.",
					"Give each service a user of its own, with the permissions that rabbit-retry export prints.",
					List.of());
		}
		if (!declared) {
			// who else declares the topology, and as whom, is not known here
			return FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()), fact + ".",
					"rabbit-retry export permissions prints what a user needs who declares nothing. A service in topology.mode: declare needs more.",
					List.of());
		}
		return FindingCode.PERMISSION_BROAD.of("user '%s'".formatted(user.name()), fact + ".",
				"Let the user configure what the policies need; add what else the application declares.", commands);
	}

	/** Too long a pattern is refused. */
	private static List<String> permit(UserSnapshot user, BrokerSnapshot live, String configure, String write,
			String read) {
		return Stream.of(configure, write, read).allMatch(PermissionPattern::fits)
				? List.of(live.commands().ctl("set_permissions", user.name(), configure, write, read)) : List.of();
	}

	private static void tooLong(UserSnapshot user, List<String> commands, List<Finding> findings) {
		List<String> patterns = Stream.of(user.configure(), user.write(), user.read())
			.map((pattern) -> (pattern != null) ? pattern : "")
			.toList();
		if (!patterns.stream().allMatch(PermissionPattern::fits)) {
			findings.add(FindingCode.BROKER_VERSION.of(Severity.INFO, "user '%s'".formatted(user.name()),
					"A pattern of the permissions of user '%s' has more than 1024 bytes.".formatted(user.name()),
					"Use shorter ones before you upgrade; add what else the application needs.", commands));
		}
	}

	/** Without that, nobody knows which other queues a user consumes. */
	private static boolean consumersKnown(BrokerSnapshot live) {
		return live.consumers().isPresent() && (live.consumers().get().isEmpty() || !live.connections().isEmpty());
	}

	private static Set<String> consumed(UserSnapshot user, BrokerSnapshot live) {
		return live.consumers().orElse(List.of()).stream().filter((consumer) -> {
			ConnectionSnapshot connection = live.connections().get(consumer.connection());
			return connection != null && connection.user().equals(user.name());
		}).map(ConsumerSnapshot::queue).collect(Collectors.toCollection(TreeSet::new));
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
		return "'" + some + "'" + ((all.size() > MOST_NAMES) ? " and %d more".formatted(all.size() - MOST_NAMES) : "");
	}

}
