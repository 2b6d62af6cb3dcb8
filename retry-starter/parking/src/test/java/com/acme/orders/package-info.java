/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a user writes: it names the API only.
 */
@NullMarked
package com.acme.orders;

import org.jspecify.annotations.NullMarked;
