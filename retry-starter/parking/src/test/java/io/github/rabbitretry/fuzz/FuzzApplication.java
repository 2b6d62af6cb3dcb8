/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * Handles by the number in the body: half of the messages at once, one in eight at the
 * second call, the others not until the handler is mended.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FuzzApplication {

	static final Pattern ID = Pattern.compile("~id:(\\d+)~");

	private static final Pattern PART = Pattern.compile("~part:(\\d+\\.\\d+)~");

	private final Map<Integer, Integer> handled = new ConcurrentHashMap<>();

	private final Map<String, Integer> parts = new ConcurrentHashMap<>();

	private final Set<Integer> failedOnce = ConcurrentHashMap.newKeySet();

	private volatile boolean mended;

	@RabbitListener(queues = "${fuzz.queue}")
	void handle(Message message) throws Exception {
		String body = new String(message.getBody(), StandardCharsets.ISO_8859_1);
		Matcher id = ID.matcher(body);
		if (id.find()) {
			handle(Integer.parseInt(id.group(1)));
			return;
		}
		Matcher part = PART.matcher(body);
		if (part.find()) {
			this.parts.merge(part.group(1), 1, Integer::sum);
			return;
		}
		throw new IllegalStateException("a message without a number");
	}

	private void handle(int id) throws Exception {
		if (!this.mended) {
			int fate = id % 8;
			if (fate == 4 && this.failedOnce.add(id)) {
				throw new SocketTimeoutException("at the first call");
			}
			if (fate == 6) {
				throw new ImpossibleException();
			}
			if (fate == 5 || fate == 7) {
				throw new SocketTimeoutException("at every call");
			}
		}
		this.handled.merge(id, 1, Integer::sum);
	}

	void mend() {
		this.mended = true;
	}

	Map<Integer, Integer> handled() {
		return this.handled;
	}

	Map<String, Integer> parts() {
		return this.parts;
	}

	/** A rule says that it can't succeed later. */
	static final class ImpossibleException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
