/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Customers, synchronized to a CRM that is down at times.
 */
@NullMarked
package io.github.rabbitretry.sample.crm;

import org.jspecify.annotations.NullMarked;
