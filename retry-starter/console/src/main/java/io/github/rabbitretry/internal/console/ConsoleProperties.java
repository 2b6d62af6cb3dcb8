/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console.
 *
 * @param enabled Whether there is a console, at the endpoint retryconsole. It needs the
 * endpoints retryconsole and parkinglot exposed.
 * @param environment Name of the environment that the console shows, such as staging.
 * @param logout Where users log out, relative to the page, such as ../logout; shown to
 * those who have logged in.
 * @param users Users; keys of the operations application.
 * @param rolesClaim Claim with the roles; a key of the operations application.
 */
@ConfigurationProperties(prefix = "rabbit-retry.console", ignoreUnknownFields = false)
record ConsoleProperties(@DefaultValue("false") boolean enabled, @Nullable String environment, @Nullable String logout,
		@DefaultValue Map<String, Object> users, @Nullable Object rolesClaim) {
}
