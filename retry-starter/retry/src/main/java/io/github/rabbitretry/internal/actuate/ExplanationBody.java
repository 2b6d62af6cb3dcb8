/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * An explanation as JSON, all values text or numbers.
 *
 * @param messageType the policy's name
 * @param exception the class asked about
 * @param attempt the broker attempts made
 * @param attemptsAllowed the broker attempts allowed
 * @param classification what the failure is
 * @param asked who was asked what it is, in order
 * @param decision what becomes of the message
 * @param steps what was looked at for that, in order
 * @param history what became of the message's last attempts, a line each, oldest first
 * @param text all of it for people, in lines
 */
record ExplanationBody(String messageType, String exception, int attempt, int attemptsAllowed,
		Classified classification, List<Asked> asked, Decided decision, List<Explanation.Step> steps,
		List<String> history, List<String> text) {

	static ExplanationBody of(Explanation explanation) {
		return new ExplanationBody(explanation.messageType(), explanation.exception(), explanation.attempt(),
				explanation.attemptsAllowed(), Objects.requireNonNull(Classified.of(explanation.classification())),
				explanation.asked().stream().map(Asked::of).toList(), Decided.of(explanation), explanation.steps(),
				explanation.history(), explanation.toString().lines().toList());
	}

	/** What a failure is said to be. */
	record Classified(String failureClass, String reason, @Nullable String instruction, @Nullable String retryAfter) {

		static @Nullable Classified of(@Nullable FailureClassification what) {
			return (what == null) ? null : new Classified(what.failureClass().label(), what.reason(),
					Objects.toString(what.instruction(), null), what.askedDelay().map(Object::toString).orElse(null));
		}

	}

	/** Who was asked. */
	record Asked(String from, String outcome, @Nullable Classified classification, String why) {

		static Asked of(Explanation.Asked asked) {
			return new Asked(asked.from(), asked.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'),
					Classified.of(asked.classification()), asked.why());
		}

	}

	/** What becomes of the message. */
	record Decided(String kind, @Nullable String reason, @Nullable Integer attempt, @Nullable String earliest,
			@Nullable String latest, List<DelayRoute> routes) {

		static Decided of(Explanation explanation) {
			@Nullable Decision decision = explanation.decision();
			Explanation.@Nullable Waiting waiting = explanation.waiting();
			if (decision instanceof Decision.Retry retry && waiting != null) {
				return new Decided("retry", retry.reason(), retry.attempt(), waiting.earliest().toString(),
						waiting.latest().toString(), waiting.routes());
			}
			return new Decided(explanation.kind(), explanation.reason().orElse(null), null, null, null, List.of());
		}

	}

}
