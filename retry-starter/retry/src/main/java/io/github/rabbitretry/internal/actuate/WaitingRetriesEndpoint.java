/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkingLotDepth;
import io.github.rabbitretry.internal.depth.WaitingRetries;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * How many messages wait: for their next attempt, by type and delay, and for an operator,
 * in parking lots. The broker says it; a ledger is not needed.
 */
@WebEndpoint(id = WaitingRetriesEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class WaitingRetriesEndpoint {

	/** The endpoint's id. */
	public static final String ID = "waitingretries";

	private final BrokerDepths depths;

	/**
	 * Creates the endpoint.
	 * @param depths asks the broker
	 */
	public WaitingRetriesEndpoint(BrokerDepths depths) {
		this.depths = depths;
	}

	/**
	 * {@code GET /}: what waits.
	 * @param request no arguments
	 * @return retry queues and parking lots
	 */
	@ReadOperation
	Object list(EndpointRequest request) {
		request.as(EndpointRequest.NoArguments.class);
		List<WaitingRetries> waiting = this.depths.waiting();
		List<ParkingLotDepth> parked = this.depths.parked();
		return new Waiting(waiting, parked, this.depths.unknown(waiting, parked));
	}

	/**
	 * What waits.
	 *
	 * @param waiting in retry queues
	 * @param parked in parking lots
	 * @param unknown queues that are missing or whose depth may not be read; they are
	 * asked for again within five minutes
	 */
	record Waiting(List<WaitingRetries> waiting, List<ParkingLotDepth> parked,
			Set<String> unknown) implements OperationResponseBody {
	}

}
