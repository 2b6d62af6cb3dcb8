/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Set;
import java.util.TreeSet;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;

import org.springframework.boot.actuate.endpoint.Show;

/**
 * Who may do what. Where no roles are set, everybody may who reaches the endpoint.
 *
 * @param replay who may start and change replays
 * @param discard who may discard messages and restore discarded ones
 * @param edit who may edit messages and replay them
 */
public record OperatorRoles(Set<String> replay, Set<String> discard, Set<String> edit) {

	/** The prefix of the properties. */
	public static final String PROPERTY = "rabbit-retry.replay.roles.";

	/** Everyone who reaches the endpoint may do everything. */
	public static final OperatorRoles ANY = new OperatorRoles(Set.of(), Set.of(), Set.of());

	public OperatorRoles {
		replay = Set.copyOf(replay);
		discard = Set.copyOf(discard);
		edit = Set.copyOf(edit);
	}

	void mayReplay(EndpointRequest request) {
		require(request, "replay", this.replay);
	}

	void mayDiscard(EndpointRequest request) {
		require(request, "discard", this.discard);
	}

	void mayEdit(EndpointRequest request) {
		require(request, "edit", this.edit);
	}

	private static void require(EndpointRequest request, String what, Set<String> roles) {
		boolean may = roles.isEmpty()
				|| (request.loggedIn() && Show.WHEN_AUTHORIZED.isShown(request.security(), roles));
		if (!may) {
			throw EndpointException
				.forbidden("This requires the role %s (%s%s)%s.".formatted(String.join(" or ", new TreeSet<>(roles)),
						PROPERTY, what, request.loggedIn() ? "" : ", and the request is not authenticated"));
		}
	}

}
