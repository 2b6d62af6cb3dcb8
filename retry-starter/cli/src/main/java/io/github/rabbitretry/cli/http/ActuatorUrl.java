/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.service.ServiceException;

/**
 * Where a service's actuator is.
 */
public final class ActuatorUrl {

	private final URI base;

	private ActuatorUrl(URI base) {
		this.base = base;
	}

	/**
	 * Reads it.
	 * @param text as {@code http://127.0.0.1:8080/actuator}
	 * @return where it is
	 * @throws ServiceException if it is no such URL, or has a password in it
	 */
	public static ActuatorUrl parse(String text) {
		try {
			URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
			boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
			if (uri.getRawUserInfo() != null) {
				throw ServiceException.usage("The URL has a login in it, which others can see. Use --login.");
			}
			if (!http || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
				throw noUrl(text);
			}
			return new ActuatorUrl(uri);
		}
		catch (URISyntaxException ex) {
			throw noUrl(text);
		}
	}

	private static ServiceException noUrl(String text) {
		return ServiceException.usage("'%s' is no URL of an actuator as http://127.0.0.1:8080/actuator."
			.formatted(text.replaceAll("(?s).*@", "******@")));
	}

	/**
	 * Whether everybody on the way can read what is sent.
	 * @return {@code true} for plain HTTP to another machine
	 */
	public boolean readableByOthers() {
		try {
			return "http".equalsIgnoreCase(this.base.getScheme())
					&& !InetAddress.getByName(this.base.getHost()).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return true;
		}
	}

	URI of(List<String> path, Map<String, String> arguments) {
		String query = new TreeMap<>(arguments).entrySet()
			.stream()
			.map((argument) -> encoded(argument.getKey()) + "=" + encoded(argument.getValue()))
			.collect(Collectors.joining("&"));
		return URI.create(this.base + path.stream().map((part) -> "/" + segment(part)).collect(Collectors.joining())
				+ (query.isEmpty() ? "" : "?" + query));
	}

	/** What is selected is one segment, whatever it looks like. */
	private static String segment(String text) {
		if (text.isEmpty() || text.equals(".") || text.equals("..")) {
			throw ServiceException.usage("'%s' is no id.".formatted(text));
		}
		return encoded(text);
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	@Override
	public String toString() {
		return this.base.toString();
	}

}
