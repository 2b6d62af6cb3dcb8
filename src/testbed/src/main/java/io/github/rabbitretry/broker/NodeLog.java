/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The log of a node, which says when a start is complete. The AMQP listener opens some
 * 150 ms earlier, and the management plugin answers with errors until then.
 */
record NodeLog(Path file) {

	private static final String COMPLETE = "Server startup complete";

	long length() throws IOException {
		return Files.exists(this.file) ? Files.size(this.file) : 0;
	}

	/** A node that is started again appends to its log. */
	boolean tellsOfCompleteStartSince(long length) throws IOException {
		if (!Files.exists(this.file)) {
			return false;
		}
		byte[] log = Files.readAllBytes(this.file);
		int begin = (int) Math.min(length, log.length);
		return new String(log, begin, log.length - begin, StandardCharsets.UTF_8).contains(COMPLETE);
	}

}
