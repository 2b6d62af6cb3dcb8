/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.message.Sha256;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * Discarding and editing in the database.
 */
public final class DefaultParkedMessageService implements ParkedMessageService {

	/** What is shown of a header's value in the audit, in bytes. */
	private static final int SHOWN = 200;

	private final ReplayStores stores;

	private final DiscardStore discards;

	private final Ledger ledger;

	private final MessagePolicies policies;

	private final ReplayWorker worker;

	private final boolean editEnabled;

	/**
	 * Creates the service.
	 * @param stores where jobs are
	 * @param ledger the parked messages
	 * @param policies the queues that can be replayed to
	 * @param worker works on jobs
	 * @param editEnabled whether messages may be edited
	 */
	public DefaultParkedMessageService(ReplayStores stores, Ledger ledger, MessagePolicies policies,
			ReplayWorker worker, boolean editEnabled) {
		this.stores = stores;
		this.discards = new DiscardStore(stores);
		this.ledger = ledger;
		this.policies = policies;
		this.worker = worker;
		this.editEnabled = editEnabled;
	}

	@Override
	public Discarded discard(DiscardRequest request) {
		return this.discards.discard(request);
	}

	@Override
	public Discarded restore(RestoreRequest request) {
		return this.discards.restore(request);
	}

	@Override
	public ParkedMessageService.Removal removal(long parkedId) {
		return this.stores.items().removal(parkedId);
	}

	@Override
	public Map<Long, AuditEntry> discards(Collection<Long> parkedIds) {
		return this.stores.audit().discards(parkedIds);
	}

	@Override
	public Set<Long> restorable(Collection<Long> auditIds) {
		return this.stores.audit().restorable(auditIds);
	}

	@Override
	public ReplayJob editAndReplay(EditRequest request) {
		if (!this.editEnabled) {
			throw ReplayRefusedException.disabled("Messages can't be edited here",
					"Set rabbit-retry.replay.edit-enabled to true if they may be.");
		}
		ParkedMessage message = this.ledger.find(request.parkedId())
			.orElseThrow(() -> ReplayRefusedException.unknown("parked message " + request.parkedId()));
		byte[] body = message.body();
		if (message.summary().state() != ParkedState.PARKED) {
			throw ReplayRefusedException.conflict(
					"Message %s is %s and no longer parked".formatted(request.parkedId(), message.summary().state()),
					"Only what is still parked can be replayed.");
		}
		if (body == null || !message.summary().payload().replayable()) {
			throw ReplayRefusedException.conflict(
					"The body of message %s is masked or not stored".formatted(request.parkedId()),
					"It can't be replayed from the ledger.");
		}
		if (this.policies.ofQueue(message.summary().queue()).isEmpty()) {
			throw ReplayRefusedException.conflict("Queue '%s' has no policy here".formatted(message.summary().queue()),
					ReplaySelections.NO_POLICY + "replay it unedited, to a target.");
		}
		ReplayJob job = this.stores.tables().selecting(() -> create(request, message, body));
		this.worker.wakeUp();
		return job;
	}

	private ReplayJob create(EditRequest request, ParkedMessage message, byte[] before) {
		this.stores.tables().lockSelections();
		Instant now = this.stores.clock().instant();
		Selection selection = Selection.of(List.of(request.parkedId()));
		StoredJob job = this.stores.jobs()
			.create(selection.toString(), ReplayOptions.unthrottled(1), request.act(), true, now);
		ParkedSelection one = new ParkedSelection(selection.filter()).among(selection.ids());
		List<Preview.Reservation> reservations = request.takeReserved() ? List.of()
				: this.stores.previews().reservations(one);
		if (!reservations.isEmpty()) {
			throw Previews.allReserved(reservations);
		}
		if (this.stores.items()
			.select(job.id(), new ParkedSelection(selection.filter()).among(selection.ids()), 1) == 0) {
			throw ReplayRefusedException.conflict("Message %s is no longer parked".formatted(request.parkedId()),
					"Look at it again; it has changed meanwhile.");
		}
		String messageId = UUID.randomUUID().toString();
		byte[] body = (request.body() != null) ? request.body() : before;
		this.stores.contents()
			.keep(job, request.parkedId(), edited(AmqpPropertiesCodec.properties(message), request, messageId), body);
		this.stores.audit()
			.add(AuditEntry.Action.EDIT, request.act(), new JdbcAuditLog.Facts(job.selection(), job.replayId(), 1, null,
					difference(message, request, messageId, before, body)));
		return job.view(this.stores.items().counts(job.id()));
	}

	private static BasicProperties edited(BasicProperties before, EditRequest request, String messageId) {
		Map<String, Object> headers = (before.getHeaders() != null) ? new HashMap<>(before.getHeaders())
				: new HashMap<>();
		headers.keySet().removeAll(request.removeHeaders());
		headers.putAll(request.setHeaders());
		if (before.getMessageId() != null) {
			headers.put(ReplayHeaders.EDITED_MESSAGE_ID, before.getMessageId());
		}
		return before.builder().headers(headers).messageId(messageId).build();
	}

	private static String difference(ParkedMessage message, EditRequest request, String messageId, byte[] before,
			byte[] after) {
		Map<String, @Nullable Object> headers = message.headers();
		List<String> lines = new ArrayList<>();
		lines.add("message id: %s -> %s".formatted(message.properties().messageId(), messageId));
		if (request.body() != null) {
			lines.add("body: %s bytes, SHA-256 %s -> %s bytes, SHA-256 %s".formatted(before.length, Sha256.hex(before),
					after.length, Sha256.hex(after)));
		}
		new TreeMap<>(request.setHeaders()).forEach((name, value) -> lines
			.add("header %s: %s -> %s".formatted(name, shown(headers.get(name)), shown(value))));
		new TreeSet<>(request.removeHeaders())
			.forEach((name) -> lines.add("header %s: %s -> none".formatted(name, shown(headers.get(name)))));
		return String.join("\n", lines);
	}

	private static String shown(@Nullable Object value) {
		return (value != null) ? HeaderText.bounded(value.toString().replace('\u0000', '\uFFFD'), SHOWN) : "none";
	}

}
