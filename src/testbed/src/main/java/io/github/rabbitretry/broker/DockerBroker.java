/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.github.dockerjava.api.DockerClient;
import io.github.rabbitretry.provision.Command;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A broker in a container. Its ports on the host are chosen beforehand: those that Docker
 * chooses change when a container is started again.
 */
final class DockerBroker implements Broker {

	private static final Duration BOOT = Duration.ofMinutes(3);

	private final RabbitMQContainer container;

	private final String image;

	private final Ports ports;

	private final String host;

	private String version = "";

	private DockerBroker(RabbitMQContainer container, String image, Ports ports, String host) {
		this.container = container;
		this.image = image;
		this.ports = ports;
		this.host = host;
	}

	@SuppressWarnings("resource") // closed with the broker
	static DockerBroker start(String image) {
		Ports ports = Ports.choose();
		String host = DockerClientFactory.instance().dockerHostIpAddress();
		RabbitMQContainer container = new RabbitMQContainer(
				DockerImageName.parse(image).asCompatibleSubstituteFor("rabbitmq"));
		// without those of TLS, which Docker would publish on every interface
		container.setExposedPorts(List.of(5672, 15672, 15692));
		container.setPortBindings(List.of(binding(host, ports.amqp(), 5672), binding(host, ports.management(), 15672),
				binding(host, ports.prometheus(), 15692)));
		container.withStartupTimeout(BOOT);
		DockerBroker broker = new DockerBroker(container, image, ports, host);
		try {
			container.start();
			broker.version = broker.awaitAnswer();
			return broker;
		}
		catch (RuntimeException ex) {
			container.stop();
			throw ex;
		}
	}

	/** An engine on another host is reached by its address, not by its loopback. */
	private static String binding(String host, int hostPort, int containerPort) {
		boolean local = host.equals("localhost") || host.startsWith("127.");
		return (local ? "127.0.0.1:" : "") + hostPort + ":" + containerPort;
	}

	private String awaitAnswer() {
		long deadline = System.nanoTime() + BOOT.toNanos();
		while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
			try {
				String answer = AmqpGreeting.version(address(), Duration.ofSeconds(5));
				// fails until the start is complete, a little after AMQP is answered
				management().get("/api/overview");
				return answer;
			}
			catch (IOException | UncheckedIOException | IllegalStateException ex) {
				LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			}
		}
		throw new IllegalStateException(
				"The broker in the container, or its management plugin, does not answer: " + address().endpoint());
	}

	private AmqpAddress address() {
		return new AmqpAddress(false, this.host, this.ports.amqp(), "guest", "guest", "/");
	}

	@Override
	public URI amqpUri() {
		return address().uri();
	}

	@Override
	public Optional<URI> managementUri() {
		return Optional.of(URI.create("http://guest:guest@%s:%s".formatted(this.host, this.ports.management())));
	}

	@Override
	public Optional<URI> prometheusUri() {
		return Optional.of(URI.create("http://%s:%s/metrics".formatted(this.host, this.ports.prometheus())));
	}

	@Override
	public String version() {
		return this.version;
	}

	@Override
	public String description() {
		return "RabbitMQ %s, a container of %s, on %s: AMQP %s, management %s, Prometheus %s".formatted(this.version,
				this.image, this.host, this.ports.amqp(), this.ports.management(), this.ports.prometheus());
	}

	@Override
	public boolean canControl() {
		return true;
	}

	@Override
	public String ctl(String... rabbitmqctlArguments) {
		String[] command = new String[rabbitmqctlArguments.length + 1];
		command[0] = "rabbitmqctl";
		System.arraycopy(rabbitmqctlArguments, 0, command, 1, rabbitmqctlArguments.length);
		try {
			ExecResult result = this.container.execInContainer(command);
			return CtlOutput.of(new Command.Result(result.getExitCode(), result.getStdout() + result.getStderr()),
					rabbitmqctlArguments);
		}
		catch (IOException ex) {
			throw new IllegalStateException("rabbitmqctl can't be run in the container: " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while rabbitmqctl ran", ex);
		}
	}

	@Override
	public void kill() {
		if (this.container.isRunning()) {
			DockerClient docker = this.container.getDockerClient();
			docker.killContainerCmd(this.container.getContainerId()).exec();
			// the signal is sent; what is started too early counts as running still
			docker.waitContainerCmd(this.container.getContainerId()).start().awaitStatusCode(30, TimeUnit.SECONDS);
		}
	}

	@Override
	public void startAgain() {
		if (!this.container.isRunning()) {
			this.container.getDockerClient().startContainerCmd(this.container.getContainerId()).exec();
		}
		awaitAnswer();
	}

	@Override
	public Management management() {
		return ManagementAddress.client(managementUri().orElseThrow());
	}

	@Override
	public void close() {
		this.container.stop();
	}

}
