/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.service;

import java.util.List;
import java.util.Map;

/**
 * A request to an endpoint.
 *
 * @param method how
 * @param path the endpoint's id and what is selected in it
 * @param arguments arguments by name
 */
public record Request(Method method, List<String> path, Map<String, String> arguments) {

	public Request {
		path = List.copyOf(path);
		arguments = Map.copyOf(arguments);
	}

	/**
	 * Asks to see something.
	 * @param arguments arguments by name
	 * @param path the endpoint's id and what is selected in it
	 * @return the request
	 */
	public static Request read(Map<String, String> arguments, String... path) {
		return new Request(Method.GET, List.of(path), arguments);
	}

	/**
	 * Asks to have something done.
	 * @param arguments arguments by name
	 * @param path the endpoint's id and what is selected in it
	 * @return the request
	 */
	public static Request write(Map<String, String> arguments, String... path) {
		return new Request(Method.POST, List.of(path), arguments);
	}

	/**
	 * The method of a request.
	 */
	public enum Method {

		/** To see something. */
		GET,

		/** To have something done. */
		POST

	}

}
