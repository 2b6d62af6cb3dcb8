/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.configuration.Suggestion;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Says once, when the application is ready, what each policy can cost at worst, and which
 * policies have no listener.
 */
final class PolicySummary implements ApplicationListener<ApplicationReadyEvent> {

	private static final Log logger = LogFactory.getLog(PolicySummary.class);

	private final MessagePolicies policies;

	private final ManagedContainers containers;

	PolicySummary(MessagePolicies policies, ManagedContainers containers) {
		this.policies = policies;
		this.containers = containers;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		for (String recoverer : event.getApplicationContext()
			.getBeanNamesForType(MessageRecoverer.class, true, false)) {
			logger
				.warn(("MessageRecoverer bean '%s' is not called for queues with a message policy: what fails there is "
						+ "parked, in %s. Remove the bean unless other listeners use it")
					.formatted(recoverer,
							this.policies.all().stream().map((policy) -> policy.topology().parkingLot()).toList()));
		}
		this.policies.all().forEach((policy) -> {
			logger.info(summary(policy));
			if (policy.localAttempts() == 1 && this.containers.handlesBatches(policy)) {
				logger.info(("A listener of '%s' takes batches: if one fails, each message of it is handled once more, "
						+ "alone, so that it may be in two handler calls per delivery")
					.formatted(policy.messageType()));
			}
			if (!this.containers.handles(policy)) {
				logger.warn(
						"No managed listener container consumes queue '%s' of message policy '%s' in this application: its messages are not retried%s"
							.formatted(policy.queue(), policy.messageType(), otherQueue(policy)));
			}
		});
	}

	private String otherQueue(MessagePolicy policy) {
		if (policy.topology().formerQueues().stream().anyMatch((former) -> this.containers.consumes(former.queue()))) {
			return ". A listener consumes a former queue of the policy: name '%s' there instead"
				.formatted(policy.queue());
		}
		return Suggestion.of(policy.queue(), this.containers.unmanagedQueues())
			.map(". Did you mean '%s', which a listener consumes without a message policy?"::formatted)
			.orElse("");
	}

	static String summary(MessagePolicy policy) {
		String delays = IntStream.rangeClosed(1, Math.min(policy.brokerAttempts(), 20))
			.mapToObj((attempt) -> policy.delays()
				.bounds(attempt)
				.stream()
				.map(Object::toString)
				.collect(Collectors.joining("..")))
			.collect(Collectors.joining(", ", "[", (policy.brokerAttempts() > 20) ? ", ...]" : "]"));
		WorstCase worst = WorstCase.of(policy);
		String fitting = (worst.attemptsThatFit() == policy.brokerAttempts()) ? ""
				: "; of %s broker attempts only %s fit".formatted(policy.brokerAttempts(), worst.attemptsThatFit());
		String hours = (policy.hours() == null) ? "" : " within business hours";
		HandlerTime time = policy.handlerTime();
		String timeout = (time == null) ? ""
				: " of %s each".formatted(DurationFormatterUtils.print(time.timeout(), Style.COMPOSITE));
		OutageSettings outage = policy.outage();
		String probes = (outage == null) ? ""
				: ", and as probes while %s is down, %s to %s apart".formatted(outage.dependency(),
						DurationFormatterUtils.print(outage.probeInterval(), Style.COMPOSITE),
						DurationFormatterUtils.print(outage.maxProbeInterval(), Style.COMPOSITE));
		return "%s on queue '%s': at most %s handler calls%s per message (%s local x %s deliveries)%s, delays %s%s, %s in all, at most %s after the first failure%s, %s queues%s"
			.formatted(policy.messageType(), policy.queue(), worst.handlerCalls(), timeout, policy.localAttempts(),
					policy.brokerAttempts() + 1, probes, delays, hours,
					DurationFormatterUtils.print(worst.backoffDelays(), Style.COMPOSITE),
					DurationFormatterUtils.print(worst.longestLife(), Style.COMPOSITE), fitting, worst.queues(),
					policy.topology().hasLadder() ? ", %s of them shared by all policies"
						.formatted(worst.queues() - policy.topology().ownQueues().size()) : "");
	}

	/**
	 * What one message of a policy can cost before it is parked, all budgets multiplied.
	 *
	 * @param handlerCalls handler calls: local attempts times deliveries
	 * @param longestLife from the first failure to the last attempt, whatever is asked
	 * for
	 * @param backoffDelays the sum of the back-off's delays, jitter at its most, of the
	 * attempts that fit
	 * @param attemptsThatFit how many broker attempts the other budgets leave room for,
	 * if no other delays are requested and handling takes no time
	 * @param queues the queues that are there for the message type, the shared ones
	 * included
	 */
	record WorstCase(long handlerCalls, Duration longestLife, Duration backoffDelays, int attemptsThatFit, int queues) {

		/**
		 * Multiplies a policy's budgets.
		 * @param policy the policy
		 * @return its worst case
		 */
		static WorstCase of(MessagePolicy policy) {
			Duration bound = policy.budget().longestWait();
			Duration sum = Duration.ZERO;
			int fitting = 0;
			while (fitting < policy.brokerAttempts()) {
				Duration next = sum.plus(policy.delays().longest(fitting + 1));
				if (next.compareTo(bound) > 0) {
					break;
				}
				sum = next;
				fitting++;
			}
			return new WorstCase(policy.budget().worstCaseHandlerCalls(), policy.maxRetryAge(), sum, fitting,
					policy.topology().queues().size());
		}

	}

}
