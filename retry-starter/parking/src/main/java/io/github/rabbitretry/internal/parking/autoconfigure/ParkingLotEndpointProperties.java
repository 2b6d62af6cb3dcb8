/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint {@code parkinglot}, in addition to those that Spring Boot
 * defines for every endpoint.
 *
 * @param showPayload When bodies and producers' headers of parked messages are shown.
 * @param roles Roles that may see bodies and producers' headers; empty for every
 * authenticated user.
 */
@ConfigurationProperties("management.endpoint.parkinglot")
record ParkingLotEndpointProperties(@DefaultValue("never") Show showPayload, @DefaultValue Set<String> roles) {
}
