/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.OutboundMessageCheck;
import io.github.rabbitretry.internal.parking.replay.ReplayCopy;
import io.github.rabbitretry.internal.parking.replay.ReplayListener;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.replay.OperatorAction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publishes copies to the work queues, and acknowledges what the broker confirmed.
 */
final class WindowReplay implements WindowAction {

	private static final Log logger = LogFactory.getLog(WindowReplay.class);

	private final String id;

	private final OperatorAction act;

	private final Function<MessagePolicy, ConfirmedPublisher> publishers;

	private final Duration patience;

	private final ReplayListener events;

	private final WindowAudit audit;

	private List<WindowMessage> unconfirmed = List.of();

	WindowReplay(String id, OperatorAction act, Function<MessagePolicy, ConfirmedPublisher> publishers,
			Duration patience, ReplayListener events, WindowAudit audit) {
		this.id = id;
		this.act = act;
		this.publishers = publishers;
		this.patience = patience;
		this.events = events;
		this.audit = audit;
	}

	@Override
	public Optional<String> objection(MessagePolicy policy, WindowMessage message) {
		try {
			return copy(policy, message)
				.map((copy) -> OutboundMessageCheck.problem(copy, message.held().acknowledgement().frameMax()))
				.orElse(Optional.of("its headers leave no room for those of a replay, or its body is not known"));
		}
		catch (RuntimeException | StackOverflowError ex) {
			return Optional.of("no copy can be made of it (%s)".formatted(ex.getClass().getName()));
		}
	}

	@Override
	public List<WindowMessage> apply(MessagePolicy policy, List<WindowMessage> messages) {
		this.audit.begins("replay", policy, messages.size());
		PendingCopies<WindowMessage> copies = new PendingCopies<>();
		List<WindowMessage> submitted = submit(policy, messages, copies);
		List<WindowMessage> confirmed = copies.await(this.patience);
		this.unconfirmed = WindowMessage.without(submitted, confirmed);
		if (!confirmed.isEmpty()) {
			this.events.published(policy.messageType(), confirmed.size());
		}
		return confirmed;
	}

	/**
	 * After any failure no more is published; what was is waited for.
	 * @return the messages of which a copy may have been published
	 */
	private List<WindowMessage> submit(MessagePolicy policy, List<WindowMessage> messages,
			PendingCopies<WindowMessage> copies) {
		ConfirmedPublisher publisher = this.publishers.apply(policy);
		List<WindowMessage> submitted = new ArrayList<>();
		for (WindowMessage message : messages) {
			HandoverCallback callback = copies.begin(message);
			try {
				OutboundMessage copy = copy(policy, message).orElseThrow();
				submitted.add(message);
				publisher.submit(copy, message.held().acknowledgement(), callback).ifPresent((problem) -> {
					throw new IllegalStateException(problem);
				});
			}
			catch (Throwable ex) {
				callback.abandoned();
				logger.error("The replay of messages of '%s' ends after %d of %d"
					.formatted(policy.topology().parkingLot(), submitted.size(), messages.size()), ex);
				return submitted;
			}
		}
		return submitted;
	}

	@Override
	public int ended(MessagePolicy policy, List<WindowMessage> removed, List<WindowMessage> unsure) {
		removed.forEach((message) -> this.audit.tell("replayed", policy, message, ""));
		unsure.forEach((message) -> this.audit.tell("replayed", policy, message,
				"; the broker did not confirm that it is parked no more, so that it may be replayed again"));
		this.unconfirmed.forEach((message) -> this.audit.tell("may have replayed", policy, message,
				"; its copy was not confirmed in time, and it is parked still"));
		int unknown = unsure.size() + this.unconfirmed.size();
		this.unconfirmed = List.of();
		return unknown;
	}

	private Optional<OutboundMessage> copy(MessagePolicy policy, WindowMessage message) {
		UnackedMessage held = message.held();
		return new ReplayCopy(this.id, this.act, held.acknowledgement().frameMax())
			.unfollowed(message.parked().summary(), held.properties(), held.body(), policy.topology().directRoute());
	}

}
