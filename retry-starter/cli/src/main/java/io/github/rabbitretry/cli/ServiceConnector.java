/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.cli.direct.DirectService;
import io.github.rabbitretry.cli.direct.DirectSettings;
import io.github.rabbitretry.cli.http.ActuatorUrl;
import io.github.rabbitretry.cli.http.Credentials;
import io.github.rabbitretry.cli.http.HttpService;
import io.github.rabbitretry.cli.http.Tls;
import io.github.rabbitretry.cli.output.Console;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * To a running service, unless a configuration, a broker or a database is named.
 */
final class ServiceConnector implements Session.Ways {

	private static final String URL = "RABBIT_RETRY_URL";

	private static final String CA_FILE = "RABBIT_RETRY_CA_FILE";

	private static final String DEFAULT_URL = "http://127.0.0.1:8080/actuator";

	private final Consumer<String> notes;

	/**
	 * Creates both.
	 * @param notes receives notes for the user
	 */
	ServiceConnector(Consumer<String> notes) {
		this.notes = notes;
	}

	@Override
	public Service configured(GlobalOptions options, boolean offline) {
		if (options.url != null || options.login != null || options.tokenFile != null) {
			throw ServiceException
				.usage("--url, --login and --token-file lead to a service; --config goes without one. Give one kind.");
		}
		return DirectService
			.open(new DirectSettings(options.config, options.broker, options.application, options.verbose), offline);
	}

	@Override
	public Service open(GlobalOptions options, Map<String, String> environment) {
		if (options.broker != null || options.application != null) {
			throw ServiceException.usage("--broker and --application go with --config: a running service knows both.");
		}
		if (options.timeout < 1) {
			throw ServiceException.usage("--timeout must be 1 or more.");
		}
		ActuatorUrl url = ActuatorUrl
			.parse((options.url != null) ? options.url : environment.getOrDefault(URL, DEFAULT_URL));
		String authorization = new Credentials(environment, Console::secret).authorization(options.login,
				options.passwordFile, options.tokenFile);
		if (authorization != null && url.readableByOthers()) {
			this.notes.accept("Caution: credentials go to %s without encryption.".formatted(url));
		}
		return new HttpService(url, authorization, Duration.ofSeconds(options.timeout), sockets(options, environment));
	}

	private static @Nullable SSLSocketFactory sockets(GlobalOptions options, Map<String, String> environment) {
		String file = environment.getOrDefault(CA_FILE, "");
		if (options.caFile != null) {
			return Tls.trusting(options.caFile);
		}
		return file.isBlank() ? null : Tls.trusting(Path.of(file));
	}

	@Override
	public boolean loggedIn(GlobalOptions options, Map<String, String> environment) {
		return options.login != null || options.tokenFile != null || Credentials.among(environment);
	}

}
