/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.Reasons;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureFingerprintTests {

	private static final String TYPE = "CreateOrder";

	@Test
	void failuresOfOneOriginAreEqual() {
		List<String> fingerprints = Stream.of("first", "second")
			.map(FailureFingerprintTests::thrownHere)
			.map((failure) -> FailureFingerprint.of(failure, TYPE))
			.toList();
		assertThat(fingerprints.get(0)).matches("[0-9a-f]{16}").isEqualTo(fingerprints.get(1));
	}

	@Test
	void failuresOfTwoOriginsDiffer() {
		Supplier<Throwable> elsewhere = () -> new IllegalStateException("first");
		assertThat(FailureFingerprint.of(thrownHere("first"), TYPE))
			.isNotEqualTo(FailureFingerprint.of(elsewhere.get(), TYPE));
	}

	@Test
	void itIsTheSameInEveryVirtualMachine() {
		assertThat(FailureFingerprint.of(at("com.acme.Orders#create", "com.acme.Api#post"), TYPE))
			.isEqualTo("f53c56b757a0e412");
		assertThat(FailureFingerprint.of(Reasons.DELIVERY_LIMIT, TYPE)).isEqualTo("855cd3a30b7b4820");
	}

	@Test
	void theExceptionsClassCounts() {
		Throwable other = new IllegalArgumentException();
		other.setStackTrace(at("a.B#c").getStackTrace());
		assertThat(FailureFingerprint.of(other, TYPE)).isNotEqualTo(FailureFingerprint.of(at("a.B#c"), TYPE));
	}

	@Test
	void theMessageTypeCounts() {
		Throwable failure = at("a.B#c");
		assertThat(FailureFingerprint.of(failure, "CancelOrder")).isNotEqualTo(FailureFingerprint.of(failure, TYPE));
	}

	@Test
	void theInnermostCauseCountsAndItsWrappersDoNot() {
		Throwable failure = at("a.B#c");
		Throwable wrapped = new ListenerExecutionFailedException("", new RuntimeException(failure),
				new Message(new byte[0]));
		assertThat(FailureFingerprint.of(wrapped, TYPE)).isEqualTo(FailureFingerprint.of(failure, TYPE));
	}

	@Test
	void aWrapperWithoutACauseStandsForItself() {
		assertThat(
				FailureFingerprint.of(new ListenerExecutionFailedException("", null, new Message(new byte[0])), TYPE))
			.hasSize(16);
	}

	@Test
	void aCycleOfCausesEnds() {
		RuntimeException outer = new RuntimeException("outer");
		outer.initCause(new RuntimeException("inner", outer));
		assertThat(FailureFingerprint.of(outer, TYPE)).hasSize(16);
	}

	@Test
	void onlyTheTopFiveMethodsCount() {
		assertThat(FailureFingerprint.of(at("a.A#a", "b.B#b", "c.C#c", "d.D#d", "e.E#e", "f.F#f"), TYPE))
			.isEqualTo(FailureFingerprint.of(at("a.A#a", "b.B#b", "c.C#c", "d.D#d", "e.E#e", "g.G#g"), TYPE))
			.isNotEqualTo(FailureFingerprint.of(at("a.A#a", "b.B#b", "c.C#c", "d.D#d", "g.G#g", "f.F#f"), TYPE));
	}

	@Test
	void aFailureWithoutAStackTraceIsKnownByItsClass() {
		assertThat(FailureFingerprint.of(at(), TYPE)).isNotEqualTo(FailureFingerprint.of(at("a.B#c"), TYPE));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "lambda$foo$3 in a lambda        | a.B#lambda$foo$3            | a.B#lambda$foo$12",
					"the class of a lambda, JDK 17     | a.B$$Lambda$14/0x0f#run     | a.B$$Lambda$9/0x11#run",
					"the class of a lambda, JDK 21     | a.B$$Lambda$14/0x0f#run     | a.B$$Lambda/0x0000a1#run",
					"a hidden class                    | a.B/0x0000a1#run            | a.B/0x0000b2#run",
					"an anonymous class                | a.B$1#run                   | a.B$2#run",
					"a subclass by CGLIB               | a.B$$SpringCGLIB$$0#run     | a.B$$SpringCGLIB$$1#run",
					"a subclass by CGLIB or none       | a.B$$SpringCGLIB$$0#run     | a.B#run" })
	void numbersOfGeneratedNamesDoNotCount(String what, String one, String other) {
		assertThat(FailureFingerprint.of(at(one, "d.E#f"), TYPE)).as(what)
			.isEqualTo(FailureFingerprint.of(at(other, "d.E#f"), TYPE));
	}

	@ParameterizedTest
	@CsvSource({ "jdk.internal.reflect.NativeMethodAccessorImpl#invoke0",
			"jdk.internal.reflect.GeneratedMethodAccessor7#x", "jdk.internal.reflect.DirectMethodHandleAccessor#invoke",
			"java.lang.reflect.Method#invoke", "java.net.Socket$SocketInputStream#read",
			"java.lang.invoke.LambdaForm$DMH/0x0f#invoke", "sun.nio.ch.NioSocketImpl#timedRead",
			"com.sun.proxy.$Proxy12#run", "jdk.proxy2.$Proxy34#run", "a.$Proxy56#run", "$Proxy78#run" })
	void framesOfTheJdkAndOfProxiesDoNotCount(String frame) {
		assertThat(FailureFingerprint.of(at("a.B#c", frame, "d.E#f"), TYPE))
			.isEqualTo(FailureFingerprint.of(at("a.B#c", "d.E#f"), TYPE));
	}

	@Test
	void lineNumbersDoNotCount() {
		Throwable one = new IllegalStateException();
		one.setStackTrace(new StackTraceElement[] { new StackTraceElement("a.B", "c", "B.java", 12) });
		Throwable other = new IllegalStateException();
		other.setStackTrace(new StackTraceElement[] { new StackTraceElement("a.B", "c", "B.java", 99) });
		assertThat(FailureFingerprint.of(one, TYPE)).isEqualTo(FailureFingerprint.of(other, TYPE));
	}

	@Test
	void aReasonAndAnExceptionOfTheSameNameDiffer() {
		assertThat(FailureFingerprint.of("java.lang.IllegalStateException", TYPE))
			.isNotEqualTo(FailureFingerprint.of(at(), TYPE));
		assertThat(FailureFingerprint.of(Reasons.EXPIRED, TYPE))
			.isNotEqualTo(FailureFingerprint.of(Reasons.QUEUE_OVERFLOW, TYPE))
			.isNotEqualTo(FailureFingerprint.of(Reasons.EXPIRED, "CancelOrder"));
	}

	private static Throwable thrownHere(String message) {
		return new IllegalStateException(message);
	}

	private static Throwable at(String... frames) {
		Throwable failure = new IllegalStateException("about " + frames.length);
		failure.setStackTrace(Arrays.stream(frames)
			.map((frame) -> frame.split("#"))
			.map((frame) -> new StackTraceElement(frame[0], frame[1], null, -1))
			.toArray(StackTraceElement[]::new));
		return failure;
	}

}
