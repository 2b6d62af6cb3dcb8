/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;

/**
 * Examines one kind of thing.
 */
@FunctionalInterface
interface DoctorCheck {

	/**
	 * Compares.
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return what is not as it should be
	 */
	List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live);

}
