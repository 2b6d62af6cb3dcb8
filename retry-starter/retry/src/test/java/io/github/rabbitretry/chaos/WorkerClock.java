/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.time.Clock;
import java.time.Instant;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * The clock of a worker's JVM, which jumps when it is asked to.
 */
final class WorkerClock {

	/** The order that a worker is given, followed by seconds. */
	static final String ORDER = "CLOCK";

	private static final String AHEAD = "chaos.clock.ahead";

	private WorkerClock() {
	}

	/** Sets by how many seconds it is ahead of the machine's. */
	static void set(long ahead) {
		if (System.getProperty(AHEAD) == null) {
			ByteBuddyAgent.install();
			new ByteBuddy().redefine(Clock.class)
				.visit(Advice.to(Jump.class).on(ElementMatchers.named("currentInstant")))
				.make()
				.load(ClassLoadingStrategy.BOOTSTRAP_LOADER, ClassReloadingStrategy.fromInstalledAgent());
		}
		System.setProperty(AHEAD, String.valueOf(ahead));
	}

	/** Woven into a class of the JDK, which sees no other classes. */
	static final class Jump {

		private Jump() {
		}

		@Advice.OnMethodExit
		static void exit(@Advice.Return(readOnly = false) Instant now) {
			Long ahead = Long.getLong("chaos.clock.ahead");
			now = (ahead != null) ? now.plusSeconds(ahead) : now;
		}

	}

}
