/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Hands our endpoints a request as a whole, where Spring Boot would pass the arguments
 * that a method names and drop all others without a word; and turns their exceptions into
 * answers.
 */
public final class EndpointRequests implements OperationInvokerAdvisor {

	/** The name of the parameter that the request is passed as. */
	private static final String REQUEST = "request";

	private final Set<EndpointId> endpoints;

	private final Function<RuntimeException, WebEndpointResponse<Object>> errors;

	/**
	 * Creates the advisor.
	 * @param endpoints the endpoints to hand whole requests to
	 * @param errors turns their exceptions into answers
	 */
	public EndpointRequests(Set<EndpointId> endpoints, Function<RuntimeException, WebEndpointResponse<Object>> errors) {
		this.endpoints = Set.copyOf(endpoints);
		this.errors = errors;
	}

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		return this.endpoints.contains(endpointId) ? (context) -> invoke(parameters, invoker, context) : invoker;
	}

	private Object invoke(OperationParameters parameters, OperationInvoker invoker, InvocationContext context) {
		Map<String, Object> arguments = new HashMap<>(context.getArguments());
		Map<String, Object> passed = new HashMap<>();
		for (OperationParameter parameter : parameters) {
			Object selected = arguments.remove(parameter.getName());
			if (selected != null) {
				passed.put(parameter.getName(), selected);
			}
		}
		SecurityContext security = context.resolveArgument(SecurityContext.class);
		passed.put(REQUEST, new EndpointRequest(arguments, security));
		try {
			return invoker.invoke(new InvocationContext(security, passed));
		}
		catch (RuntimeException ex) {
			return this.errors.apply(ex);
		}
	}

}
