/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.export.Role;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * What the application needs of its broker, as definitions that RabbitMQ imports or as
 * commands. The broker is not asked.
 */
@WebEndpoint(id = RetryExportEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class RetryExportEndpoint {

	/** The endpoint's id. */
	public static final String ID = "retryexport";

	private final Supplier<List<TypeTopology>> types;

	private final ExportOptions defaults;

	/**
	 * Creates the endpoint.
	 * @param types the message types at the moment
	 * @param defaults what is exported unless a request says otherwise
	 */
	RetryExportEndpoint(Supplier<List<TypeTopology>> types, ExportOptions defaults) {
		this.types = types;
		this.defaults = defaults;
	}

	/**
	 * {@code GET /{what}}: exports.
	 * @param what {@code definitions} or {@code permissions}
	 * @param types the message types, all by default
	 * @param roles the roles for permissions, all by default
	 * @param writes exchanges that the application's own code publishes to
	 * @param reads queues that the application's own code consumes
	 * @return definitions, or the {@code commands} of permissions
	 */
	@ReadOperation
	Object export(@Selector String what, @Nullable List<String> types, @Nullable List<String> roles,
			@Nullable List<String> writes, @Nullable List<String> reads) {
		try {
			BrokerExport export = new BrokerExport(chosen(given(types)), new ExportOptions(this.defaults.application(),
					this.defaults.virtualHost(), this.defaults.ledger(), given(writes), given(reads)));
			return switch (what) {
				case "definitions" -> OperationResponseBody.of(export.definitions());
				case "permissions" ->
					OperationResponseBody.of(Map.of("commands", export.permissionCommands(chosenRoles(given(roles)))));
				default -> FailedRequest
					.unknown("'%s' can't be exported. Supported: definitions, permissions.".formatted(what));
			};
		}
		catch (IllegalArgumentException | InvalidConfigurationException ex) {
			return FailedRequest.invalid(String.valueOf(ex.getMessage()));
		}
	}

	private List<TypeTopology> chosen(List<String> names) {
		List<TypeTopology> types = this.types.get();
		List<String> known = types.stream().map(TypeTopology::messageType).toList();
		for (String name : names) {
			if (!known.contains(name)) {
				throw new IllegalArgumentException(
						"There is no message policy '%s'; there are %s.".formatted(name, known));
			}
		}
		return types.stream().filter((type) -> names.isEmpty() || names.contains(type.messageType())).toList();
	}

	private static List<Role> chosenRoles(List<String> names) {
		for (String name : names) {
			if (Arrays.stream(Role.values()).noneMatch((role) -> role.name().equalsIgnoreCase(name))) {
				throw new IllegalArgumentException(
						"'%s' is no role. Supported: topology, worker, operator, monitor.".formatted(name));
			}
		}
		return Arrays.stream(Role.values())
			.filter((role) -> names.isEmpty() || names.stream().anyMatch(role.name()::equalsIgnoreCase))
			.toList();
	}

	private static List<String> given(@Nullable List<String> names) {
		return (names == null) ? List.of()
				: names.stream().map(String::strip).filter((name) -> !name.isEmpty()).toList();
	}

}
