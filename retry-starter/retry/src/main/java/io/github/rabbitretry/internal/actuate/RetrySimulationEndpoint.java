/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.simulation.SimulatedLoad;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

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

	private final Clock clock;

	private final ReentrantLock oneAtATime = new ReentrantLock();

	/**
	 * Creates the endpoint.
	 * @param policies the policies that can be simulated
	 * @param simulator simulates
	 * @param clock what time it is
	 */
	public RetrySimulationEndpoint(MessagePolicies policies, PolicySimulator simulator, Clock clock) {
		this.policies = policies;
		this.simulator = simulator;
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
		SimulatedLoad load = SimulationArguments.read(request, this.clock);
		MessagePolicy policy = policy(messageType);
		if (!this.oneAtATime.tryLock()) {
			return ErrorResponse.of(EndpointException.CONFLICT,
					"Another simulation runs. Try again when it has ended.");
		}
		try {
			return SimulationAnswer.of(this.simulator.simulate(policy, load), policy.hours() != null);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid(String.valueOf(ex.getMessage()));
		}
		finally {
			this.oneAtATime.unlock();
		}
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
