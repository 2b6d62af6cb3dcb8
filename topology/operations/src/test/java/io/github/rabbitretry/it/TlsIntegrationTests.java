/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A broker whose only way in, for the application, is TLS with a client's certificate,
 * and whose management API is certified by the same private authority.
 */
@ExtendWith(OutputCaptureExtension.class)
class TlsIntegrationTests {

	private static final String QUEUE = "tls.order";

	private static final String POLICY = "tls-orders";

	@TempDir
	private static Path folder;

	private static TestCertificates certificates;

	private static int port;

	private static int managementPort;

	@BeforeAll
	static void listen() throws Exception {
		certificates = TestCertificates.create(folder);
		port = freePort();
		managementPort = freePort();
		String options = "[{cacertfile, \"%s\"}, {certfile, \"%s\"}, {keyfile, \"%s\"}, {verify, verify_peer}, {fail_if_no_peer_cert, true}]"
			.formatted(certificates.file("authority.pem"), certificates.file("server.pem"),
					certificates.privateKey("server"));
		Broker.shared()
			.ctl("eval", "rabbit_networking:start_ssl_listener({\"127.0.0.1\", %d}, %s, 1).".formatted(port, options));
		Broker.shared()
			.ctl("eval",
					("rabbit_web_dispatch:register_context_handler(tls_management, [{ip, \"127.0.0.1\"}, {port, %d}, {ssl, true}, "
							+ "{ssl_opts, %s}], \"\", rabbit_mgmt_dispatcher:build_dispatcher([]), \"TLS\").")
						.formatted(managementPort, options));
	}

	@AfterAll
	static void endListening() {
		Broker.shared().ctl("eval", "rabbit_web_dispatch:unregister_context(tls_management).");
	}

	@AfterEach
	void remove() {
		Broker.shared().management().delete("/api/policies/%2F/" + POLICY);
		try (TestBroker broker = TestBroker.connect()) {
			broker.deleteAll(QUEUE);
		}
	}

	@Test
	void messagesAreRetriedAndParkedWithAClientCertificate() {
		try (TestBroker broker = TestBroker.connect(); ConfigurableApplicationContext application = start(Map.of())) {
			broker.sendJson(QUEUE, "m", Map.of(), "{}");
			assertThat(RetryLifecycleIntegrationTests.text(broker.take(QUEUE + ".parking-lot")))
				.containsEntry("x-app-retry-attempt", "1")
				.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
			assertThat(Broker.shared().ctl("-q", "list_connections", "port", "peer_cert_subject").lines())
				.filteredOn((line) -> line.startsWith(port + "\t"))
				.hasSizeGreaterThan(1)
				.allMatch((line) -> line.contains("CN=client"));
		}
	}

	@Test
	void theManagementApiIsTrustedAsTheBrokerIs() {
		unsafePolicy();
		assertThatException().isThrownBy(() -> start(management("127.0.0.1")))
			.asInstanceOf(InstanceOfAssertFactories.type(UnsafeBrokerPolicyException.class))
			.satisfies((ex) -> assertThat(ex.problems()).isNotEmpty()
				.allSatisfy((line) -> assertThat(line).contains("policy '" + POLICY + "' sets 'overflow'")));
	}

	@Test
	void theManagementApiIsTrustedAsAnSslBundleSays() throws Exception {
		unsafePolicy();
		Map<String, Object> bundle = new HashMap<>(management("127.0.0.1"));
		String pem = "spring.ssl.bundle.pem.broker.";
		bundle.put("spring.rabbitmq.ssl.bundle", "broker");
		bundle.put(pem + "truststore.certificate", "file:" + certificates.file("authority.pem"));
		bundle.put(pem + "keystore.certificate", "file:" + certificates.file("client.chain"));
		bundle.put(pem + "keystore.private-key", "file:" + certificates.privateKey("client"));
		assertThatException().isThrownBy(() -> start(bundle)).isInstanceOf(UnsafeBrokerPolicyException.class);
	}

	@Test
	void aCertificateForAnotherHostIsNotTrusted(CapturedOutput output) {
		unsafePolicy();
		try (ConfigurableApplicationContext application = start(management("localhost"))) {
			assertThat(application.isRunning()).isTrue();
		}
		assertThat(output).containsPattern("WARN.*Cannot check broker policies: https://localhost:" + managementPort
				+ "/.*No (name|subject alternative).*certificate has to name this host.*spring.rabbitmq.ssl");
	}

	/** As of a proxy in front, whose authority is public. */
	@Test
	void theManagementApiMayHaveACertificateThatOnlyTheJvmTrusts() throws Exception {
		Broker broker = Broker.shared();
		SSLSocketFactory usual = HttpsURLConnection.getDefaultSSLSocketFactory();
		SslStoreBundle stores = new JksSslStoreBundle(store("client.p12"), store("trust.p12"));
		HttpsURLConnection.setDefaultSSLSocketFactory(SslBundle.of(stores).createSslContext().getSocketFactory());
		try {
			ManagementClient client = new ManagementClient(new ManagementSettings("https://127.0.0.1:" + managementPort,
					broker.username(), broker.password(), "/", usual));
			assertThat(client.list("exchanges")).asString().contains("amq.topic");
		}
		finally {
			HttpsURLConnection.setDefaultSSLSocketFactory(usual);
		}
	}

	private static JksSslStoreDetails store(String file) {
		return JksSslStoreDetails.forLocation("file:" + certificates.file(file))
			.withPassword(TestCertificates.PASSWORD);
	}

	private static void unsafePolicy() {
		Broker.shared()
			.management()
			.put("/api/policies/%2F/" + POLICY,
					"{\"pattern\":\"^tls\\\\.order\",\"apply-to\":\"queues\",\"definition\":{\"overflow\":\"drop-head\",\"max-length\":1000}}");
	}

	private static Map<String, Object> management(String host) {
		return Map.of("rabbit-retry.broker.management-url", "https://%s:%d".formatted(host, managementPort));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static ConfigurableApplicationContext start(Map<String, Object> differing) {
		Broker broker = Broker.shared();
		Map<String, Object> properties = new HashMap<>(Map.of("spring.rabbitmq.host", "127.0.0.1",
				"spring.rabbitmq.port", port, "spring.rabbitmq.username", broker.username(), "spring.rabbitmq.password",
				broker.password(), "spring.rabbitmq.virtual-host", broker.virtualHost(),
				"rabbit-retry.message-policies.Order.queue", QUEUE, "rabbit-retry.message-policies.Order.retry-backoff",
				"fixed", "rabbit-retry.message-policies.Order.initial-delay", "1s",
				"rabbit-retry.message-policies.Order.broker-attempts", 1));
		if (!differing.containsKey("spring.rabbitmq.ssl.bundle")) {
			properties.putAll(Map.of("spring.rabbitmq.ssl.enabled", true, "spring.rabbitmq.ssl.key-store",
					"file:" + certificates.file("client.p12"), "spring.rabbitmq.ssl.key-store-password",
					TestCertificates.PASSWORD, "spring.rabbitmq.ssl.trust-store",
					"file:" + certificates.file("trust.p12"), "spring.rabbitmq.ssl.trust-store-type", "PKCS12",
					"spring.rabbitmq.ssl.trust-store-password", TestCertificates.PASSWORD));
		}
		properties.putAll(differing);
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties)
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
