/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.ServiceException;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A service whose certificate no public authority has signed.
 */
class TlsTests {

	private static final char[] PASSWORD = "s3cret".toCharArray();

	@TempDir
	private static Path folder = Path.of("");

	private static @Nullable HttpsServer server;

	private static int port;

	@BeforeAll
	static void start() throws Exception {
		keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=private", "-ext", "san=ip:127.0.0.1");
		keytool("-exportcert", "-rfc", "-file", "authority.pem");
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(KeyStore.getInstance(folder.resolve("keys.p12").toFile(), PASSWORD), PASSWORD);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keys.getKeyManagers(), null, null);
		HttpsServer created = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		created.setHttpsConfigurator(new HttpsConfigurator(context));
		created.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 2);
			exchange.getResponseBody().write("{}".getBytes());
			exchange.close();
		});
		created.start();
		server = created;
		port = created.getAddress().getPort();
	}

	private static void keytool(String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-alias", "service", "-keystore", "keys.p12", "-storepass", new String(PASSWORD)));
		assertThat(new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start().waitFor()).isZero();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.stop(0);
		}
	}

	private static String ask(String url, @Nullable SSLSocketFactory sockets) {
		return new HttpService(ActuatorUrl.parse(url.formatted(port)), null, Duration.ofSeconds(10), sockets)
			.ask(Request.read(Map.of(), "parkinglot"))
			.toString();
	}

	private static ThrowableAssertAlternative<ServiceException> refusal(String url,
			@Nullable SSLSocketFactory sockets) {
		return assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> ask(url, sockets))
			.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
	}

	@Test
	void anAuthorityIsTrustedByItsFile() {
		SSLSocketFactory sockets = Tls.trusting(folder.resolve("authority.pem"));
		assertThat(ask("https://127.0.0.1:%d/actuator", sockets)).isEqualTo("{}");
		refusal("https://localhost:%d/actuator", sockets).withMessageContaining("is for another host");
	}

	@Test
	void whoIsNotTrustedSaysHow() {
		refusal("https://127.0.0.1:%d/actuator", null).withMessageContainingAll("The certificate of https://127.0.0.1",
				"--ca-file", "RABBIT_RETRY_CA_FILE");
	}

	@Test
	void plainHttpIsToldThatThePortSpeaksTls() {
		refusal("http://127.0.0.1:%d/actuator", null)
			.withMessage("This port speaks TLS: use https://127.0.0.1:%d/actuator.".formatted(port));
	}

	@Test
	void aFileWithoutCertificatesIsRefused() throws Exception {
		for (Path file : List.of(folder.resolve("none.pem"), folder.resolve("keys.p12"),
				Files.writeString(folder.resolve("empty.pem"), ""))) {
			assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> Tls.trusting(file))
				.withMessageContaining(file + " has no certificates")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.USAGE));
		}
	}

}
