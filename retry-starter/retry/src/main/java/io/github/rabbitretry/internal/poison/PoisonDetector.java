/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.PoisonSettings;
import org.jspecify.annotations.Nullable;

/**
 * Watches the failures of one message type for values that stand out.
 * <p>
 * Failures that look alike are an indicator by themselves. A version is not: where all
 * messages have the same one, so have all failures. So once a version dominates the
 * failures, successes are counted by version too, and it is an indicator only if its part
 * of the successes is at most half its part of the failures. While nothing is suspected a
 * success costs a look at one flag.
 */
public final class PoisonDetector {

	private static final int MOST_RAISED = 100;

	private final MessagePolicy policy;

	private final VersionHeaderNames headers;

	private final Consumer<PoisonSignal> listener;

	private final InstantSource clock;

	private final long window;

	private final SlidingCounts failures;

	private final SlidingCounts successes;

	private final Map<PoisonIndicator, PoisonSignal> raised = new LinkedHashMap<>();

	private volatile boolean suspicious;

	private long suspiciousUntil;

	PoisonDetector(MessagePolicy policy, VersionHeaderNames headers, Consumer<PoisonSignal> listener,
			InstantSource clock) {
		this.policy = policy;
		this.headers = headers;
		this.listener = listener;
		this.clock = clock;
		this.window = policy.poison().window().toMillis();
		this.failures = new SlidingCounts(this.window);
		this.successes = new SlidingCounts(this.window);
	}

	/**
	 * Whether successes have to be reported at the moment.
	 * @return {@code true} while a version is suspected
	 */
	public boolean suspicious() {
		return this.suspicious;
	}

	/**
	 * Counts a delivery that was handled with success, while {@link #suspicious()}.
	 * @param received its headers as received
	 */
	public synchronized void succeeded(@Nullable Map<String, Object> received) {
		long now = this.clock.millis();
		if (now > this.suspiciousUntil) {
			this.suspicious = false;
			this.successes.clear();
		}
		else if (this.successes.wants(now)) {
			this.successes.add(this.headers.of(received), now);
		}
	}

	/**
	 * Counts a delivery that failed.
	 * @param fingerprint its failure's fingerprint; not asked for if there are very many
	 * @param received its headers as received
	 * @return {@code false} if there are very many and this one was not looked at
	 */
	public boolean failed(Supplier<String> fingerprint, @Nullable Map<String, Object> received) {
		synchronized (this) {
			if (!this.failures.wants(this.clock.millis())) {
				return false;
			}
		}
		List<PoisonIndicator> indicators = this.headers.of(received);
		indicators.add(new PoisonIndicator(PoisonSignal.Kind.FINGERPRINT, fingerprint.get()));
		List<PoisonSignal> signals = new ArrayList<>(0);
		synchronized (this) {
			long now = this.clock.millis();
			this.failures.add(indicators, now);
			long total = this.failures.total(now);
			if (total >= this.policy.poison().minFailures()) {
				indicators.forEach((indicator) -> look(indicator, total, now).ifPresent(signals::add));
			}
		}
		signals.forEach(this.listener);
		return true;
	}

	/**
	 * Notes that consumers died, with messages in their hands of which any may be to
	 * blame.
	 */
	public void crashing() {
		crash("", 0);
	}

	/**
	 * Notes the message that is to blame for the death of consumers.
	 * @param messageId its id, {@code null} if it has none
	 */
	public void blamed(@Nullable String messageId) {
		crash((messageId != null) ? VersionHeaderNames.bounded(messageId) : "none", 1);
	}

	private void crash(String value, double share) {
		Optional<PoisonSignal> signal;
		synchronized (this) {
			signal = raise(new PoisonIndicator(PoisonSignal.Kind.CRASH_LOOP, value), share, 1, this.clock.millis());
		}
		signal.ifPresent(this.listener);
	}

	private Optional<PoisonSignal> look(PoisonIndicator indicator, long total, long now) {
		double share = (double) this.failures.count(indicator, now) / total;
		if (share < this.policy.poison().dominance()) {
			return Optional.empty();
		}
		if (indicator.kind() != PoisonSignal.Kind.FINGERPRINT && !differs(indicator, share, now)) {
			return Optional.empty();
		}
		return raise(indicator, share, total, now);
	}

	/** Whether a version is rarer among successes than among failures. */
	private boolean differs(PoisonIndicator indicator, double share, long now) {
		this.suspiciousUntil = now + this.window;
		this.suspicious = true;
		PoisonSettings settings = this.policy.poison();
		long total = this.successes.total(now);
		return total >= settings.minFailures() && this.successes.count(indicator, now) <= share / 2 * total;
	}

	private Optional<PoisonSignal> raise(PoisonIndicator indicator, double share, long total, long now) {
		this.raised.values().removeIf((signal) -> signal.at().toEpochMilli() + this.window <= now);
		if (this.raised.containsKey(indicator) || this.raised.size() >= MOST_RAISED) {
			return Optional.empty();
		}
		PoisonSignal signal = new PoisonSignal(this.policy.messageType(), this.policy.owner(), indicator.kind(),
				indicator.value(), share, total, this.clock.instant());
		this.raised.put(indicator, signal);
		return Optional.of(signal);
	}

}
