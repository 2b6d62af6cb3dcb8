/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.Answers;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.broker.BrokerFailure;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.ParameterValueMapper;
import org.springframework.boot.actuate.endpoint.jackson.EndpointJsonMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The very endpoints that a service has, called in this process: no port is opened, and
 * both ways have the same arguments, checks and answers.
 */
public final class DirectService implements Service {

	private final ConfigurableApplicationContext context;

	private final List<ExposableWebEndpoint> endpoints;

	private final JsonMapper mapper;

	private final DirectSettings settings;

	DirectService(ConfigurableApplicationContext context, DirectSettings settings) {
		this.context = context;
		this.settings = settings;
		List<OperationInvokerAdvisor> advisors = context.getBeanProvider(OperationInvokerAdvisor.class)
			.orderedStream()
			.toList();
		this.endpoints = List.copyOf(new WebEndpointDiscoverer(context, context.getBean(ParameterValueMapper.class),
				EndpointMediaTypes.DEFAULT, List.of(), List.of(), advisors, List.of(), List.of())
			.getEndpoints());
		this.mapper = context.getBean(EndpointJsonMapper.class).get();
	}

	/**
	 * Starts what a service would, but for listeners and whatever declares or consumes.
	 * @param settings the configuration
	 * @param offline whether the broker is not needed
	 * @return the endpoints
	 * @throws ServiceException if the configuration is not valid
	 */
	public static DirectService open(DirectSettings settings, boolean offline) {
		return new DirectService(DirectApplication.start(settings, offline), settings);
	}

	@Override
	public JsonNode ask(Request request) {
		try {
			return answer(request);
		}
		catch (ServiceException ex) {
			boolean inTheLog = String.valueOf(ex.getMessage()).contains("See the log");
			if (ex.exitCode() == ExitCode.UNAVAILABLE && inTheLog && !this.settings.verbose()) {
				throw new ServiceException(ex.exitCode(), ex.getMessage() + " --verbose shows it.");
			}
			throw ex;
		}
	}

	private JsonNode answer(Request request) {
		String id = request.path().get(0);
		ExposableWebEndpoint endpoint = this.endpoints.stream()
			.filter((known) -> known.getEndpointId().toString().equals(id))
			.findFirst()
			.orElseThrow(() -> new ServiceException(ExitCode.NOT_FOUND, "There is no endpoint '%s'.".formatted(id)));
		Map<String, Object> arguments = new HashMap<>(request.arguments());
		boolean selects = request.path().size() > 1;
		if (selects) {
			arguments.put("what", request.path().get(1));
		}
		// all of them read
		WebOperation operation = endpoint.getOperations()
			.stream()
			.filter((known) -> known.getRequestPredicate().getPath().contains("{") == selects)
			.findFirst()
			.orElseThrow(() -> new ServiceException(ExitCode.NOT_FOUND,
					"Endpoint '%s' has no such operation.".formatted(id)));
		return answer(request, invoke(operation, arguments));
	}

	private static @Nullable Object invoke(WebOperation operation, Map<String, Object> arguments) {
		try {
			return operation.invoke(new InvocationContext(SecurityContext.NONE, arguments));
		}
		catch (InvalidEndpointRequestException ex) {
			throw new ServiceException(ExitCode.REFUSED, ex.getReason());
		}
	}

	private JsonNode answer(Request request, @Nullable Object result) {
		int status = 200;
		Object body = result;
		if (result instanceof WebEndpointResponse<?> response) {
			status = response.getStatus();
			body = response.getBody();
			// who asks is who would look into the log
			if (body instanceof BrokerFailure failure && failure.brokerText() != null) {
				body = Map.of("status", status, "error",
						"The broker can't be used now: %s.".formatted(failure.brokerText()));
			}
		}
		return Answers.check(request, status, JsonOutput.read(this.mapper.writeValueAsBytes(body)));
	}

	@Override
	public void close() {
		this.context.close();
	}

}
