/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The parts of an AMQP URI. Not {@link URI}'s own: it knows no host with an underscore,
 * which container networks like.
 */
record AmqpAddress(boolean tls, String host, int port, String username, String password, String virtualHost) {

	private static final Pattern FORM = Pattern.compile(
			"(?<scheme>amqps?)://(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<host>\\[[^\\]]+\\]|[^:/?@\\[\\]]+)"
					+ "(?::(?<port>\\d{1,5}))?(?:/(?<vhost>[^/?]*))?");

	static AmqpAddress local(int port) {
		return new AmqpAddress(false, "127.0.0.1", port, "guest", "guest", "/");
	}

	static AmqpAddress parse(String uri) {
		Matcher matcher = FORM.matcher(uri);
		if (!matcher.matches()) {
			throw new IllegalArgumentException(
					"'%s' is not an AMQP URI. Write it as amqp://user:password@host:port/vhost, special characters as %%XX"
						.formatted(masked(uri)));
		}
		boolean tls = "amqps".equals(matcher.group("scheme"));
		String port = matcher.group("port");
		return new AmqpAddress(tls, matcher.group("host"), (port != null) ? Integer.parseInt(port) : tls ? 5671 : 5672,
				decoded(matcher.group("user"), "guest"), decoded(matcher.group("password"), "guest"),
				decoded(matcher.group("vhost"), "/"));
	}

	private static String masked(String uri) {
		return uri.replaceFirst("//[^@]*@", "//***@");
	}

	private static String decoded(@Nullable String part, String absent) {
		return (part == null || part.isEmpty()) ? absent
				: URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	static String encoded(String part) {
		return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
	}

	String endpoint() {
		return this.host + ":" + this.port;
	}

	URI uri() {
		return URI.create(
				"%s://%s:%s@%s%s".formatted(this.tls ? "amqps" : "amqp", encoded(this.username), encoded(this.password),
						endpoint(), "/".equals(this.virtualHost) ? "" : "/" + encoded(this.virtualHost)));
	}

}
