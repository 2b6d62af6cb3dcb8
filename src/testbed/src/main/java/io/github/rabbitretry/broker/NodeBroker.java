/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

import io.github.rabbitretry.provision.PassedOverException;

/**
 * A broker that is a private node of this machine.
 */
final class NodeBroker implements BrokerNode {

	private final Installation installation;

	private final BrokerProcess node;

	private final String version;

	NodeBroker(Installation installation, BrokerProcess node, String version) {
		this.installation = installation;
		this.node = node;
		this.version = version;
	}

	static NodeBroker start(Installation installation) throws PassedOverException {
		try {
			return attempt(installation);
		}
		catch (NodeStartException ex) {
			if (!ex.portTaken()) {
				throw new PassedOverException(String.valueOf(ex.getMessage()), ex);
			}
		}
		try {
			return attempt(installation);
		}
		catch (NodeStartException ex) {
			throw new PassedOverException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static NodeBroker attempt(Installation installation) throws PassedOverException, NodeStartException {
		BrokerProcess node = null;
		boolean started = false;
		try {
			node = new BrokerProcess(installation, NodeIdentity.single());
			NodeBroker broker = new NodeBroker(installation, node, node.start());
			started = true;
			return broker;
		}
		catch (IOException ex) {
			throw new PassedOverException("the node's folder or supervisor can't be made: " + ex, ex);
		}
		finally {
			if (!started && node != null) {
				node.close();
			}
		}
	}

	@Override
	public URI amqpUri() {
		return AmqpAddress.local(this.node.ports.amqp()).uri();
	}

	@Override
	public Optional<URI> managementUri() {
		return Optional.of(ManagementAddress.local(this.node.ports.management()));
	}

	@Override
	public Optional<URI> prometheusUri() {
		return Optional.of(URI.create("http://127.0.0.1:" + this.node.ports.prometheus() + "/metrics"));
	}

	@Override
	public String version() {
		return this.version;
	}

	@Override
	public String description() {
		return "RabbitMQ %s, a private node %s, on 127.0.0.1: AMQP %s, management %s, Prometheus %s; data in %s"
			.formatted(this.version, this.installation.origin(), this.node.ports.amqp(), this.node.ports.management(),
					this.node.ports.prometheus(), this.node.folder.path());
	}

	@Override
	public boolean canControl() {
		return true;
	}

	@Override
	public String ctl(String... rabbitmqctlArguments) {
		return this.node.ctl(rabbitmqctlArguments);
	}

	@Override
	public void kill() {
		this.node.kill();
	}

	@Override
	public String nodeName() {
		return this.node.name();
	}

	@Override
	public boolean answers() {
		return this.node.answers();
	}

	@Override
	public void stop() {
		this.node.stop();
	}

	@Override
	public void freeze() {
		this.node.freeze();
	}

	@Override
	public void unfreeze() {
		this.node.unfreeze();
	}

	@Override
	public void startAgain() {
		if (this.node.runs()) {
			return;
		}
		try {
			this.node.start();
		}
		catch (NodeStartException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	@Override
	public Management management() {
		return ManagementAddress.client(managementUri().orElseThrow());
	}

	@Override
	public void close() {
		this.node.close();
	}

}
