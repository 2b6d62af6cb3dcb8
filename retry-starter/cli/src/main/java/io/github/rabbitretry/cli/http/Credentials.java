/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * Who asks. Secrets come from the environment, from files or from a person at the
 * terminal, never from arguments, which everybody on the machine can see.
 */
public final class Credentials {

	private static final String TOKEN = "RABBIT_RETRY_TOKEN";

	private static final String PASSWORD = "RABBIT_RETRY_PASSWORD";

	private final Map<String, String> environment;

	private final Function<String, Optional<String>> prompt;

	/**
	 * Creates the finder of credentials.
	 * @param environment environment variables
	 * @param prompt asks a person for a secret, if one is there
	 */
	public Credentials(Map<String, String> environment, Function<String, Optional<String>> prompt) {
		this.environment = environment;
		this.prompt = prompt;
	}

	/**
	 * Whether there are any, apart from options.
	 * @param environment environment variables
	 * @return whether there is a token or a login
	 */
	public static boolean among(Map<String, String> environment) {
		return !environment.getOrDefault(TOKEN, "").isBlank();
	}

	/**
	 * Finds them.
	 * @param login the name to log in with, or {@code null}
	 * @param passwordFile where the password is, or {@code null}
	 * @param tokenFile where a bearer token is, or {@code null}
	 * @return the value of the header {@code Authorization}, or {@code null} for none
	 * @throws ServiceException if they are not complete or can't be sent
	 */
	public @Nullable String authorization(@Nullable String login, @Nullable Path passwordFile,
			@Nullable Path tokenFile) {
		if (login != null && tokenFile != null) {
			throw ServiceException.usage("There are a login and a token. Give one of them.");
		}
		if (tokenFile != null) {
			return "Bearer " + checked(read("--token-file", tokenFile));
		}
		String token = this.environment.get(TOKEN);
		if (login == null && token != null && !token.isBlank()) {
			return "Bearer " + checked(token.strip());
		}
		if (login == null || login.isBlank()) {
			if (passwordFile != null) {
				throw ServiceException.usage("There is a password and no --login.");
			}
			return null;
		}
		if (login.contains(":")) {
			throw ServiceException.usage("A login has no colon.");
		}
		return "Basic " + Base64.getEncoder()
			.encodeToString((login + ":" + password(login, passwordFile)).getBytes(StandardCharsets.UTF_8));
	}

	private String password(String name, @Nullable Path file) {
		if (file != null) {
			return read("--password-file", file);
		}
		String password = this.environment.get(PASSWORD);
		return (password != null) ? password
				: this.prompt.apply("Password of " + name + ": ")
					.orElseThrow(() -> ServiceException
						.usage("There is no password: set %s, or give --password-file.".formatted(PASSWORD)));
	}

	/** The name is not repeated: it may be the secret itself, given by mistake. */
	private static String read(String option, Path file) {
		try {
			return Files.readString(file).strip();
		}
		catch (IOException ex) {
			throw ServiceException.usage("%s names no file that can be read.".formatted(option));
		}
	}

	private static String checked(String token) {
		if (token.isEmpty() || !token.chars().allMatch((character) -> character > ' ' && character < 127)) {
			throw ServiceException.usage("The token has characters that no token has.");
		}
		return token;
	}

}
