/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import io.github.rabbitretry.parking.replay.Taken;
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

	private static final int DEFAULT_PAGE = 50;

	private final ParkedMessageSource parked;

	private final @Nullable ParkedMessageService service;

	private final PayloadAccess payloads;

	/**
	 * Creates the endpoint.
	 * @param parked finds messages
	 * @param service changes the ledger, or {@code null} if there is none
	 * @param payloads decides who sees payloads
	 */
	public ParkingLotEndpoint(ParkedMessageSource parked, @Nullable ParkedMessageService service,
			PayloadAccess payloads) {
		this.parked = parked;
		this.service = service;
		this.payloads = payloads;
	}

	/**
	 * {@code GET /}: a page of messages.
	 * @param request a filter, {@code size}, {@code after}, {@code count}
	 * @return the page
	 */
	@ReadOperation
	Object list(EndpointRequest request) {
		ParkedFilter filter = FilterArguments.search(request);
		int size = (int) request.number("size", 1, Ledger.LARGEST_PAGE, DEFAULT_PAGE);
		ParkedPage.PageKey after = after(request);
		boolean count = request.flag("count");
		request.done();
		ParkedMessageSource.View view = this.parked.view(filter, Set.of());
		ParkedPage page = view.ledger().search(filter, after, size);
		return new ParkedListing(page.messages(), (page.next() != null) ? page.next().toString() : null,
				count ? view.ledger().count(filter) : null, view.windows(), view.note());
	}

	private static ParkedPage.@Nullable PageKey after(EndpointRequest request) {
		String text = request.text("after");
		try {
			return (text != null) ? ParkedPage.PageKey.parse(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid("'after' is not what a page named as 'next'.");
		}
	}

	/**
	 * {@code GET /groups}: messages by cause, or {@code GET /<id>}: one message.
	 * @param selected {@code groups} or an id
	 * @param request a filter, {@code size} and {@code newSince} for groups;
	 * {@code queue} and {@code payload} for one message
	 * @return the groups or the message
	 */
	@ReadOperation
	Object find(@Selector String selected, EndpointRequest request) {
		return selected.equals("groups") ? groups(request) : show(id(selected), request);
	}

	private ParkedGroups groups(EndpointRequest request) {
		ParkedFilter filter = FilterArguments.search(request);
		int size = (int) request.number("size", 1, Ledger.LARGEST_PAGE, DEFAULT_PAGE);
		String newSince = request.text("newSince");
		request.done();
		if (newSince != null && !this.parked.inLedger()) {
			throw EndpointException.invalid("'newSince' needs a ledger: without one there is no history.");
		}
		ParkedMessageSource.View view = this.parked.view(filter, Set.of());
		if (newSince != null) {
			return ParkedGroups.newSince(view.ledger(), filter, newSince, size);
		}
		return new ParkedGroups(view.ledger().groups(filter, size), view.windows(), view.note());
	}

	private ParkedDetails show(long id, EndpointRequest request) {
		String queue = request.text("queue");
		boolean payload = request.flag("payload");
		request.done();
		if (payload && !this.payloads.shown(request.security())) {
			throw EndpointException
				.forbidden("Payloads are not shown here. management.endpoint.parkinglot.show-payload is '%s'."
					.formatted(this.payloads.setting()));
		}
		ParkedMessageSource.View view = this.parked
			.view((queue != null) ? ParkedFilter.ALL.withQueue(queue) : ParkedFilter.ALL, Set.of(id));
		ParkedMessage message = view.ledger()
			.find(id)
			.orElseThrow(() -> EndpointException.unknown("There is no parked message %d%s.".formatted(id,
					(view.windows() != null) ? " in the windows that were looked at" : "")));
		Taken taken = (this.service != null && this.parked.inLedger()) ? this.service.taken(id) : Taken.BY_NOBODY;
		return ParkedDetails.of(message, payload, taken, view);
	}

	/**
	 * {@code POST /discard}: discards many, or {@code POST /restore}: parks them again.
	 * @param selected {@code discard} or {@code restore}
	 * @param request a filter or ids, {@code maximum}, {@code expect} or {@code token},
	 * {@code dryRun}, who and why; {@code takeReserved} to discard what a replay has
	 * selected; {@code discard}, the audit's entry, to restore what that act discarded
	 * @return how many
	 */
	@WriteOperation
	Object write(@Selector String selected, EndpointRequest request) {
		return switch (selected) {
			case "discard" -> discardMany(request);
			case "restore" -> restore(request);
			default -> throw EndpointException.unknown("Unknown operation. Supported: discard, restore.");
		};
	}

	private DiscardResponse discardMany(EndpointRequest request) {
		Selection selection = FilterArguments.selection(request);
		Bounds bounds = bounds(request, selection.ids().size());
		boolean takeReserved = request.flag("takeReserved");
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		return discard(
				new DiscardRequest(selection, bounds.maximum, bounds.dryRun, act, bounds.expected, takeReserved));
	}

	private RestoreResponse restore(EndpointRequest request) {
		Long discard = request.number("discard");
		Selection selection = FilterArguments.selection(request, discard != null);
		// what one act discarded is known by its number
		Bounds bounds = bounds(request, (discard != null) ? Integer.MAX_VALUE : selection.ids().size());
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		this.parked.requireLedger();
		return RestoreResponse.of(service()
			.restore(new RestoreRequest(selection, discard, bounds.maximum, bounds.dryRun, act, bounds.expected)));
	}

	/** Who names messages has said how many. */
	private static Bounds bounds(EndpointRequest request, int named) {
		Long maximum = request.number("maximum");
		boolean dryRun = request.flag("dryRun");
		Expectation expected = ExpectationArguments.of(request);
		if (named == 0 && !dryRun) {
			ExpectationArguments.require(expected);
		}
		long most = ExpectationArguments.maximum(expected);
		return new Bounds((maximum != null) ? maximum : (named > 0) ? Math.min(named, most) : most, dryRun, expected);
	}

	/**
	 * {@code DELETE /<id>}: discards one.
	 * @param selected its id
	 * @param request {@code queue}, {@code takeReserved}, who and why
	 * @return how many: one
	 */
	@DeleteOperation
	Object discardOne(@Selector String selected, EndpointRequest request) {
		long id = id(selected);
		String queue = request.text("queue");
		boolean takeReserved = request.flag("takeReserved");
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		ParkedFilter filter = (queue != null) ? ParkedFilter.ALL.withQueue(queue) : ParkedFilter.ALL;
		DiscardResponse answer = discard(
				new DiscardRequest(new Selection(filter, List.of(id)), 1, false, act, null, takeReserved));
		if (answer.discarded() == 0) {
			throw EndpointException.unknown("There is no parked message %d, or it is no longer parked.".formatted(id));
		}
		return answer;
	}

	private DiscardResponse discard(DiscardRequest request) {
		this.parked.requireLedger();
		return DiscardResponse.of(service().discard(request));
	}

	private ParkedMessageService service() {
		if (this.service == null) {
			throw EndpointException
				.forbidden("This application does not discard: rabbit-retry.replay.enabled is false.");
		}
		return this.service;
	}

	private static long id(String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw EndpointException.unknown("That is no id of a parked message: ids are numbers.");
		}
	}

	/**
	 * How much an act may do.
	 *
	 * @param maximum the most messages
	 * @param dryRun whether it is only tried
	 * @param expected how many there may be
	 */
	private record Bounds(long maximum, boolean dryRun, @Nullable Expectation expected) {
	}

}
