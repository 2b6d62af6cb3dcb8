/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;

/**
 * How a queue or exchange is deleted and made anew.
 *
 * @param commands what to do; with all bindings, if nothing is lost
 * @param lost bindings that no command would bring back
 * @param look a command that shows them
 */
record Recreation(List<String> commands, List<String> lost, String look) {

	Finding finding(FindingCode code, String subject, String fact, String remedy) {
		if (this.lost.isEmpty()) {
			return code.of(subject, fact, remedy, this.commands);
		}
		return code.of(subject, fact,
				"Deleting it would lose bindings that no command brings back as they were: %s. Have their owner remove them, run the doctor again, and have them bound again at the end."
					.formatted(String.join("; ", this.lost)),
				List.of(this.look));
	}

}
