/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.github.rabbitretry.internal.listener.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.simulation.SimulatedLoad;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.env.Environment;

/**
 * What a policy does to many messages while a service that their handlers call is down.
 * Changes nothing; takes a processor for up to some seconds, one request at a time.
 */
@WebEndpoint(id = RetrySimulationEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class RetrySimulationEndpoint {

	/** The endpoint's id. */
	public static final String ID = "retrysimulation";

	private final MessagePolicies policies;

	private final PolicySimulator simulator;

	private final ManagedContainers containers;

	private final Environment environment;

	private final Clock clock;

	private final ReentrantLock oneAtATime = new ReentrantLock();

	/**
	 * Creates the endpoint.
	 * @param policies the policies that can be simulated
	 * @param simulator simulates
	 * @param containers whose consumers are assumed
	 * @param environment says how many are assumed where there are none
	 * @param clock what time it is
	 */
	public RetrySimulationEndpoint(MessagePolicies policies, PolicySimulator simulator, ManagedContainers containers,
			Environment environment, Clock clock) {
		this.policies = policies;
		this.simulator = simulator;
		this.containers = containers;
		this.environment = environment;
		this.clock = clock;
	}

	/**
	 * {@code GET /{messageType}}: simulates.
	 * @param messageType the policy's name
	 * @param request what happens: {@code rate} and {@code outage}, and perhaps more
	 * @return what becomes of the messages; 404 without such a policy, 400 for what can't
	 * be simulated, 409 while another simulation runs
	 */
	@ReadOperation
	Object simulate(@Selector String messageType, EndpointRequest request) {
		MessagePolicy policy = policy(messageType);
		AssumedConsumers consumers = consumers(policy);
		List<String> assumed = (request.text("concurrency") == null) ? List.of(consumers.sentence()) : List.of();
		SimulatedLoad load = SimulationArguments.read(request, this.clock, consumers.number());
		if (!this.oneAtATime.tryLock()) {
			return ErrorResponse.of(EndpointException.CONFLICT,
					"Another simulation runs. Try again when it has ended.");
		}
		try {
			return SimulationAnswer.of(this.simulator.simulate(policy, load), policy.hours() != null, assumed);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid(String.valueOf(ex.getMessage()));
		}
		finally {
			this.oneAtATime.unlock();
		}
	}

	private AssumedConsumers consumers(MessagePolicy policy) {
		int listening = this.containers.consumers(policy);
		return (listening > 0) ? AssumedConsumers.ofListeners(listening) : AssumedConsumers.of(this.environment);
	}

	private MessagePolicy policy(String messageType) {
		List<String> known = this.policies.all().stream().map(MessagePolicy::messageType).toList();
		return this.policies.all()
			.stream()
			.filter((policy) -> policy.messageType().equals(messageType))
			.findFirst()
			.orElseThrow(() -> EndpointException.unknown(
					"There is no message policy '%s'; there are %s.".formatted(messageType, String.join(", ", known))));
	}

}
