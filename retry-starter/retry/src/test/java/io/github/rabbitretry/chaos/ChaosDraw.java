/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Which faults happen, all of them before any comes again.
 *
 * @param seed decides their order, {@code -Dchaos.seed}
 * @param faults how many, {@code -Dchaos.faults}
 * @param minutes after what time no other one begins, {@code -Dchaos.minutes}
 */
public record ChaosDraw(long seed, int faults, long minutes) {

	/**
	 * What the system properties say.
	 * @param faults how many faults otherwise, and no more than begin in two minutes
	 * @return the draw
	 */
	public static ChaosDraw ofSystemProperties(int faults) {
		return new ChaosDraw(number("chaos.seed", 2), number("chaos.faults", faults),
				number("chaos.minutes", (System.getProperty("chaos.faults") != null) ? 10_000 : 2));
	}

	/** Other than {@link Integer#getInteger}, which ignores what is no number. */
	private static int number(String property, int otherwise) {
		String value = System.getProperty(property, Integer.toString(otherwise));
		if (!value.matches("[1-9][0-9]{0,8}")) {
			throw new IllegalArgumentException(
					"-D%s=%s is not a number from 1 to 999999999".formatted(property, value));
		}
		return Integer.parseInt(value);
	}

	/**
	 * Draws.
	 * @param <T> the type of the faults
	 * @param all what there is
	 * @param random goes on with the seed
	 * @return the faults in their order
	 */
	public <T> List<T> of(T[] all, Random random) {
		List<T> drawn = new ArrayList<>();
		while (drawn.size() < this.faults) {
			List<T> shuffled = Arrays.asList(all.clone());
			Collections.shuffle(shuffled, random);
			drawn.addAll(shuffled);
		}
		return drawn.subList(0, this.faults);
	}

	/**
	 * When no other fault begins.
	 * @return the end, as of {@link System#nanoTime()}, if it began now
	 */
	public long end() {
		return System.nanoTime() + TimeUnit.MINUTES.toNanos(this.minutes);
	}

}
