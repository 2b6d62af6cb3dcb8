/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

/**
 * A broker that is a private node of this machine, alone or in a {@link BrokerCluster}.
 * {@link #close()} of a cluster's node stops that node for good.
 */
public interface BrokerNode extends Broker {

	/**
	 * The name that other nodes and {@code rabbitmqctl} know it by.
	 * @return such as {@code rr-1c2d3e4f-1@localhost}
	 */
	String nodeName();

	/**
	 * Whether it runs and is not frozen.
	 * @return {@code false} for a node that was killed, stopped or frozen
	 */
	boolean answers();

	/**
	 * Stops the node with SIGTERM, as a service manager does, and waits until it ended.
	 * Does nothing to a node that does not run; {@link #startAgain()} starts it.
	 * @throws IllegalStateException if it has not ended after 60 seconds
	 */
	void stop();

	/**
	 * Freezes the node with SIGSTOP: it does not answer, and its connections stay open.
	 * @throws IllegalStateException if it does not run
	 */
	void freeze();

	/**
	 * Lets a frozen node go on.
	 * @throws IllegalStateException if it does not run
	 */
	void unfreeze();

}
