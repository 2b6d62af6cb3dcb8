/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

/**
 * Who sees payloads.
 *
 * @param show when
 * @param roles who is authorized; none for everybody who has logged in
 */
public record PayloadAccess(Show show, Set<String> roles) {

	public PayloadAccess {
		roles = Set.copyOf(roles);
	}

	boolean shown(SecurityContext security) {
		return this.show.isShown(security, this.roles);
	}

	/** Names what would be needed. */
	String refusal() {
		return (this.show == Show.WHEN_AUTHORIZED && !this.roles.isEmpty())
				? "Payloads require the role %s (management.endpoint.parkinglot.roles, with show-payload when-authorized)."
					.formatted(String.join(" or ", new TreeSet<>(this.roles)))
				: "Payloads are not shown here. management.endpoint.parkinglot.show-payload is '%s'."
					.formatted(this.show.name().toLowerCase(Locale.ROOT).replace('_', '-'));
	}

}
