/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.util.concurrent.atomic.AtomicInteger;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Where a worker's JVM can be halted in the middle of a hand-over. Releases have no such
 * places: one is woven into the running worker when it is asked for.
 */
enum HandoverStep {

	BEFORE_PUBLISH("handover.ConfirmChannel", "publish", Entry.class),
	PUBLISHED_NOT_CONFIRMED("handover.ConfirmChannel", "publish", Exit.class),
	CONFIRMED_NOT_ACKNOWLEDGED("handover.ConfirmChannel", "handleAck", Entry.class),
	ACKNOWLEDGED("handover.ConfirmChannel", "handleAck", Exit.class),
	HANDLED_NOT_ACKNOWLEDGED("acknowledgement.Acknowledgement", "acknowledge", Entry.class),
	WHILE_PARKING("deadletter.ParkingLotPublisher", "park", Entry.class);

	private final String type;

	private final String method;

	private final Class<?> place;

	HandoverStep(String type, String method, Class<?> place) {
		this.type = "io.github.rabbitretry.internal." + type;
		this.method = method;
		this.place = place;
	}

	/** Halts this JVM, as SIGKILL would, when it gets here for the nth time. */
	void haltAt(int times) throws ClassNotFoundException {
		Halt.LEFT.set(times);
		ByteBuddyAgent.install();
		new ByteBuddy().redefine(Class.forName(this.type))
			.visit(Advice.to(this.place).on(ElementMatchers.named(this.method)))
			.make()
			.load(getClass().getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
	}

	static final class Entry {

		private Entry() {
		}

		@Advice.OnMethodEnter
		static void enter() {
			Halt.reached();
		}

	}

	static final class Exit {

		private Exit() {
		}

		@Advice.OnMethodExit(onThrowable = Throwable.class)
		static void exit() {
			Halt.reached();
		}

	}

	/** Public because the woven methods call it. */
	public static final class Halt {

		private static final AtomicInteger LEFT = new AtomicInteger();

		private Halt() {
		}

		public static void reached() {
			if (LEFT.decrementAndGet() == 0) {
				Runtime.getRuntime().halt(137);
			}
		}

	}

}
