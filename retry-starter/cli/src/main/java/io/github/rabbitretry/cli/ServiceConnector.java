/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.rabbitretry.cli.http.ActuatorUrl;
import io.github.rabbitretry.cli.http.Credentials;
import io.github.rabbitretry.cli.http.HttpService;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.cli.direct.DirectService;
import io.github.rabbitretry.cli.direct.DirectSettings;
import io.github.rabbitretry.cli.direct.PlannedService;
import org.jspecify.annotations.Nullable;

/**
 * To a running service, unless a configuration, a broker or a database is named.
 */
final class ServiceConnector implements Session.Ways {

	private static final String URL = "RABBIT_RETRY_URL";

	private static final String DEFAULT_URL = "http://127.0.0.1:8080/actuator";

	private final Consumer<String> notes;

	/**
	 * Creates both.
	 * @param notes who is told what a person should know
	 */
	ServiceConnector(Consumer<String> notes) {
		this.notes = notes;
	}

	@Override
	public Service open(GlobalOptions options, Map<String, String> environment, boolean works) {
		// a method reference would load the class, and Spring's with it, for each request
		return open(options, environment, (settings) -> DirectService.open(settings), works);
	}

	@Override
	public Service openOffline(GlobalOptions options, Map<String, String> environment) {
		return open(options, environment, (settings) -> DirectService.openOffline(settings), false);
	}

	private Service open(GlobalOptions options, Map<String, String> environment,
			Function<DirectSettings, Service> direct, boolean works) {
		if (options.direct()) {
			if (options.url != null || options.login != null || options.tokenFile != null) {
				throw usage("--url, --login and --token-file lead to a service; --config, --broker and --database go"
						+ " without one. Give one kind.");
			}
			return direct.apply(new DirectSettings(options.config, options.broker, options.database,
					options.application, options.verbose, works));
		}
		if (options.application != null) {
			throw usage("--application goes with --config: a running service knows its name.");
		}
		if (options.timeout < 1) {
			throw usage("--timeout must be 1 or more.");
		}
		ActuatorUrl url = ActuatorUrl
			.parse((options.url != null) ? options.url : environment.getOrDefault(URL, DEFAULT_URL));
		String authorization = authorization(options, environment);
		if (authorization != null && url.readableByOthers()) {
			this.notes.accept("Caution: credentials go to %s without encryption.".formatted(url));
		}
		return new HttpService(url, authorization, options.timeoutDuration());
	}

	@Override
	public Service plan(GlobalOptions options, List<Path> files) {
		return PlannedService.open(files, options.verbose);
	}

	private static @Nullable String authorization(GlobalOptions options, Map<String, String> environment) {
		return new Credentials(environment, Console::secret).authorization(options.login, options.passwordFile,
				options.tokenFile);
	}

	@Override
	public boolean loggedIn(GlobalOptions options, Map<String, String> environment) {
		return !options.direct()
				&& (options.login != null || options.tokenFile != null || Credentials.among(environment));
	}

	private static ServiceException usage(String message) {
		return new ServiceException(ExitCode.USAGE, message);
	}

}
