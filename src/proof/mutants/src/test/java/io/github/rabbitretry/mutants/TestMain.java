/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.core.ConditionTimeoutException;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests, each by itself, and writes what became of them: a line for each.
 */
final class TestMain {

	private TestMain() {
	}

	/**
	 * Runs the tests and ends the JVM.
	 * @param arguments the file to write to, and the tests as {@code class#method}
	 * @throws IOException if it can't be written
	 */
	public static void main(String[] arguments) throws IOException {
		for (String test : List.of(arguments).subList(1, arguments.length)) {
			Files.writeString(Path.of(arguments[0]), "%s %s%n".formatted(test, run(test)), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		// threads of an application that a defect keeps from stopping
		Runtime.getRuntime().halt(0);
	}

	private static Outcome run(String test) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		try {
			Class<?> type = Class.forName(test.substring(0, test.indexOf('#')));
			LauncherFactory.create()
				.execute(LauncherDiscoveryRequestBuilder.request()
					.selectors(
							DiscoverySelectors.selectMethod(type, method(type, test.substring(test.indexOf('#') + 1))))
					.build(), listener);
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			ex.printStackTrace();
			return Outcome.NOT_RUN;
		}
		listener.getSummary().printFailuresTo(new PrintWriter(System.out, true));
		return outcome(listener.getSummary());
	}

	/** Whatever its parameters are, and also if a superclass has it. */
	private static Method method(Class<?> type, String name) throws NoSuchMethodException {
		return Stream.<Class<?>>iterate(type, (each) -> each != Object.class, Class::getSuperclass)
			.flatMap((each) -> Arrays.stream(each.getDeclaredMethods()))
			.filter((method) -> method.getName().equals(name) && method.getReturnType() == void.class)
			.findFirst()
			.orElseThrow(() -> new NoSuchMethodException(name));
	}

	private static Outcome outcome(TestExecutionSummary summary) {
		if (summary.getFailures().isEmpty()) {
			boolean all = summary.getTestsSucceededCount() == summary.getTestsFoundCount();
			return (all && summary.getTestsFoundCount() > 0) ? Outcome.PASSED : Outcome.NOT_RUN;
		}
		return summary.getFailures().stream().allMatch((failure) -> isAssertion(failure.getException()))
				? Outcome.ASSERTION_FAILED : Outcome.BROKEN;
	}

	private static boolean isAssertion(Throwable failure) {
		return failure instanceof AssertionError || failure instanceof ConditionTimeoutException;
	}

	/** What became of a test. */
	enum Outcome {

		PASSED, ASSERTION_FAILED,

		/** Something else was thrown, which proves nothing. */
		BROKEN,

		NOT_RUN

	}

}
