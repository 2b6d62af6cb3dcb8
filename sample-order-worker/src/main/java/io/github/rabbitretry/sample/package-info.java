/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An order worker that has retries by one dependency and some lines of YAML. Nothing in
 * its code knows of them.
 */
@NullMarked
package io.github.rabbitretry.sample;

import org.jspecify.annotations.NullMarked;
