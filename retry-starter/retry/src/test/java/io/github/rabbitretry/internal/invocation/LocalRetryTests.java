/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.listener.RecordingChannel;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.retry.backoff.BackOffInterruptedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class LocalRetryTests {

	private final List<Throwable> thrown = new ArrayList<>();

	private int calls;

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	void successCostsOneCall() throws Throwable {
		run(3, 0, (failure) -> true);
		assertThat(this.calls).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 100 })
	void callsAsOftenAsAllowedAndThrowsTheLastFailure(int attempts) {
		Throwable last = catchThrowable(() -> run(attempts, Integer.MAX_VALUE, (failure) -> true));
		assertThat(this.calls).isEqualTo(attempts);
		assertThat(last).isSameAs(this.thrown.get(attempts - 1));
	}

	@Test
	void stopsAtTheFirstSuccess() throws Throwable {
		run(5, 2, (failure) -> true);
		assertThat(this.calls).isEqualTo(3);
	}

	@Test
	void doesNotRepeatWhatMayNotBeRepeated() {
		Throwable last = catchThrowable(() -> run(5, Integer.MAX_VALUE, (failure) -> false));
		assertThat(this.calls).isEqualTo(1);
		assertThat(last).isSameAs(this.thrown.get(0));
	}

	@Test
	void endsWithTheFirstFailureThatMayNotBeRepeated() {
		Throwable last = catchThrowable(() -> run(5, Integer.MAX_VALUE, (failure) -> this.calls < 3));
		assertThat(this.calls).isEqualTo(3);
		assertThat(last).isSameAs(this.thrown.get(2));
	}

	@Test
	void asksOnceAboutEachFailureThatHasASuccessor() {
		List<Throwable> asked = new ArrayList<>();
		catchThrowable(() -> run(3, Integer.MAX_VALUE, asked::add));
		assertThat(asked).startsWith(this.thrown.get(0), this.thrown.get(1)).doesNotHaveDuplicates();
	}

	@Test
	void anInterruptEndsTheWaitAndStaysSet() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(BackOffInterruptedException.class)
			.isThrownBy(() -> run(3, Integer.MAX_VALUE, (failure) -> true));
		assertThat(this.calls).isEqualTo(1);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	private void run(int attempts, int failures, Predicate<Throwable> again) throws Throwable {
		MethodInvocation invocation = (MethodInvocation) Proxy.newProxyInstance(LocalRetryTests.class.getClassLoader(),
				new Class<?>[] { ProxyMethodInvocation.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("invocableClone")) {
						return proxy;
					}
					if (++this.calls <= failures) {
						this.thrown.add(new IllegalStateException("call " + this.calls));
						throw this.thrown.get(this.thrown.size() - 1);
					}
					return null;
				});
		ContainerSettings settings = ContainerSettings.of(new ManagedTestListener());
		ListenerCall call = new ListenerCall(invocation, new RecordingChannel().channel(), new Message(new byte[0]),
				settings);
		new LocalRetry(attempts, Duration.ZERO).run(call, again);
	}

}
