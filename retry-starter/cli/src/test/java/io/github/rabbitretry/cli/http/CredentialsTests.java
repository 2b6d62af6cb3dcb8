/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.cli.service.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CredentialsTests {

	private static final String OPS_SECRET = "Basic b3BzOnNlY3JldA==";

	private static Credentials of(String... environment) {
		return new Credentials((environment.length == 0) ? Map.of() : Map.of(environment[0], environment[1]),
				(question) -> Optional.empty());
	}

	@Test
	void thereAreNoneUnlessTheyAreGiven() {
		assertThat(of().authorization(null, null, null)).isNull();
	}

	@Test
	void aPasswordComesFromTheEnvironmentAFileOrAPerson(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("password"), "secret\n");
		assertThat(of("RABBIT_RETRY_PASSWORD", "secret").authorization("ops", null, null)).isEqualTo(OPS_SECRET);
		assertThat(of("RABBIT_RETRY_PASSWORD", "other").authorization("ops", file, null)).isEqualTo(OPS_SECRET);
		assertThat(new Credentials(Map.of(), (question) -> Optional.of("secret")).authorization("ops", null, null))
			.isEqualTo(OPS_SECRET);
	}

	@Test
	void aTokenComesFromTheEnvironmentOrAFile(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("token"), "abc.def\n");
		assertThat(of().authorization(null, null, file)).isEqualTo("Bearer abc.def");
		assertThat(of("RABBIT_RETRY_TOKEN", "abc.def").authorization(null, null, null)).isEqualTo("Bearer abc.def");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nX-Admin: 1", "a b", "é", "\u0000" })
	void aTokenIsNoWayToAddHeaders(String token) {
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> of("RABBIT_RETRY_TOKEN", token).authorization(null, null, null))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(token));
	}

	@Test
	void whatIsNotCompleteIsRefused(@TempDir Path folder) {
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> of().authorization("ops", null, null))
			.withMessageContaining("RABBIT_RETRY_PASSWORD");
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> of().authorization(null, folder.resolve("none"), null));
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> of().authorization("ops", folder.resolve("none"), null))
			.withMessageContaining("names no file that can be read")
			.satisfies((ex) -> assertThat(ex.getMessage()).as("may be the secret").doesNotContain("nowhere"));
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> of("RABBIT_RETRY_PASSWORD", "x").authorization("a:b", null, null));
	}

}
