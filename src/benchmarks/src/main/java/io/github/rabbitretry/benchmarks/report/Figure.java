/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one thing.
 *
 * @param name what it is
 * @param unit its unit, empty for a ratio
 * @param rounds what each round measured
 * @param target what it is to be, {@code null} where nothing is asked of it
 */
public record Figure(String name, String unit, List<Double> rounds, @Nullable Target target) {

	public static Figure of(String name, String unit, double measured) {
		return new Figure(name, unit, List.of(measured), null);
	}

	public static Figure of(String name, String unit, List<Double> rounds) {
		return new Figure(name, unit, List.copyOf(rounds), null);
	}

	/**
	 * The same with a target.
	 * @param least what is to be reached
	 * @return a figure
	 */
	public Figure atLeast(double least) {
		return new Figure(this.name, this.unit, this.rounds, new Target(true, least));
	}

	/**
	 * The same with a target.
	 * @param most what is not to be exceeded
	 * @return a figure
	 */
	public Figure atMost(double most) {
		return new Figure(this.name, this.unit, this.rounds, new Target(false, most));
	}

	/**
	 * The median of the rounds.
	 * @return a number
	 */
	@JsonProperty
	public double measured() {
		List<Double> sorted = this.rounds.stream().sorted().toList();
		int half = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
	}

	/**
	 * Whether the target is met.
	 * @return {@code null} without a target
	 */
	@JsonProperty
	public @Nullable Boolean met() {
		return (this.target != null) ? this.target.metBy(measured()) : null;
	}

	/**
	 * What a figure is to be.
	 *
	 * @param atLeast whether more is better
	 * @param bound the number
	 */
	public record Target(boolean atLeast, double bound) {

		boolean metBy(double measured) {
			return this.atLeast ? measured >= this.bound : measured <= this.bound;
		}

	}

}
