/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import tools.jackson.databind.JsonNode;

/**
 * A replay, followed until it has ended and every outcome is known.
 */
public final class Replay {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Operator operator;

	private final ProgressPrinter progress;

	/**
	 * Creates a replay that is not begun.
	 * @param operator begins and follows it
	 * @param progress shows it
	 */
	public Replay(Operator operator, ProgressPrinter progress) {
		this.operator = operator;
		this.progress = progress;
	}

	/**
	 * Begins it and follows it.
	 * @param arguments which messages, and how
	 * @param because why
	 * @return how it ended
	 * @throws IOException if the worker does not answer as it should, or it does not end
	 */
	public Outcome run(Map<String, Object> arguments, String because) throws IOException {
		String id = this.operator.replay(arguments, because);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (System.nanoTime() - deadline < 0) {
			JsonNode answer = this.operator.replay(id);
			Outcome outcome = Outcome.of(id, answer);
			this.progress.progress("    %s  %5.1f %%  %s".formatted(id, answer.path("percent").asDouble(), outcome));
			if (!answer.path("active").asBoolean() && outcome.undecided() == 0) {
				this.progress.line("    %s: %s".formatted(id, outcome));
				return outcome;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
		throw new IOException("Replay %s did not end within %s".formatted(id, PATIENCE));
	}

	/**
	 * How a replay ended.
	 *
	 * @param id its id
	 * @param state its state
	 * @param selected its messages
	 * @param undecided those whose outcome is not known
	 * @param succeeded those that were handled
	 * @param parkedAgain those that were parked again
	 * @param untouched those that were not published
	 */
	public record Outcome(String id, String state, long selected, long undecided, long succeeded, long parkedAgain,
			long untouched) {

		static Outcome of(String id, JsonNode answer) {
			JsonNode replay = answer.path("replay");
			JsonNode counts = replay.path("counts");
			return new Outcome(id, replay.path("state").asString(), counts.path("selected").asLong(),
					counts.path("undecided").asLong() + counts.path("inFlight").asLong(),
					counts.path("succeeded").asLong(), counts.path("parkedAgain").asLong(),
					counts.path("waiting").asLong());
		}

		@Override
		public String toString() {
			StringJoiner text = new StringJoiner(", ", this.state + ", of %d messages ".formatted(this.selected), "");
			text.add("%d succeeded".formatted(this.succeeded));
			if (this.parkedAgain > 0) {
				text.add("%d parked again".formatted(this.parkedAgain));
			}
			if (this.untouched > 0) {
				text.add("%d not touched".formatted(this.untouched));
			}
			if (this.undecided > 0) {
				text.add("%d not known yet".formatted(this.undecided));
			}
			return text.toString();
		}

	}

}
