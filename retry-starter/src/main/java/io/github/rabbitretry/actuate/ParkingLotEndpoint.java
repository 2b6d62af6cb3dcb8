/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

import java.util.List;
import java.util.Set;

import io.github.rabbitretry.ledger.FailureGroup;
import io.github.rabbitretry.ledger.Ledger;
import io.github.rabbitretry.ledger.PageKey;
import io.github.rabbitretry.ledger.ParkedFilter;
import io.github.rabbitretry.ledger.ParkedMessage;
import io.github.rabbitretry.ledger.ParkedPage;
import io.github.rabbitretry.replay.Act;
import io.github.rabbitretry.replay.DiscardRequest;
import io.github.rabbitretry.replay.ParkedMessageService;
import io.github.rabbitretry.replay.Selection;
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

	static final String ID = "parkinglot";

	private static final int DEFAULT_PAGE = 50;

	private final ParkedMessages parked;

	private final @Nullable ParkedMessageService service;

	private final PayloadAccess payloads;

	/**
	 * Creates the endpoint.
	 * @param parked finds messages
	 * @param service changes the ledger, or {@code null} if there is none
	 * @param payloads decides who sees payloads
	 */
	public ParkingLotEndpoint(ParkedMessages parked, @Nullable ParkedMessageService service, PayloadAccess payloads) {
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
		PageKey after = after(request);
		boolean count = request.flag("count");
		request.done();
		ParkedMessages.View view = this.parked.view(filter, Set.of());
		ParkedPage page = view.ledger().search(filter, after, size);
		return new ParkedListing(page.messages(), (page.next() != null) ? page.next().toString() : null,
				count ? view.ledger().count(filter) : null, view.windows(), view.note());
	}

	private static @Nullable PageKey after(EndpointRequest request) {
		String text = request.text("after");
		try {
			return (text != null) ? PageKey.parse(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw Refusal.invalid("'after' is not what a page named as 'next'.");
		}
	}

	/**
	 * {@code GET /groups}: messages by fingerprint, or {@code GET /<id>}: one message.
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
			throw Refusal.invalid("'newSince' needs a ledger: without one there is no history.");
		}
		ParkedMessages.View view = this.parked.view(filter, Set.of());
		List<FailureGroup> groups = (newSince != null) ? view.ledger().groupsNewSince(filter, newSince, size)
				: view.ledger().groups(filter, size);
		return new ParkedGroups(groups, view.windows(), view.note());
	}

	private ParkedDetails show(long id, EndpointRequest request) {
		String queue = request.text("queue");
		boolean payload = request.flag("payload");
		request.done();
		if (payload && !this.payloads.shown(request.security())) {
			throw Refusal.forbidden("Payloads are not shown here. management.endpoint.parkinglot.show-payload is '%s'."
				.formatted(this.payloads.setting()));
		}
		ParkedMessages.View view = this.parked
			.view((queue != null) ? ParkedFilter.ALL.withQueue(queue) : ParkedFilter.ALL, Set.of(id));
		ParkedMessage message = view.ledger()
			.find(id)
			.orElseThrow(() -> Refusal.unknown("There is no parked message %d%s.".formatted(id,
					(view.windows() != null) ? " in the windows that were looked at" : "")));
		return ParkedDetails.of(message, payload, view);
	}

	/**
	 * {@code POST /discard}: discards many.
	 * @param selected {@code discard}
	 * @param request a filter or ids, {@code maximum}, {@code dryRun}, who and why
	 * @return how many
	 */
	@WriteOperation
	Object write(@Selector String selected, EndpointRequest request) {
		if (!selected.equals("discard")) {
			throw Refusal.unknown("Nothing is done by that name. Known is 'discard'.");
		}
		Selection selection = FilterArguments.selection(request);
		Long maximum = request.number("maximum");
		boolean dryRun = request.flag("dryRun");
		Act act = request.act();
		request.done();
		if (maximum == null && selection.ids().isEmpty()) {
			throw Refusal.invalid("'maximum' is missing: how many messages at most?");
		}
		return discard(
				new DiscardRequest(selection, (maximum != null) ? maximum : selection.ids().size(), dryRun, act));
	}

	/**
	 * {@code DELETE /<id>}: discards one.
	 * @param selected its id
	 * @param request {@code queue}, who and why
	 * @return how many: one
	 */
	@DeleteOperation
	Object discardOne(@Selector String selected, EndpointRequest request) {
		long id = id(selected);
		String queue = request.text("queue");
		Act act = request.act();
		request.done();
		ParkedFilter filter = (queue != null) ? ParkedFilter.ALL.withQueue(queue) : ParkedFilter.ALL;
		DiscardAnswer answer = discard(new DiscardRequest(new Selection(filter, List.of(id)), 1, false, act));
		if (answer.discarded() == 0) {
			throw Refusal.unknown("There is no parked message %d, or it is no longer parked.".formatted(id));
		}
		return answer;
	}

	private DiscardAnswer discard(DiscardRequest request) {
		if (this.parked.inLedger()) {
			if (this.service == null) {
				throw Refusal.forbidden("This application does not discard: rabbit-retry.replay.enabled is false.");
			}
			return DiscardAnswer.of(this.service.discard(request));
		}
		return DiscardAnswer
			.of(this.parked.window().discard(request.selection(), request.maximum(), request.dryRun(), request.act()));
	}

	private static long id(String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw Refusal.unknown("That is no id of a parked message: ids are numbers.");
		}
	}

}
