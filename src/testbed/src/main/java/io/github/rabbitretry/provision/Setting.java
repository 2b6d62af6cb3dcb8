/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

/**
 * What can be set from outside, as an environment variable or as a system property.
 */
public enum Setting {

	/** A running broker. */
	BROKER("RABBIT_RETRY_BROKER_URL", "rabbit-retry.broker.url"),

	/** The running broker's management plugin. */
	MANAGEMENT("RABBIT_RETRY_BROKER_MANAGEMENT", "rabbit-retry.broker.management"),

	/** The version of a broker that is started. */
	VERSION("RABBIT_RETRY_BROKER_VERSION", "rabbit-retry.broker.version"),

	/** The only way to a broker that is tried. */
	WAY("RABBIT_RETRY_BROKER_WAY", "rabbit-retry.broker.way"),

	/** The image of a broker in Docker. */
	IMAGE("RABBIT_RETRY_BROKER_IMAGE", "rabbit-retry.broker.image"),

	/** Where packages are unpacked. */
	CACHE("RABBIT_RETRY_CACHE", "rabbit-retry.cache"),

	/** Where packages come from. */
	DEBIAN_MIRROR("RABBIT_RETRY_DEBIAN_MIRROR", "rabbit-retry.debian-mirror"),

	/** A running PostgreSQL. */
	DATABASE("RABBIT_RETRY_DATABASE", "rabbit-retry.database"),

	/** The folder with Prometheus' programs. */
	PROMETHEUS("RABBIT_RETRY_PROMETHEUS", "rabbit-retry.prometheus"),

	/** The program of a browser. */
	CHROMIUM("RABBIT_RETRY_CHROMIUM", "rabbit-retry.chromium"),

	/** The program that drives it. */
	CHROMEDRIVER("RABBIT_RETRY_CHROMEDRIVER", "rabbit-retry.chromedriver");

	final String variable;

	final String property;

	Setting(String variable, String property) {
		this.variable = variable;
		this.property = property;
	}

	/** The environment variable, by which messages name it. */
	@Override
	public String toString() {
		return this.variable;
	}

}
