/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.classify.Reasons;
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

	private final List<Asked> asked = new ArrayList<>();

	private final ClassificationRules rules;

	/**
	 * Makes a chain.
	 * @param classifiers the application's classifiers, in order
	 * @param rules the rules of the configuration
	 * @param clock the time that a {@code Retry-After} date is compared with
	 */
	public ClassificationChain(List<? extends FailureClassifier> classifiers, ClassificationRules rules, Clock clock) {
		this.rules = rules;
		this.asked.add(one("the failure itself", ClassificationChain::self));
		for (FailureClassifier classifier : classifiers) {
			this.asked.add(one(TopFrames.className(classifier.getClass().getName()), classifier));
		}
		this.asked.add(new Asked("rules", rules::ask));
		BuiltInClassifier builtIn = new BuiltInClassifier(clock);
		this.asked.add(new Asked(BuiltInClassifier.NAME,
				(failure, delivery, opinions) -> opinions.add(builtIn.step(failure))));
	}

	/**
	 * Classifies a failure, whatever happens: it never throws and never returns
	 * {@code null}.
	 * @param failure what the listener threw, wrappers of Spring AMQP included
	 * @param delivery what was being delivered
	 * @return the classification
	 */
	public FailureClassification classify(Throwable failure, FailedDelivery delivery) {
		return evaluate(failure, delivery).classification();
	}

	/**
	 * Classifies a failure as {@link #classify} does, and returns each step. Counts
	 * nothing.
	 * @param failure what the listener threw, wrappers of Spring AMQP included
	 * @param delivery what was being delivered
	 * @return the classification and how it came about
	 */
	public ClassificationResult evaluate(Throwable failure, FailedDelivery delivery) {
		List<ClassificationStep> opinions = new ArrayList<>();
		for (Asked source : this.asked) {
			source.ask(failure, delivery, opinions);
			@Nullable ClassificationStep last = opinions.isEmpty() ? null : opinions.get(opinions.size() - 1);
			if (last != null && last.outcome() == ClassificationStep.Outcome.CLASSIFIED
					&& last.classification() != null) {
				return new ClassificationResult(last.classification(), opinions);
			}
		}
		return new ClassificationResult(Classifications.UNKNOWN, opinions);
	}

	/**
	 * Counts a classification as a hit of the rules that made it, or would have. To be
	 * called once for a delivery.
	 * @param result what a delivery was decided by
	 */
	public void count(ClassificationResult result) {
		this.rules.count(result);
	}

	/**
	 * Where the rules look for a message's schema version.
	 * @return a header's name
	 */
	public String schemaVersionHeader() {
		return this.rules.schemaVersionHeader();
	}

	/**
	 * The rules as they apply.
	 * @return the rules, in order
	 */
	public List<ClassificationRules.Effective> rules() {
		return this.rules.inForce();
	}

	/** Failures that say themselves what they are. */
	private static Optional<FailureClassification> self(Throwable failure, FailedDelivery delivery) {
		return HypotheticalFailure.chain(failure)
			.stream()
			.filter(ClassifiedFailure.class::isInstance)
			.map((cause) -> ((ClassifiedFailure) cause).classification())
			.findFirst();
	}

	private static Asked one(String name, FailureClassifier classifier) {
		return new Asked(name, (failure, delivery, opinions) -> {
			@Nullable Optional<FailureClassification> answer = classifier.classify(failure, delivery);
			if (answer == null) {
				logger.warn(
						"%s returned null for a failure of %s; it must return an empty Optional for what it does not know"
							.formatted(classifier.getClass().getName(), delivery.messageType()));
			}
			opinions.add((answer != null && answer.isPresent())
					? ClassificationStep.answer(name, answer.get(), () -> "knows it") : ClassificationStep
						.passedOver(name, () -> (answer != null) ? "does not know it" : "returned null"));
		});
	}

	private record Asked(String name, Source source) {

		void ask(Throwable failure, FailedDelivery delivery, List<ClassificationStep> opinions) {
			int before = opinions.size();
			try {
				this.source.ask(failure, delivery, opinions);
			}
			catch (Throwable ex) {
				opinions.subList(before, opinions.size()).clear();
				opinions.add(ClassificationStep.passedOver(this.name, () -> "threw " + ex.getClass().getName()));
				// its message is not logged: it may quote the payload
				StackTraceElement[] frames = TopFrames.trace(ex);
				logger.warn("%s threw %s at %s for a failure of %s; trying the next classifier".formatted(this.name,
						ex.getClass().getName(), (frames.length > 0) ? frames[0] : "an unknown place",
						delivery.messageType()));
			}
		}

	}

	/** Adds opinions; the last one is its answer, if it has one. */
	@FunctionalInterface
	private interface Source {

		void ask(Throwable failure, FailedDelivery delivery, List<ClassificationStep> opinions);

	}

}
