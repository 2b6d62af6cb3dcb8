/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

/**
 * How full a queue was, some seconds ago.
 *
 * @param queue its name
 * @param leader the node that counts its messages; another one begins at 0
 * @param messages those that are ready, with consumers, or dead-lettered and not
 * confirmed; -1 if that is not known
 */
record SeenDepth(String queue, String leader, long messages) {

}
