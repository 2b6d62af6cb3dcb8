/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.internal.parking.actuate.OperatorRoles;
import io.github.rabbitretry.internal.parking.registry.RegisteredPolicies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeTypeUtils;

/**
 * The page, its files and what it has to know of the application. Everything else it asks
 * the other endpoints, as any client would: their access, rules and audit hold for it.
 */
@WebEndpoint(id = ConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class ConsoleEndpoint {

	static final String ID = "retryconsole";

	/** What is asked for under this name is no file. */
	static final String SESSION = "session";

	private static final String PASSWORD = "org.springframework.security.authentication.UsernamePasswordAuthenticationToken";

	private final ConsoleFiles files = new ConsoleFiles();

	private final Supplier<ConsolePaths> paths;

	private final String application;

	private final ConsoleProperties properties;

	private final OperatorRoles roles;

	private final @Nullable RegisteredPolicies services;

	/**
	 * Creates the endpoint.
	 * @param paths where the endpoints are, known only once all endpoints are made
	 * @param application the application's name
	 * @param properties what else the page shows
	 * @param roles decide what a user may do
	 * @param services the services whose console this is, or {@code null} if it is that
	 * of the application alone
	 */
	ConsoleEndpoint(Supplier<ConsolePaths> paths, String application, ConsoleProperties properties, OperatorRoles roles,
			@Nullable RegisteredPolicies services) {
		this.paths = paths;
		this.application = application;
		this.properties = properties;
		this.roles = roles;
		this.services = services;
	}

	/**
	 * {@code GET /}: the page.
	 * @return the page
	 */
	@ReadOperation(produces = "text/html")
	WebEndpointResponse<?> page() {
		return response(this.files.page(this.paths.get().segment()));
	}

	/**
	 * {@code GET /<file>} or {@code GET /session}.
	 * @param name the file's name
	 * @param security who asks
	 * @return the file or the session; 404 for any other name
	 */
	@ReadOperation(produces = { "text/javascript", "text/css", "image/svg+xml", "application/json" })
	WebEndpointResponse<?> find(@Selector String name, SecurityContext security) {
		if (name.equals(SESSION)) {
			return new WebEndpointResponse<>(session(security), MimeTypeUtils.APPLICATION_JSON);
		}
		ConsoleFiles.File file = this.files.find(name);
		return (file != null) ? response(file) : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private static WebEndpointResponse<byte[]> response(ConsoleFiles.File file) {
		return new WebEndpointResponse<>(file.content(), file.type());
	}

	private Map<String, Object> session(SecurityContext security) {
		Map<String, Object> session = new LinkedHashMap<>();
		session.put("application", this.application);
		if (this.properties.environment() != null) {
			session.put("environment", this.properties.environment());
		}
		String user = EndpointRequest.authenticated(security);
		if (user != null) {
			session.put("user", user);
			session.put("password", isByPassword(security));
			if (this.properties.logout() != null) {
				session.put("logout", this.properties.logout());
			}
		}
		if (!this.paths.get().up().isEmpty()) {
			session.put("base", this.paths.get().up());
		}
		if (this.services != null) {
			session.put("services", this.services.services());
		}
		session.put("permitted", this.roles.permitted(security));
		session.put("endpoints", this.paths.get().links());
		return OperationResponseBody.of(session);
	}

	/** Such a login is one for the command line, too; that of a provider is not. */
	private static boolean isByPassword(SecurityContext security) {
		return security.getPrincipal().getClass().getName().equals(PASSWORD);
	}

}
