/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.brokerpolicy.RequiredPolicies;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.export.Role;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;

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
public final class RetryExportEndpoint {

	/** The endpoint's id. */
	public static final String ID = "retryexport";

	/** RabbitMQ has no limit. */
	private static final long HIGHEST_PRIORITY = 1_000_000;

	private final MessagePolicies policies;

	private final ExportOptions defaults;

	/**
	 * Creates the endpoint.
	 * @param policies the application's policies
	 * @param defaults what is exported unless a request says otherwise
	 */
	public RetryExportEndpoint(MessagePolicies policies, ExportOptions defaults) {
		this.policies = policies;
		this.defaults = defaults;
	}

	/**
	 * {@code GET /{what}}: exports.
	 * @param what {@code definitions}, {@code policies} or {@code permissions}
	 * @param request {@code types}, {@code virtualHost}; {@code policies} for
	 * definitions, {@code priority} for policies, {@code roles}, {@code users},
	 * {@code ledger}, {@code writes} and {@code reads} for permissions; {@code commands}
	 * for commands instead of definitions
	 * @return definitions, or {@code commands}
	 */
	@ReadOperation
	Object export(@Selector String what, EndpointRequest request) {
		BrokerExport export = new BrokerExport(chosen(request), options(request));
		return switch (what) {
			case "definitions" -> {
				boolean policies = request.flag("policies");
				request.done();
				yield OperationResponseBody.of(export.definitions(policies));
			}
			case "policies" -> {
				long priority = request.number("priority", 0, HIGHEST_PRIORITY, RequiredPolicies.PRIORITY);
				yield wantsCommands(request) ? commands(export.policyCommands(priority))
						: OperationResponseBody.of(export.policies(priority));
			}
			case "permissions" -> {
				List<Role> roles = roles(request);
				yield wantsCommands(request) ? commands(export.permissionCommands(roles))
						: OperationResponseBody.of(export.permissions(roles));
			}
			default -> throw EndpointException
				.unknown("'%s' can't be exported. Supported: definitions, policies, permissions.".formatted(what));
		};
	}

	/** The last question. */
	private static boolean wantsCommands(EndpointRequest request) {
		boolean commands = request.flag("commands");
		request.done();
		return commands;
	}

	private static Map<String, Object> commands(List<String> commands) {
		return OperationResponseBody.of(Map.of("commands", commands));
	}

	private Collection<MessagePolicy> chosen(EndpointRequest request) {
		List<String> types = list(request, "types");
		for (String type : types) {
			if (this.policies.all().stream().noneMatch((policy) -> policy.messageType().equals(type))) {
				throw EndpointException.unknown("There is no message policy '%s'; there are %s.".formatted(type,
						this.policies.all().stream().map(MessagePolicy::messageType).toList()));
			}
		}
		return this.policies.all()
			.stream()
			.filter((policy) -> types.isEmpty() || types.contains(policy.messageType()))
			.toList();
	}

	private ExportOptions options(EndpointRequest request) {
		String users = Objects.requireNonNullElse(request.text("users"), this.defaults.application());
		String virtualHost = Objects.requireNonNullElse(request.text("virtualHost"), this.defaults.virtualHost());
		boolean ledger = (request.text("ledger") != null) ? request.flag("ledger") : this.defaults.ledger();
		return new ExportOptions(users, virtualHost, ledger, list(request, "writes"), list(request, "reads"));
	}

	private static List<Role> roles(EndpointRequest request) {
		List<String> names = list(request, "roles");
		for (String name : names) {
			if (Arrays.stream(Role.values()).noneMatch((role) -> role.name().equalsIgnoreCase(name))) {
				throw EndpointException
					.invalid("'%s' is no role. Supported: topology, worker, operator, monitor.".formatted(name));
			}
		}
		return Arrays.stream(Role.values())
			.filter((role) -> names.isEmpty() || names.stream().anyMatch(role.name()::equalsIgnoreCase))
			.toList();
	}

	private static List<String> list(EndpointRequest request, String name) {
		String text = request.raw(name);
		return (text == null || text.isBlank()) ? List.of()
				: Arrays.stream(text.split(",")).map(String::strip).filter((part) -> !part.isEmpty()).toList();
	}

}
