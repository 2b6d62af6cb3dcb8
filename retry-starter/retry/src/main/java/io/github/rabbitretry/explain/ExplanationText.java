/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.explain;

import java.util.stream.Collectors;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * An explanation for people.
 */
final class ExplanationText {

	private final Explanation explanation;

	ExplanationText(Explanation explanation) {
		this.explanation = explanation;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		text.append("%s, %s of %s broker attempts made, fails with %s%n".formatted(this.explanation.messageType(),
				this.explanation.attempt(), this.explanation.attemptsAllowed(), this.explanation.exception()));
		this.explanation.history().forEach((attempt) -> text.append("  %s%n".formatted(attempt)));
		text.append("classified as %s by %s%n".formatted(spelled(this.explanation.classification()),
				this.explanation.answer().map(Explanation.Asked::from).orElse("no classifier")));
		for (Explanation.Asked asked : this.explanation.asked()) {
			text.append("  %s: %s%n".formatted(asked.from(), said(asked)));
		}
		text.append("decided: %s%n".formatted(decided()));
		for (Explanation.Step step : this.explanation.steps()) {
			text.append("  %s: %s%s%n".formatted(step.check(), step.values(), step.ends() ? " <- decides" : ""));
		}
		return text.toString();
	}

	private static String said(Explanation.Asked asked) {
		FailureClassification classification = asked.classification();
		if (asked.outcome() == Explanation.Outcome.SHADOW && classification != null) {
			return "in shadow mode, would say %s: %s".formatted(spelled(classification), asked.why());
		}
		return asked.why() + ((asked.outcome() == Explanation.Outcome.CLASSIFIED) ? " <- answers" : "");
	}

	private static String spelled(FailureClassification classification) {
		return classification.failureClass().label() + ", " + classification.reason()
				+ classification.askedDelay()
					.map((delay) -> ", not before " + DurationFormatterUtils.print(delay, Style.COMPOSITE))
					.orElse("");
	}

	private String decided() {
		Decision decision = this.explanation.decision();
		StringBuilder text = new StringBuilder();
		if (decision != null) {
			decision.accept(new Decided(), text);
		}
		return text.isEmpty() ? this.explanation.kind() : text.toString();
	}

	private static String window(Explanation.Waiting waiting) {
		return waiting.earliest().equals(waiting.latest())
				? DurationFormatterUtils.print(waiting.earliest(), Style.COMPOSITE)
				: "%s to %s".formatted(DurationFormatterUtils.print(waiting.earliest(), Style.COMPOSITE),
						DurationFormatterUtils.print(waiting.latest(), Style.COMPOSITE));
	}

	/** Writes what is done about the message. */
	private final class Decided implements Decision.Visitor<StringBuilder> {

		@Override
		public void retry(StringBuilder text, Decision.Retry retry) {
			Explanation.@Nullable Waiting waiting = ExplanationText.this.explanation.waiting();
			if (waiting == null) {
				because(text);
				return;
			}
			text.append("retry as attempt %s after %s by %s".formatted(retry.attempt(), window(waiting),
					waiting.routes()
						.stream()
						.map((route) -> "%s/%s".formatted(route.exchange(), route.routingKey()))
						.collect(Collectors.joining(" or "))));
		}

		@Override
		public void postpone(StringBuilder text, Decision.Postpone postpone) {
			text.append("wait on until ").append(postpone.until());
		}

		@Override
		public void throttle(StringBuilder text, Decision.Throttle throttle) {
			because(text);
		}

		@Override
		public void quarantine(StringBuilder text, Decision.Quarantine quarantine) {
			because(text);
		}

		@Override
		public void park(StringBuilder text, Decision.Park park) {
			because(text);
		}

		@Override
		public void discard(StringBuilder text, Decision.Discard discard) {
			because(text);
		}

		@Override
		public void reject(StringBuilder text, Decision.Reject reject) {
			text.append("publish an event of the rejection because of %s, then acknowledge".formatted(reject.reason()));
		}

		@Override
		public void returnToQueue(StringBuilder text, Decision.Return decision) {
			because(text);
		}

		private void because(StringBuilder text) {
			Explanation explained = ExplanationText.this.explanation;
			text.append(explained.kind());
			explained.reason().ifPresent((reason) -> text.append(" because of ").append(reason));
		}

	}

}
