/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

/**
 * What can be set from outside, as an environment variable or as a system property.
 */
enum Setting {

	BROKER("RABBIT_RETRY_BROKER", "rabbit-retry.broker"),

	MANAGEMENT("RABBIT_RETRY_BROKER_MANAGEMENT", "rabbit-retry.broker.management"),

	VERSION("RABBIT_RETRY_BROKER_VERSION", "rabbit-retry.broker.version"),

	WAY("RABBIT_RETRY_BROKER_WAY", "rabbit-retry.broker.way"),

	IMAGE("RABBIT_RETRY_BROKER_IMAGE", "rabbit-retry.broker.image"),

	CACHE("RABBIT_RETRY_CACHE", "rabbit-retry.cache"),

	DEBIAN_MIRROR("RABBIT_RETRY_DEBIAN_MIRROR", "rabbit-retry.debian-mirror");

	final String variable;

	final String property;

	Setting(String variable, String property) {
		this.variable = variable;
		this.property = property;
	}

}
