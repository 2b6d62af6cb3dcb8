/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayRequest;

/**
 * What to know before a replay, in sentences.
 */
final class DryRunCautions {

	private static final String HANDLERS_NOT_CALLED = "Handlers are not called by a dry run: only a canary shows whether they succeed now, whether their effects may be repeated, and whether the entities still allow it.";

	private DryRunCautions() {
	}

	static List<String> of(ReplayRequest request, long count, List<DryRun.Group> groups, long withoutBody, long foreign,
			List<Preview.Reservation> reserved) {
		List<String> cautions = new ArrayList<>();
		if (count > request.options().maximum()) {
			cautions
				.add("The maximum leaves out the newest %s messages.".formatted(count - request.options().maximum()));
		}
		if (withoutBody > 0) {
			cautions
				.add("%s messages can't be replayed: their bodies are masked or not stored.".formatted(withoutBody));
		}
		if (foreign > 0) {
			cautions.add(
					"%s messages are of queues that this application has no policy for. If one of its policies handles them now, name their queue in its former-queues; others can be replayed by queue or id, to a target."
						.formatted(foreign));
		}
		if (!reserved.isEmpty()) {
			cautions.add((request.takeReserved() ? "Messages are taken from other replays: "
					: "Messages are left out, since other replays have selected them: ")
					+ reserved.stream().map(Preview.Reservation::toString).collect(Collectors.joining("; ")) + ".");
		}
		caution(cautions, groups, DryRun.Group.Finding.HANDLER_UNCHANGED, "%s messages failed in the current version.");
		caution(cautions, groups, DryRun.Group.Finding.NO_LISTENER_HERE,
				"%s messages are of queues without a listener in this instance.");
		if (groups.size() > DryRun.MOST_GROUPS) {
			cautions.add("There are %s groups; the largest %s are shown.".formatted(groups.size(), DryRun.MOST_GROUPS));
		}
		long queues = groups.stream().map(DryRun.Group::queue).distinct().count();
		int canary = request.options().canary();
		if (queues > 1 && canary > 0 && canary < Math.min(count, request.options().maximum())) {
			cautions.add(
					"The messages are of %s queues. The canary takes the oldest, which may all be of one queue; replay queue by queue to test each of them first."
						.formatted(queues));
		}
		if (request.options().move()) {
			cautions.add(
					"Messages move to '%s': what becomes of them there is not known here, and no command brings them back."
						.formatted(request.options().target()));
		}
		cautions.add(HANDLERS_NOT_CALLED);
		return cautions;
	}

	private static void caution(List<String> cautions, List<DryRun.Group> groups, DryRun.Group.Finding finding,
			String text) {
		long count = groups.stream()
			.filter((group) -> group.findings().contains(finding))
			.mapToLong(DryRun.Group::count)
			.sum();
		if (count > 0) {
			cautions.add(text.formatted(count));
		}
	}

}
