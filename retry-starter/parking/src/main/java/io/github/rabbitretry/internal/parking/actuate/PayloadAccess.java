/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Locale;
import java.util.Set;

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

	String setting() {
		return this.show.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
