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

	/** Reads the keys {@code ledger}, {@code replay} and {@code scan}. */
	PARKING("rabbit-retry-parking", "rabbit-retry-parking-spring-boot-starter",
			"io.github.rabbitretry.internal.parking.autoconfigure.LedgerProperties"),

	/** Reads the keys {@code console}. */
	CONSOLE("rabbit-retry-console", "rabbit-retry-console", "io.github.rabbitretry.internal.console.ConsoleProperties");

	private static final ConfigurationPropertyName CONSOLE_KEYS = ConfigurationPropertyName.of("rabbit-retry.console");

	final String id;

	final String dependency;

	private final String reader;

	OptionalArtifact(String id, String dependency, String reader) {
		this.id = id;
		this.dependency = dependency;
		this.reader = reader;
	}

	/**
	 * The artifact that reads a key.
	 * @param name a key that another artifact reads
	 * @return the artifact
	 */
	static OptionalArtifact of(ConfigurationPropertyName name) {
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
