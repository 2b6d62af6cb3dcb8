/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;
import java.util.Map;

/**
 * The topology of a message type.
 *
 * @param messageType the message type
 * @param owner who is responsible for it
 * @param queue the work queue
 * @param ring whether its messages wait in queues of its own
 * @param queues its queues
 * @param exchanges its exchanges, with their types
 * @param bindings its bindings, in words
 * @param diagram a picture as Mermaid text
 */
public record TypeReport(String messageType, String owner, String queue, String ring, List<QueueReport> queues,
		Map<String, String> exchanges, List<String> bindings, String diagram) {
}
