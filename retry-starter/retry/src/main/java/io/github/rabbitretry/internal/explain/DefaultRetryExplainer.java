/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.classify.ClassificationStep;
import io.github.rabbitretry.internal.classify.HypotheticalFailure;
import io.github.rabbitretry.internal.configuration.ChainAssembler;
import io.github.rabbitretry.internal.configuration.PolicyAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.invocation.InfrastructureFailures;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.AttemptHistory;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.core.env.Environment;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Asks the classification and the decider of the listeners, without listeners or rule
 * counts.
 */
public final class DefaultRetryExplainer implements RetryExplainer {

	private final MessagePolicies policies;

	private final ClassificationChain classification;

	private final InstantSource clock;

	private final Decider earliest = new Decider(new JitterBounds(false));

	private final Decider latest = new Decider(new JitterBounds(true));

	/**
	 * Creates the explainer.
	 * @param policies all policies
	 * @param classification says what failures are
	 * @param clock what time it is
	 */
	public DefaultRetryExplainer(MessagePolicies policies, ClassificationChain classification, InstantSource clock) {
		this.policies = policies;
		this.classification = classification;
		this.clock = clock;
	}

	/**
	 * Explains what a configuration would decide, without an application and without a
	 * broker. The configuration is checked as at a start.
	 * @param environment what has the properties below {@code rabbit-retry}
	 * @param classifiers the application's classifiers, in order
	 * @param classLoader what loads the exception classes of rules, or {@code null} for
	 * the default one
	 * @param clock what time it is
	 * @return the explainer
	 * @throws InvalidConfigurationException if the configuration would fail startup
	 */
	public static DefaultRetryExplainer of(Environment environment, List<FailureClassifier> classifiers,
			@Nullable ClassLoader classLoader, Clock clock) {
		RabbitRetryProperties properties = RabbitRetryProperties.bind(environment);
		MessagePolicies policies = new PolicyAssembler(properties, environment).assemble();
		return new DefaultRetryExplainer(policies,
				new ChainAssembler(properties.classification(), policies, classLoader).assemble(classifiers, clock),
				clock);
	}

	@Override
	public Explanation explain(FailedMessage message) {
		MessagePolicy policy = policy(message.messageType());
		Instant now = this.clock.instant();
		MessageProperties properties = cameBack(message, policy, now);
		DeliveryHistory history = DeliveryHistory.read(properties.getHeaders(), now);
		Throwable failure = asThrown(message, properties);
		ClassificationResult result = this.classification.evaluate(failure,
				new FailedDelivery(policy.messageType(), history.attempt(), properties));
		List<Explanation.Step> steps = new ArrayList<>();
		Decision decision = decide(policy, history, failure, result.classification(), now, steps);
		return new Explanation(policy.messageType(), message.failure().getClass().getName(), history.attempt(),
				policy.brokerAttempts(), result.opinions().stream().map(DefaultRetryExplainer::asked).toList(),
				result.classification(), steps, decision,
				waiting(policy, history, result.classification(), now, decision),
				AttemptHistory.lines(Objects.toString(properties.getHeader(AppHeaders.RETRY_HISTORY), null)));
	}

	/**
	 * The policies that it explains.
	 * @return all of them
	 */
	public MessagePolicies policies() {
		return this.policies;
	}

	@Override
	public List<String> messageTypes() {
		return this.policies.all().stream().map(MessagePolicy::messageType).toList();
	}

	private static Explanation.Asked asked(ClassificationStep step) {
		return new Explanation.Asked(step.from(), Explanation.Outcome.valueOf(step.outcome().name()),
				step.classification(), step.why().get());
	}

	private @Nullable Decision decide(MessagePolicy policy, DeliveryHistory history, Throwable failure,
			FailureClassification what, Instant now, List<Explanation.Step> steps) {
		Optional<Decision> refusal = this.earliest.admit(policy, history, what, now);
		if (history.retried() || history.notBefore() != null) {
			steps.add(new Explanation.Step("admission", refusal.isPresent(),
					refusal.isPresent() ? "the handler is not even called" : "the handler is called"));
		}
		if (refusal.isPresent()) {
			return refusal.get();
		}
		if (InfrastructureFailures.asksForAcknowledgement(failure)) {
			steps.add(new Explanation.Step("exception", true,
					"ImmediateAcknowledgeAmqpException has the delivery acknowledged"));
			return null;
		}
		boolean again = policy.localAttempts() > 1 && this.earliest.handlesAgainAtOnce(policy, history, what);
		steps.add(new Explanation.Step("local-attempts", false,
				again ? "the handler is called %s times, %s apart".formatted(policy.localAttempts(),
						DurationFormatterUtils.print(policy.localDelay(), Style.COMPOSITE))
						: "the handler is called once"));
		return this.earliest.decide(policy, history, what, now,
				(check, ends, values) -> steps.add(new Explanation.Step(check, ends, values.get())));
	}

	private Explanation.@Nullable Waiting waiting(MessagePolicy policy, DeliveryHistory history,
			FailureClassification what, Instant now, @Nullable Decision decision) {
		if (!(decision instanceof Decision.Retry first)) {
			return null;
		}
		Decision last = this.latest.decide(policy, history, what, now);
		// at the end of the window an age or a sum may be exceeded
		Duration longest = (last instanceof Decision.Retry retry) ? retry.delay() : first.delay();
		TreeSet<Duration> delays = new TreeSet<>(List.of(longest));
		delays.add(first.delay());
		List<DelayRoute> routes = delays.stream().map(policy.topology()::route).distinct().toList();
		return new Explanation.Waiting(first.delay(), longest, routes);
	}

	private MessagePolicy policy(String messageType) {
		return this.policies.all()
			.stream()
			.filter((policy) -> policy.messageType().equals(messageType))
			.findFirst()
			.orElseThrow(() -> new UnknownMessageTypeException(messageType, messageTypes()));
	}

	/** What the message would have come back with. */
	private static MessageProperties cameBack(FailedMessage message, MessagePolicy policy, Instant now) {
		MessageProperties properties = new MessageProperties();
		properties.getHeaders().putAll(message.headers());
		properties.setConsumerQueue(policy.queue());
		Integer attempt = message.attempt();
		if (attempt != null) {
			properties.setHeader(AppHeaders.RETRY_ATTEMPT, attempt);
		}
		if (attempt != null && attempt > 0) {
			Duration waited = waited(policy, attempt);
			properties.getHeaders().putIfAbsent(AppHeaders.RETRY_LEVEL, attempt);
			properties.getHeaders().putIfAbsent(AppHeaders.CUMULATIVE_DELAY, waited.toMillis());
			properties.getHeaders().putIfAbsent(AppHeaders.FIRST_FAILURE_AT, now.minus(waited).toString());
		}
		if (message.age() != null) {
			properties.setHeader(AppHeaders.FIRST_FAILURE_AT, now.minus(message.age()).toString());
		}
		return properties;
	}

	/** The sum of the shortest delays before the attempts made. */
	private static Duration waited(MessagePolicy policy, int attempts) {
		Duration sum = Duration.ZERO;
		for (int attempt = 1; attempt <= Math.min(attempts, policy.brokerAttempts()); attempt++) {
			sum = sum.plus(policy.delays().level(attempt).delay());
		}
		return sum;
	}

	/** As a classifier gets it: wrapped, unless it is wrapped already. */
	private static Throwable asThrown(FailedMessage message, MessageProperties properties) {
		return (message.failure() instanceof ListenerExecutionFailedException wrapped) ? wrapped
				: new HypotheticalFailure(message.failure(), properties).with(message.httpStatus(), message.sqlState());
	}

	/** Draws the first or the last of whatever there is to draw from. */
	private record JitterBounds(boolean last) implements RandomGenerator {

		@Override
		public int nextInt(int bound) {
			return this.last ? bound - 1 : 0;
		}

		@Override
		public long nextLong() {
			throw new UnsupportedOperationException("a delay is drawn from a list of levels");
		}

	}

}
