/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.rabbitretry.provision.Settings;

/**
 * Private nodes of this machine that form one cluster, each to be killed, stopped, frozen
 * and started again by itself. They end with the JVM as a single node does.
 */
public final class BrokerCluster implements AutoCloseable {

	private static final Duration ELECTION = Duration.ofSeconds(60);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

	private final List<BrokerNode> nodes;

	private BrokerCluster(List<BrokerNode> nodes) {
		this.nodes = nodes;
	}

	/**
	 * Starts a cluster of the installed RabbitMQ, else of one unpacked from Debian's
	 * packages. Version and way follow the settings of {@link Broker#start()}.
	 * @param nodes how many nodes, 3 to tolerate the loss of one
	 * @return the cluster, all of whose nodes run
	 * @throws NoBrokerException if there is none to be had, with the reason of each way;
	 * a named broker and Docker serve for single brokers only
	 */
	public static BrokerCluster start(int nodes) {
		Installation installation = new BrokerChooser(Settings.ofThisProcess(), BrokerProvider.all()).installation();
		try {
			return attempt(installation, nodes);
		}
		catch (NodeStartException ex) {
			if (!ex.portTaken()) {
				throw new NoBrokerException(String.valueOf(ex.getMessage()), ex);
			}
		}
		try {
			return attempt(installation, nodes);
		}
		catch (NodeStartException ex) {
			throw new NoBrokerException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static BrokerCluster attempt(Installation installation, int size) throws NodeStartException {
		List<BrokerProcess> nodes = new ArrayList<>();
		boolean started = false;
		try {
			for (NodeIdentity identity : NodeIdentity.cluster(size)) {
				nodes.add(new BrokerProcess(installation, identity));
			}
			// at once: each looks for the others before it goes on alone
			List<BrokerNode> brokers = Together.run(nodes, (node) -> new NodeBroker(installation, node, node.start()));
			requireOneCluster(brokers);
			started = true;
			return new BrokerCluster(brokers);
		}
		catch (IOException ex) {
			throw new NoBrokerException("A node's folder or supervisor can't be made: " + ex, ex);
		}
		finally {
			if (!started) {
				closeFromTheLast(nodes);
			}
		}
	}

	/** A node that finds no other forms a cluster of its own without complaint. */
	private static void requireOneCluster(List<BrokerNode> nodes) {
		String running = nodes.get(0).ctl("-q", "eval", "length(rabbit_nodes:list_running()).").strip();
		if (!running.equals(String.valueOf(nodes.size()))) {
			throw new NoBrokerException("%s nodes were started, but the first one's cluster has %s running nodes"
				.formatted(nodes.size(), running));
		}
	}

	/**
	 * The nodes.
	 * @return in the order of their names
	 */
	public List<BrokerNode> nodes() {
		return this.nodes;
	}

	/**
	 * Where clients connect to.
	 * @return {@code host:port} of each node, with commas, as
	 * {@code spring.rabbitmq.addresses} takes them
	 */
	public String addresses() {
		return this.nodes.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
	}

	/**
	 * A node that runs and is not frozen.
	 * @return the first one
	 * @throws IllegalStateException if there is none
	 */
	public BrokerNode anyNode() {
		return this.nodes.stream()
			.filter(BrokerNode::answers)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No node of the cluster answers"));
	}

	/**
	 * The node where a queue's leader is, waited for while the others elect one.
	 * @param queue a quorum queue of the virtual host {@code /}
	 * @return a node that answers
	 * @throws IllegalStateException if the queue has no such leader after 60 seconds
	 */
	public BrokerNode leaderOf(String queue) {
		long deadline = System.nanoTime() + ELECTION.toNanos();
		while (true) {
			String leader = listedLeaderOf(queue);
			for (BrokerNode node : this.nodes) {
				if (node.nodeName().equals(leader) && node.answers()) {
					return node;
				}
			}
			if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
				throw new IllegalStateException(
						"Queue '%s' has no leader that answers; listed is '%s'".formatted(queue, leader));
			}
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
		}
	}

	private String listedLeaderOf(String queue) {
		return anyNode().ctl("-q", "--no-table-headers", "list_queues", "name", "leader")
			.lines()
			.map((line) -> line.split("\t"))
			.filter((columns) -> columns.length == 2 && columns[0].equals(queue))
			.map((columns) -> columns[1].strip())
			.findFirst()
			.orElse("");
	}

	/**
	 * Cuts a node off from the others, as a partition of the network does, until it is
	 * killed and started again. It goes on serving its clients.
	 * @param node one that answers
	 */
	public void cutOff(BrokerNode node) {
		node.ctl("eval", "[begin erlang:set_cookie(Other, cut_off), erlang:disconnect_node(Other) end "
				+ "|| Other <- nodes()].");
	}

	/**
	 * Kills all nodes at once.
	 */
	public void killAll() {
		atOnce(Broker::kill);
	}

	/**
	 * Starts all nodes that do not run. At once: a node of an old store waits for those
	 * that stopped after it.
	 */
	public void startAllAgain() {
		atOnce(Broker::startAgain);
	}

	private void atOnce(Consumer<BrokerNode> action) {
		try {
			Together.run(this.nodes, (node) -> {
				action.accept(node);
				return node;
			});
		}
		catch (NodeStartException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	/** The first one's supervisor holds the epmd that all use. */
	private static void closeFromTheLast(List<? extends AutoCloseable> nodes) {
		for (int node = nodes.size() - 1; node >= 0; node--) {
			try {
				nodes.get(node).close();
			}
			catch (Exception ex) {
				throw new IllegalStateException("A node can't be closed: " + ex.getMessage(), ex);
			}
		}
	}

	/**
	 * Kills all nodes and removes their data. A second call does nothing.
	 */
	@Override
	public void close() {
		closeFromTheLast(this.nodes);
	}

}
