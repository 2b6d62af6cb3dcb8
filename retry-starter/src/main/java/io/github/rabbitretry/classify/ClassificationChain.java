/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Believes a {@link ClassifiedFailure}; else asks the application's classifiers, then the
 * rules of the configuration, then the built-in knowledge. The first answer counts;
 * without one the failure is {@link FailureClass#UNKNOWN} for the reason
 * {@link Reasons#UNKNOWN_FAILURE}.
 */
public final class ClassificationChain {

	private static final Log logger = LogFactory.getLog(ClassificationChain.class);

	private final List<FailureClassifier> classifiers;

	/**
	 * Makes a chain.
	 * @param classifiers the application's classifiers, in order
	 * @param rules the rules of the configuration
	 * @param clock the time that a {@code Retry-After} date is compared with
	 */
	public ClassificationChain(List<? extends FailureClassifier> classifiers, ClassificationRules rules, Clock clock) {
		List<FailureClassifier> all = new ArrayList<>();
		all.add(new SelfClassification());
		all.addAll(classifiers);
		all.add(rules);
		all.add(new BuiltInClassifier(clock));
		this.classifiers = List.copyOf(all);
	}

	/**
	 * Classifies a failure, whatever happens: it never throws and never returns
	 * {@code null}.
	 * @param failure what the listener threw, wrappers of Spring AMQP included
	 * @param delivery what was being delivered
	 * @return the classification
	 */
	public FailureClassification classify(Throwable failure, FailedDelivery delivery) {
		for (FailureClassifier classifier : this.classifiers) {
			Optional<FailureClassification> classification = ask(classifier, failure, delivery);
			if (classification.isPresent()) {
				return classification.get();
			}
		}
		return Verdicts.UNKNOWN;
	}

	private static Optional<FailureClassification> ask(FailureClassifier classifier, Throwable failure,
			FailedDelivery delivery) {
		try {
			@Nullable Optional<FailureClassification> answer = classifier.classify(failure, delivery);
			if (answer != null) {
				return answer;
			}
			logger
				.warn("%s returned null for a failure of %s; it must return an empty Optional for what it does not know"
					.formatted(classifier.getClass().getName(), delivery.messageType()));
		}
		catch (Throwable ex) {
			// its message is not logged: it may quote the payload
			StackTraceElement[] frames = ex.getStackTrace();
			logger.warn("%s threw %s at %s for a failure of %s; the next classifier is asked".formatted(
					classifier.getClass().getName(), ex.getClass().getName(),
					(frames.length > 0) ? frames[0] : "an unknown place", delivery.messageType()));
		}
		return Optional.empty();
	}

}
