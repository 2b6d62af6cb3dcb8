/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.service;

import tools.jackson.databind.JsonNode;

/**
 * The endpoints {@code parkinglot} and {@code replays}, wherever they are.
 */
public interface Service extends AutoCloseable {

	/**
	 * Asks for something.
	 * @param request what
	 * @return the answer
	 * @throws ServiceException if there is none, or it is a refusal
	 */
	JsonNode ask(Request request);

	@Override
	void close();

}
