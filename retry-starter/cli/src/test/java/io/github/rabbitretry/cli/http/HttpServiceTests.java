/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HttpServiceTests {

	private static final Request LIST = Request.read(Map.of(), "parkinglot");

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private final CountDownLatch end = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpHandler handler = answer(200, "{\"messages\":[]}");

	private @Nullable HttpServer server;

	@BeforeEach
	void start() throws IOException {
		HttpServer created = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		created.setExecutor(this.threads);
		created.createContext("/", (exchange) -> {
			this.seen.add("%s %s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(),
					exchange.getRequestHeaders().getFirst("Authorization"),
					new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
			this.handler.handle(exchange);
		});
		created.start();
		this.server = created;
	}

	@AfterEach
	void stop() {
		this.end.countDown();
		if (this.server != null) {
			this.server.stop(0);
		}
		this.threads.shutdownNow();
	}

	private static HttpHandler answer(int status, String body) {
		return (exchange) -> {
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(status, (bytes.length > 0) ? bytes.length : -1);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		};
	}

	private int port() {
		return (this.server != null) ? this.server.getAddress().getPort() : 0;
	}

	private HttpService service() {
		return service("Basic b3BzOnNlY3JldA==", Duration.ofSeconds(20));
	}

	private HttpService service(@Nullable String authorization, Duration timeout) {
		return new HttpService(ActuatorUrl.parse("http://127.0.0.1:" + port() + "/actuator/"), authorization, timeout,
				null);
	}

	private void fails(HttpService service, ExitCode exitCode, String... says) {
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> service.ask(LIST)).satisfies((ex) -> {
			assertThat(ex.exitCode()).isEqualTo(exitCode);
			assertThat(ex).hasMessageContainingAll(says);
		});
	}

	@Test
	void readsWithArgumentsInTheQuery() {
		JsonNode answer = service()
			.ask(Request.read(Map.of("reason", "a b&c=d\r\nX: y\u0000é", "queue", "q"), "parkinglot", "groups"));
		assertThat(answer.path("messages").isArray()).isTrue();
		assertThat(this.seen).containsExactly(
				"GET /actuator/parkinglot/groups?queue=q&reason=a%20b%26c%3Dd%0D%0AX%3A%20y%00%C3%A9 Basic b3BzOnNlY3JldA== ");
	}

	@Test
	void writesAFlatObject() {
		service(null, Duration.ofSeconds(20))
			.ask(Request.write(Map.of("because", "a\"b\r\n"), "replays", "replay-1", "abort"));
		assertThat(this.seen)
			.containsExactly("POST /actuator/replays/replay-1/abort null {\"because\":\"a\\\"b\\r\\n\"}");
	}

	@Test
	void whatIsSelectedIsOneSegment() {
		service().ask(Request.read(Map.of(), "replays", "../../shutdown?x=1#y"));
		assertThat(this.seen.get(0)).startsWith("GET /actuator/replays/..%2F..%2Fshutdown%3Fx%3D1%23y ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "..", ".", "" })
	void pathsAreNotWalked(String selected) {
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> service().ask(Request.read(Map.of(), "replays", selected)))
			.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.USAGE));
		assertThat(this.seen).isEmpty();
	}

	@Test
	void errorsOfTheServiceAreItsWords() {
		this.handler = answer(409, "{\"status\":409,\"error\":\"It is somebody else's turn.\"}");
		fails(service(), ExitCode.REFUSED, "It is somebody else's turn.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "<html>Welcome</html>", "[]", "\"text\"", "{\"a\":", "null" })
	void whatIsNoJsonObjectIsNoAnswer(String body) {
		this.handler = answer(200, body);
		fails(service(), ExitCode.UNAVAILABLE, "no endpoint of Rabbit Retry");
		this.handler = answer(404, body);
		fails(service(), ExitCode.NOT_FOUND, "exposed");
	}

	@Test
	void redirectionsAreNotFollowed() {
		this.handler = (exchange) -> {
			exchange.getResponseHeaders().add("Location", "http://127.0.0.1:" + port() + "/elsewhere");
			exchange.sendResponseHeaders(302, -1);
			exchange.close();
		};
		fails(service(), ExitCode.REFUSED, "Redirections are not followed");
		assertThat(this.seen).hasSize(1);
	}

	@Test
	void anAnswerThatNeverEndsIsNotWaitedFor() {
		this.handler = (exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write('{');
			exchange.getResponseBody().flush();
			await();
		};
		fails(service(null, Duration.ofSeconds(1)), ExitCode.UNAVAILABLE, "No whole answer", "within 1 s");
	}

	@Test
	void anAnswerThatNeverBeginsIsNotWaitedFor() {
		this.handler = (exchange) -> await();
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> service(null, Duration.ofSeconds(1)).ask(Request.write(Map.of(), "replays")))
			.withMessageContaining("It is unknown whether it was done");
	}

	private void await() {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void anAnswerWithoutEndFillsNoMemory() {
		this.handler = this::flood;
		fails(service(), ExitCode.UNAVAILABLE, "larger than 64 MiB");
	}

	private void flood(HttpExchange exchange) {
		byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
		try (OutputStream body = exchange.getResponseBody()) {
			exchange.sendResponseHeaders(200, 0);
			while (this.end.getCount() > 0) {
				exchange.getResponseBody().write(blanks);
			}
		}
		catch (IOException ex) {
			// the called service has enough
		}
	}

	@Test
	void whatIsNoHttpIsNoAnswer() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.threads.execute(() -> {
				try (var connection = socket.accept()) {
					connection.getOutputStream()
						.write("AMQP\0\0\u0009\u0001 what?\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				}
				catch (IOException ex) {
					// the called service has gone
				}
			});
			fails(new HttpService(ActuatorUrl.parse("http://127.0.0.1:" + socket.getLocalPort()), null,
					Duration.ofSeconds(10), null), ExitCode.UNAVAILABLE, "No answer from");
		}
	}

	@Test
	void nobodyThereIsSaid() {
		int port = port();
		stop();
		fails(new HttpService(ActuatorUrl.parse("http://127.0.0.1:" + port), null, Duration.ofSeconds(10), null),
				ExitCode.UNAVAILABLE, "refused", "127.0.0.1:" + port);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "127.0.0.1:8080", "ftp://127.0.0.1/", "http://", "http:///actuator", "file:///etc/passwd",
					"http://127.0.0.1/actuator?x=1", "http://127.0.0.1/actuator#x", "http://user:pw@127.0.0.1/actuator",
					"http://user:p pw@127.0.0.1/actuator", "http://127.0.0.1/a b", "http://127.0.0.1\r\nX: y/" })
	void urlsThatAreNoneAreRefused(String url) {
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> ActuatorUrl.parse(url)).satisfies((ex) -> {
			assertThat(ex.exitCode()).isEqualTo(ExitCode.USAGE);
			assertThat(ex.getMessage()).doesNotContain("pw@");
		});
	}

	@Test
	void plainHttpToAnotherMachineCanBeReadByOthers() {
		assertThat(ActuatorUrl.parse("http://192.0.2.1/actuator").readableByOthers()).isTrue();
		assertThat(ActuatorUrl.parse("https://192.0.2.1/actuator").readableByOthers()).isFalse();
		assertThat(ActuatorUrl.parse("http://127.0.0.1/actuator").readableByOthers()).isFalse();
	}

	@Test
	void whoseLoginIsRefusedIsNotToldToGiveOne() {
		this.handler = answer(401, "");
		fails(service(), ExitCode.REFUSED, "name or the password is wrong");
		fails(service("Bearer abc", Duration.ofSeconds(20)), ExitCode.REFUSED, "token", "has expired");
		fails(service(null, Duration.ofSeconds(20)), ExitCode.REFUSED, "give --login");
	}

}
