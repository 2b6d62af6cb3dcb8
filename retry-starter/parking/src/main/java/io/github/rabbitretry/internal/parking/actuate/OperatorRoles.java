/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;

import org.springframework.boot.actuate.endpoint.SecurityContext;
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

	/**
	 * What a user may do, so that a page offers nothing else.
	 * @param security the user
	 * @return the names of the properties
	 */
	public List<String> permitted(SecurityContext security) {
		return Stream
			.of(Map.entry("replay", this.replay), Map.entry("discard", this.discard), Map.entry("edit", this.edit))
			.filter((roles) -> may(security, roles.getValue()))
			.map(Map.Entry::getKey)
			.toList();
	}

	private static boolean may(SecurityContext security, Set<String> roles) {
		return roles.isEmpty()
				|| (EndpointRequest.authenticated(security) != null && Show.WHEN_AUTHORIZED.isShown(security, roles));
	}

	private static void require(EndpointRequest request, String what, Set<String> roles) {
		if (!may(request.security(), roles)) {
			throw EndpointException
				.forbidden("This requires the role %s (%s%s)%s.".formatted(String.join(" or ", new TreeSet<>(roles)),
						PROPERTY, what, request.loggedIn() ? "" : ", and the request is not authenticated"));
		}
	}

}
