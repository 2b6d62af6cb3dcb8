/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A broker's version as it introduces itself.
 *
 * @param major the first number
 * @param minor the second one
 */
record ServerVersion(int major, int minor) implements Comparable<ServerVersion> {

	/** From here on, {@code basic.nack} with requeue leaves the delivery count alone. */
	static final ServerVersion NACK_IS_UNCOUNTED = new ServerVersion(4, 3);

	private static final ServerVersion UNKNOWN = new ServerVersion(0, 0);

	private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\D.*)?", Pattern.DOTALL);

	static ServerVersion of(Connection connection) {
		@Nullable Map<String, Object> properties = connection.getServerProperties();
		return parse(String.valueOf((properties != null) ? properties.get("version") : null));
	}

	static ServerVersion parse(String version) {
		Matcher matcher = NUMBERS.matcher(version);
		return matcher.matches()
				? new ServerVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))) : UNKNOWN;
	}

	@Override
	public int compareTo(ServerVersion other) {
		return (this.major != other.major) ? Integer.compare(this.major, other.major)
				: Integer.compare(this.minor, other.minor);
	}

}
