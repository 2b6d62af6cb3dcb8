/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;

import io.github.rabbitretry.broker.Broker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker whose only way in, for the application, is TLS with a client's certificate.
 */
class TlsIntegrationTests {

	private static final String QUEUE = "tls.order";

	@TempDir
	private Path folder;

	@Test
	void messagesAreRetriedAndParkedWithAClientCertificate() throws Exception {
		TestCertificates certificates = TestCertificates.create(this.folder);
		int port = listen(certificates);
		try (TestBroker broker = TestBroker.connect();
				ConfigurableApplicationContext application = start(certificates, port)) {
			broker.sendJson(QUEUE, "m", Map.of(), "{}");
			assertThat(RetryLifecycleIntegrationTests.text(broker.take(QUEUE + ".parking-lot")))
				.containsEntry("x-app-retry-attempt", "1")
				.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
			assertThat(Broker.shared().ctl("-q", "list_connections", "port", "peer_cert_subject").lines())
				.filteredOn((line) -> line.startsWith(port + "\t"))
				.hasSizeGreaterThan(1)
				.allMatch((line) -> line.contains("CN=client"));
			application.close();
			broker.deleteAll(QUEUE);
		}
	}

	private static int listen(TestCertificates certificates) throws Exception {
		int port = freePort();
		Broker.shared()
			.ctl("eval", ("rabbit_networking:start_ssl_listener({\"127.0.0.1\", %d}, [{cacertfile, \"%s\"}, "
					+ "{certfile, \"%s\"}, {keyfile, \"%s\"}, {verify, verify_peer}, {fail_if_no_peer_cert, true}], 1).")
				.formatted(port, certificates.file("authority.pem"), certificates.file("server.pem"),
						certificates.privateKey("server")));
		return port;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static ConfigurableApplicationContext start(TestCertificates certificates, int port) {
		Broker broker = Broker.shared();
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(Map.ofEntries(Map.entry("spring.rabbitmq.host", "127.0.0.1"),
					Map.entry("spring.rabbitmq.port", port), Map.entry("spring.rabbitmq.username", broker.username()),
					Map.entry("spring.rabbitmq.password", broker.password()),
					Map.entry("spring.rabbitmq.virtual-host", broker.virtualHost()),
					Map.entry("spring.rabbitmq.ssl.enabled", true),
					Map.entry("spring.rabbitmq.ssl.key-store", "file:" + certificates.file("client.p12")),
					Map.entry("spring.rabbitmq.ssl.key-store-password", TestCertificates.PASSWORD),
					Map.entry("spring.rabbitmq.ssl.trust-store", "file:" + certificates.file("trust.p12")),
					Map.entry("spring.rabbitmq.ssl.trust-store-type", "PKCS12"),
					Map.entry("spring.rabbitmq.ssl.trust-store-password", TestCertificates.PASSWORD),
					Map.entry("rabbit-retry.message-policies.Order.queue", QUEUE),
					Map.entry("rabbit-retry.message-policies.Order.retry-backoff", "fixed"),
					Map.entry("rabbit-retry.message-policies.Order.initial-delay", "1s"),
					Map.entry("rabbit-retry.message-policies.Order.broker-attempts", 1)))
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = QUEUE)
		void handle(String body) {
			throw new IllegalStateException("no");
		}

	}

}
