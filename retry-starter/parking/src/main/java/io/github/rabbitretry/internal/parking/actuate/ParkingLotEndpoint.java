/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.internal.parking.replay.BodyReads;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * What is in the parking lots: listed, grouped, shown, discarded. Discarding is off
 * unless {@code management.endpoint.parkinglot.access} is {@code unrestricted}.
 */
@WebEndpoint(id = ParkingLotEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class ParkingLotEndpoint {

	/** The endpoint's id. */
	public static final String ID = "parkinglot";

	/** Who reads a body without a login. No name is asked for: a link could bring any. */
	private static final String ANONYMOUS = "anonymous";

	private final Ledger ledger;

	private final @Nullable ParkedMessageService service;

	private final PayloadAccess payloads;

	private final @Nullable BodyReads reads;

	private final OperatorRoles roles;

	/**
	 * Creates the endpoint.
	 * @param ledger finds messages
	 * @param service changes the ledger, or {@code null} if this application may not
	 * @param payloads decides who sees payloads
	 * @param reads records who saw them, or {@code null} where there is no audit
	 * @param roles decide who discards
	 */
	public ParkingLotEndpoint(Ledger ledger, @Nullable ParkedMessageService service, PayloadAccess payloads,
			@Nullable BodyReads reads, OperatorRoles roles) {
		this.ledger = ledger;
		this.service = service;
		this.payloads = payloads;
		this.reads = reads;
		this.roles = roles;
	}

	/**
	 * {@code GET /}: a page of messages.
	 * @param request as {@link ListArguments}
	 * @return the page
	 */
	@ReadOperation
	Object list(EndpointRequest request) {
		ListArguments arguments = request.as(ListArguments.class);
		ParkedFilter filter = arguments.filter.search(arguments.state);
		int size = arguments.page.limit();
		ParkedPage.PageKey after = arguments.key();
		ParkedPage page = this.ledger.search(filter,
				(arguments.order != null) ? arguments.order : ParkedPage.Order.NEWEST_FIRST, after, size);
		return new EndpointResponse.Messages(page.messages(), (page.next() != null) ? page.next().toString() : null,
				arguments.count ? this.ledger.count(filter) : null, discards(page.messages()));
	}

	private @Nullable Map<Long, AuditEntry> discards(List<ParkedSummary> messages) {
		List<Long> discarded = messages.stream()
			.filter((message) -> message.state() == ParkedState.DISCARDED)
			.map(ParkedSummary::id)
			.toList();
		return (discarded.isEmpty() || this.service == null) ? null : this.service.discards(discarded);
	}

	/**
	 * {@code GET /groups}: messages by cause or by an attribute, or {@code GET /<id>}:
	 * one message.
	 * @param selected {@code groups} or an id
	 * @param request as {@link GroupArguments} or {@link ShowArguments}
	 * @return the groups or the message
	 */
	@ReadOperation
	Object find(@Selector String selected, EndpointRequest request) {
		return selected.equals("groups") ? groups(request.as(GroupArguments.class))
				: show(id(selected), request.as(ShowArguments.class), request);
	}

	private EndpointResponse groups(GroupArguments arguments) {
		ParkedFilter filter = arguments.filter.search(arguments.state);
		int size = arguments.page.limit();
		if (arguments.by != null && (arguments.newSince != null || arguments.trend)) {
			throw EndpointException.invalid("'by' excludes 'newSince' and 'trend', which are about causes.");
		}
		if (arguments.by != null) {
			return new EndpointResponse.Totals(this.ledger.totals(filter, arguments.by, size));
		}
		EndpointResponse.Groups groups = (arguments.newSince != null)
				? EndpointResponse.Groups.newSince(this.ledger, filter, arguments.newSince, size)
				: new EndpointResponse.Groups(this.ledger.groups(filter, size), null, null);
		return arguments.trend ? new EndpointResponse.Groups(groups.groups(),
				this.ledger.trends(filter, groups.groups()), groups.note()) : groups;
	}

	private ParkedDetails show(long id, ShowArguments arguments, EndpointRequest request) {
		if (arguments.payload && !this.payloads.shown(request.security())) {
			throw EndpointException.forbidden(this.payloads.refusal());
		}
		ParkedMessage message = this.ledger.find(id)
			.orElseThrow(() -> EndpointException.unknown("There is no parked message %s.".formatted(id)));
		if (arguments.payload && this.reads != null) {
			this.reads.record(id, request.loggedIn() ? request.user(null) : ANONYMOUS);
		}
		ParkedMessageService.Removal removal = (this.service != null) ? this.service.removal(id)
				: ParkedMessageService.Removal.NONE;
		return ParkedDetails.of(message, arguments.payload, removal);
	}

	/**
	 * {@code POST /discard}: discards many, or {@code POST /restore}: parks them again.
	 * @param selected {@code discard} or {@code restore}
	 * @param request as {@link DiscardArguments} or {@link RestoreArguments}
	 * @return how many
	 */
	@WriteOperation
	Object write(@Selector String selected, EndpointRequest request) {
		return switch (selected) {
			case "discard" -> {
				DiscardArguments arguments = request.as(DiscardArguments.class);
				check(request, arguments.dryRun);
				yield discard(arguments.discard(request));
			}
			case "restore" -> {
				RestoreArguments arguments = request.as(RestoreArguments.class);
				check(request, arguments.dryRun);
				RestoreRequest restore = arguments.restore(request);
				yield EndpointResponse.Restore.of(ParkingErrors.require(this.service).restore(restore));
			}
			default -> throw EndpointException.unknown("Unknown operation. Supported: discard, restore.");
		};
	}

	/**
	 * {@code DELETE /<id>}: discards one.
	 * @param selected its id
	 * @param request as {@link DiscardOneArguments}
	 * @return how many: one
	 */
	@DeleteOperation
	Object discardOne(@Selector String selected, EndpointRequest request) {
		check(request, false);
		long id = id(selected);
		DiscardOneArguments arguments = request.as(DiscardOneArguments.class);
		EndpointResponse.Discard answer = discard(new DiscardRequest(new Selection(ParkedFilter.ALL, List.of(id)), 1,
				false, arguments.operator.act(request), null, arguments.takeReserved));
		if (answer.discarded() == 0) {
			throw EndpointException.unknown("There is no parked message %s, or it is no longer parked.".formatted(id));
		}
		return answer;
	}

	/** A dry run only reads. */
	private void check(EndpointRequest request, boolean dryRun) {
		if (!dryRun) {
			this.roles.mayDiscard(request);
		}
	}

	private EndpointResponse.Discard discard(DiscardRequest request) {
		return EndpointResponse.Discard.of(ParkingErrors.require(this.service).discard(request));
	}

	private static long id(String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw EndpointException.unknown("That is no id of a parked message: ids are numbers.");
		}
	}

	/** {@code after} is where the page before ended; {@code count} asks for the total. */
	record ListArguments(FilterArguments filter, @Nullable String state, PageArguments page,
			ParkedPage.@Nullable Order order, @Nullable String after, boolean count) {

		ParkedPage.@Nullable PageKey key() {
			try {
				return (this.after != null) ? ParkedPage.PageKey.parse(this.after) : null;
			}
			catch (IllegalArgumentException ex) {
				throw EndpointException.invalid("'after' is not what a page named as 'next'.");
			}
		}

	}

	/**
	 * {@code by} asks for totals by an attribute in place of causes; {@code newSince} is
	 * a handler version; {@code trend} asks when they were parked.
	 */
	record GroupArguments(FilterArguments filter, @Nullable String state, PageArguments page,
			FailureGroup.@Nullable Attribute by, @Nullable String newSince, boolean trend) {
	}

	/** {@code payload} asks for the body and all headers. */
	record ShowArguments(boolean payload) {
	}

	/** {@code takeReserved} means messages too that a replay has selected. */
	record DiscardOneArguments(boolean takeReserved, ActionArguments.OperatorArguments operator) {
	}

	/** {@code takeReserved} means messages too that a replay has selected. */
	record DiscardArguments(ActionArguments action, boolean dryRun, boolean takeReserved) {

		DiscardRequest discard(EndpointRequest request) {
			Selection selection = this.action.selection(false);
			int named = selection.ids().size();
			Expectation expected = this.action.expected(named == 0 && !this.dryRun);
			return new DiscardRequest(selection, this.action.maximum(named, expected), this.dryRun,
					this.action.act(request, this.dryRun), expected, this.takeReserved);
		}

	}

	/** {@code discard} is the audit's entry of what is to be restored. */
	record RestoreArguments(ActionArguments action, boolean dryRun, @Nullable Long discard) {

		RestoreRequest restore(EndpointRequest request) {
			Selection selection = this.action.selection(this.discard != null);
			// what one act discarded is known by its number
			int named = (this.discard != null) ? Integer.MAX_VALUE : selection.ids().size();
			Expectation expected = this.action.expected(named == 0 && !this.dryRun);
			return new RestoreRequest(selection, this.discard, this.action.maximum(named, expected), this.dryRun,
					this.action.act(request, this.dryRun), expected);
		}

	}

}
