/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import io.github.rabbitretry.provision.Setting;

/**
 * Management addresses with their user information.
 */
final class ManagementAddress {

	private ManagementAddress() {
	}

	static URI local(int port) {
		return URI.create("http://guest:guest@127.0.0.1:" + port);
	}

	static URI parse(String uri, String username, String password) {
		if (!uri.matches("https?://[^/]+(/.*)?")) {
			throw new NoBrokerException(
					"%s is not an address such as http://user:password@host:port. Correct or unset it"
						.formatted(Setting.MANAGEMENT));
		}
		if (uri.replaceFirst("https?://", "").split("/", 2)[0].contains("@")) {
			return URI.create(uri);
		}
		return URI.create(uri.replaceFirst("://",
				"://%s:%s@".formatted(AmqpAddress.encoded(username), AmqpAddress.encoded(password))
					.replace("\\", "\\\\")
					.replace("$", "\\$")));
	}

	static Management client(URI uri) {
		String authority = uri.getRawAuthority();
		String[] user = authority.substring(0, Math.max(0, authority.lastIndexOf('@'))).split(":", 2);
		return new Management(uri, decoded(user[0]), (user.length > 1) ? decoded(user[1]) : "");
	}

	private static String decoded(String part) {
		return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

}
