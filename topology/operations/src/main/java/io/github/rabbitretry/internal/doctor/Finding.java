/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;

/**
 * One thing that is not as it should be.
 *
 * @param severity how much it matters
 * @param code what it is, from a closed list
 * @param subject the queue, exchange, policy, user or broker
 * @param fact what is so
 * @param why why it matters
 * @param remedy what to do, in words
 * @param commands what to do, as commands for a shell, in their order; empty if there is
 * none, or none that is safe now
 * @param affected all queues and exchanges, if it is about several
 */
public record Finding(Severity severity, String code, String subject, String fact, String why, String remedy,
		List<String> commands, List<String> affected) {

	public Finding {
		commands = List.copyOf(commands);
		affected = List.copyOf(affected);
	}

	Finding with(Severity other) {
		return new Finding(other, this.code, this.subject, this.fact, this.why, this.remedy, this.commands,
				this.affected);
	}

	Finding with(Severity other, String because) {
		return new Finding(other, this.code, this.subject, this.fact, because, this.remedy, this.commands,
				this.affected);
	}

	Finding affecting(List<String> names) {
		return new Finding(this.severity, this.code, this.subject, this.fact, this.why, this.remedy, this.commands,
				names);
	}

}
