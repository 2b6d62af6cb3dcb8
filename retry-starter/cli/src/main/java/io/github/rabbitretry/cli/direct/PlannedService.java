/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.util.List;

import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import tools.jackson.databind.JsonNode;

/**
 * The endpoints of a configuration that is only looked at. Nothing is connected to.
 */
public final class PlannedService implements Service {

	private final DirectService service;

	private final MissingExceptions exceptions;

	private PlannedService(DirectService service, MissingExceptions exceptions) {
		this.service = service;
		this.exceptions = exceptions;
	}

	/**
	 * Reads a configuration and checks it as a start of the service would.
	 * @param files the configuration, of several files the later ones are stronger
	 * @param verbose whether the log is shown
	 * @return its endpoints
	 * @throws io.github.rabbitretry.cli.service.ServiceException if the configuration
	 * does not do
	 */
	public static PlannedService open(List<Path> files, boolean verbose) {
		MissingExceptions exceptions = new MissingExceptions();
		return new PlannedService(new DirectService(PlannedApplication.start(files, exceptions, verbose),
				new DirectSettings(files, null, null, null, verbose, false)), exceptions);
	}

	/** Asked about exceptions of the service's own, it knows their names. */
	@Override
	public JsonNode ask(Request request) {
		String exception = request.arguments().get("exception");
		if (exception != null) {
			this.exceptions.add(exception);
		}
		return this.service.ask(request);
	}

	@Override
	public String withoutUs(String replayId) {
		return this.service.withoutUs(replayId);
	}

	@Override
	public void close() {
		this.service.close();
	}

}
