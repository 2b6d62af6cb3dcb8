/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A test of the tests: the product with one deliberate defect, and the test that has to
 * notice it.
 */
@NullMarked
package io.github.rabbitretry.mutants;

import org.jspecify.annotations.NullMarked;
