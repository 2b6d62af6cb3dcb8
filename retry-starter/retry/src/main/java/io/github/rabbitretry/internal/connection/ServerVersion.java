/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * A broker's version as it introduces itself.
 *
 * @param major the first number
 * @param minor the second one
 */
public record ServerVersion(int major, int minor) {

	private static final ServerVersion UNKNOWN = new ServerVersion(0, 0);

	private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\D.*)?", Pattern.DOTALL);

	/**
	 * The version of a connection's broker.
	 * @param connection the connection
	 * @return the version, 0.0 if the broker does not say
	 */
	public static ServerVersion of(Connection connection) {
		@Nullable Map<String, Object> properties = connection.getServerProperties();
		return parse(String.valueOf((properties != null) ? properties.get("version") : null));
	}

	static ServerVersion parse(String version) {
		Matcher matcher = NUMBERS.matcher(version);
		return matcher.matches()
				? new ServerVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))) : UNKNOWN;
	}

	/**
	 * Requires RabbitMQ 4.0 or later. To earlier ones a delivery limit of -1 means that a
	 * message is dropped when it is returned once.
	 * @throws InvalidConfigurationException if the broker is older
	 */
	public void requireSupported() {
		if (!equals(UNKNOWN) && this.major < 4) {
			throw new InvalidConfigurationException("the version of RabbitMQ",
					"%s.%s".formatted(this.major, this.minor),
					"must be 4.0 or later: earlier ones drop messages of parking lots that are returned",
					"Upgrade the broker, or connect to another one.");
		}
	}

	/**
	 * Whether {@code basic.nack} with requeue leaves the delivery count alone.
	 * @return {@code true} from RabbitMQ 4.3 on
	 */
	public boolean givesBackUncounted() {
		return this.major > 4 || (this.major == 4 && this.minor >= 3);
	}

}
