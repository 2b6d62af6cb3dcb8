/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import com.rabbitmq.client.ConnectionFactory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Ends the process when its heap is exhausted or the virtual machine fails: it might look
 * alive and consume nothing. The broker delivers again what was not acknowledged, and a
 * message that ends its consumers goes to quarantine. An overflown stack is no such
 * failure, since one message can cause it.
 */
public final class FatalErrors {

	/** The one that Spring AMQP's containers exit with. */
	private static final int EXIT_CODE = 99;

	private static final Log logger = LogFactory.getLog(FatalErrors.class);

	private FatalErrors() {
	}

	/**
	 * Ends the process if it must not go on, without shutdown hooks, which might wait for
	 * the thread that calls this.
	 * @param failure what a thread failed with
	 */
	public static void endProcessUpon(Throwable failure) {
		if (!isFatal(failure)) {
			return;
		}
		try {
			logger.error("The process ends with exit code %s".formatted(EXIT_CODE), failure);
		}
		finally {
			Runtime.getRuntime().halt(EXIT_CODE);
		}
	}

	static boolean isFatal(Throwable failure) {
		return failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
	}

	/**
	 * Watches the connections of a factory, its publishing ones included. To be called
	 * before it opens the first.
	 * @param factory the factory
	 */
	public static void watch(AbstractConnectionFactory factory) {
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		if (!(client.getExceptionHandler() instanceof ReportingExceptionHandler)) {
			client.setExceptionHandler(new ReportingExceptionHandler(client.getExceptionHandler()));
		}
	}

	/**
	 * Watches a container, not yet started. After other errors it stops, which health
	 * reports.
	 * @param container the container
	 */
	public static void watch(AbstractMessageListenerContainer container) {
		container.setJavaLangErrorHandler(FatalErrors::endProcessUpon);
	}

}
