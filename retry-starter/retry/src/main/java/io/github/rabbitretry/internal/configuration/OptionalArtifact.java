/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

/**
 * Artifacts that read keys below {@code rabbit-retry} of their own, where they are there.
 */
public enum OptionalArtifact {

	/** Reads the keys {@code ledger} and {@code replay}. */
	PARKING("rabbit-retry-parking", dependency("rabbit-retry-parking-spring-boot-starter"),
			"io.github.rabbitretry.internal.parking.autoconfigure.LedgerProperties"),

	/** Reads the keys {@code console}. */
	CONSOLE("rabbit-retry-console", dependency("rabbit-retry-console"),
			"io.github.rabbitretry.internal.console.ConsoleProperties"),

	/** Is no dependency; reads the other keys {@code console}. */
	CONSOLE_APPLICATION("rabbit-retry-console-application",
			"Set it in the operations application, rabbit-retry-console.jar, or remove the key.",
			"io.github.rabbitretry.internal.console.application.ConsoleUsers");

	private static final ConfigurationPropertyName CONSOLE_KEYS = ConfigurationPropertyName.of("rabbit-retry.console");

	private static final ConfigurationPropertyName USERS = CONSOLE_KEYS.append("users");

	private static final ConfigurationPropertyName ROLES_CLAIM = CONSOLE_KEYS.append("roles-claim");

	final String id;

	final String remedy;

	private final String reader;

	OptionalArtifact(String id, String remedy, String reader) {
		this.id = id;
		this.remedy = remedy;
		this.reader = reader;
	}

	private static String dependency(String artifact) {
		return "Add the dependency io.github.rabbitretry:%s, or remove the key.".formatted(artifact);
	}

	/**
	 * The artifact that reads a key.
	 * @param name a key that another artifact reads
	 * @return the artifact
	 */
	static OptionalArtifact of(ConfigurationPropertyName name) {
		if (USERS.isAncestorOf(name) || ROLES_CLAIM.equals(name)) {
			return CONSOLE_APPLICATION;
		}
		return CONSOLE_KEYS.isAncestorOf(name) ? CONSOLE : PARKING;
	}

	/**
	 * Whether it is on the class path.
	 * @return {@code false} if its keys would have no effect
	 */
	public boolean isPresent() {
		return ClassUtils.isPresent(this.reader, null);
	}

}
