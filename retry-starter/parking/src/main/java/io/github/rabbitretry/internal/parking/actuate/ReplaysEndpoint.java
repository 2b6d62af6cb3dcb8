/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Replays: tried, started, followed, paused, resumed, aborted. All but trying and
 * following is off unless {@code management.endpoint.replays.access} is
 * {@code unrestricted}.
 */
@WebEndpoint(id = ReplaysEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class ReplaysEndpoint {

	/** The endpoint's id. */
	public static final String ID = "replays";

	private static final int DEFAULT_PAGE = 50;

	private final ParkedMessageSource parked;

	private final @Nullable ReplayServices jobs;

	private final PayloadAccess payloads;

	/**
	 * Creates the endpoint.
	 * @param parked finds messages
	 * @param jobs runs replays, or {@code null} if there is no ledger
	 * @param payloads decides who sees payloads, and so who edits them
	 */
	public ReplaysEndpoint(ParkedMessageSource parked, @Nullable ReplayServices jobs, PayloadAccess payloads) {
		this.parked = parked;
		this.jobs = jobs;
		this.payloads = payloads;
	}

	/**
	 * {@code GET /}: the last replays.
	 * @param request {@code state}, {@code size}
	 * @return the replays
	 */
	@ReadOperation
	Object list(EndpointRequest request) {
		ReplayJob.State state = request.oneOf("state", ReplayJob.State.class);
		int size = (int) request.number("size", 1, ReplayService.LARGEST_PAGE, DEFAULT_PAGE);
		request.done();
		if (this.jobs == null && !this.parked.inLedger()) {
			return new EndpointResponse.Jobs(List.of(), ParkedMessageSource.WITHOUT_LEDGER);
		}
		return new EndpointResponse.Jobs(jobs().service().jobs(state, size).stream().map(JobResponse::of).toList(),
				null);
	}

	/**
	 * {@code GET /dry-run}, {@code GET /audit} or {@code GET /<replay>}.
	 * @param selected which
	 * @param request the arguments of each
	 * @return what a replay would do, what was done, or one replay
	 */
	@ReadOperation
	Object find(@Selector String selected, EndpointRequest request) {
		return switch (selected) {
			case "dry-run" -> dryRun(request);
			case "audit" -> audit(request);
			default -> {
				request.done();
				yield JobResponse.of(jobs().service().job(selected));
			}
		};
	}

	private EndpointResponse dryRun(EndpointRequest request) {
		ReplayRequest replay = replay(request, true);
		this.parked.requireLedger();
		return new EndpointResponse.Tried(jobs().service().dryRun(replay));
	}

	private static ReplayRequest replay(EndpointRequest request, boolean dryRun) {
		String uncertainOf = request.text("uncertainOf");
		String restOf = request.text("restOf");
		boolean ofReplay = uncertainOf != null || restOf != null;
		Selection selection = FilterArguments.selection(request, ofReplay);
		int ids = selection.ids().size();
		Expectation expected = ExpectationArguments.of(request);
		if (ids == 0 && !ofReplay && !dryRun) {
			ExpectationArguments.require(expected);
		}
		long most = ExpectationArguments.maximum(expected);
		ReplayOptions options = ReplayArguments.options(request, (ids > 0) ? Math.min(ids, most) : most);
		boolean takeReserved = request.flag("takeReserved");
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		return new ReplayRequest(selection, options, act, uncertainOf, restOf, expected, takeReserved);
	}

	private EndpointResponse audit(EndpointRequest request) {
		String replayId = request.text("replayId");
		Long before = request.number("before");
		int size = (int) request.number("size", 1, AuditLog.LARGEST_PAGE, DEFAULT_PAGE);
		request.done();
		List<AuditEntry> entries = jobs().audit().entries(replayId, before, size);
		return new EndpointResponse.Audit(entries, (entries.size() == size) ? entries.get(size - 1).id() : null);
	}

	/**
	 * {@code GET /<replay>/messages}: what became of each message.
	 * @param selected the replay
	 * @param part {@code messages}
	 * @param request {@code state}, {@code after}, {@code size}
	 * @return a page of messages
	 */
	@ReadOperation
	Object items(@Selector String selected, @Selector String part, EndpointRequest request) {
		if (!part.equals("messages")) {
			throw EndpointException.unknown("Unknown part of a replay. Supported: messages.");
		}
		ReplayItem.State state = request.oneOf("state", ReplayItem.State.class);
		long after = request.number("after", 0, Long.MAX_VALUE, 0);
		int size = (int) request.number("size", 1, ReplayService.LARGEST_PAGE, DEFAULT_PAGE);
		request.done();
		List<ReplayItem> items = jobs().service().items(selected, state, after, size);
		return new EndpointResponse.Items(items, (items.size() == size) ? items.get(size - 1).sequence() : null);
	}

	/**
	 * {@code POST /}: begins a replay.
	 * @param request a filter or ids, {@code expect} or {@code token}, how, who and why;
	 * {@code uncertainOf} for what a replay perhaps published, {@code restOf} for what it
	 * did not, {@code takeReserved} for what another replay has selected too
	 * @return the replay
	 */
	@WriteOperation
	Object start(EndpointRequest request) {
		ReplayRequest replay = replay(request, false);
		this.parked.requireLedger();
		return JobResponse.of(jobs().service().start(replay));
	}

	/**
	 * {@code POST /edit}: edits one message and replays it.
	 * @param selected {@code edit}
	 * @param request {@code id}, {@code body} or {@code bodyBase64}, headers, who and why
	 * @return the replay
	 */
	@WriteOperation
	Object write(@Selector String selected, EndpointRequest request) {
		if (!selected.equals("edit")) {
			throw EndpointException.unknown("Unknown operation. Supported: edit.");
		}
		EditRequest edit = ReplayArguments.edit(request);
		request.done();
		if (!this.payloads.shown(request.security())) {
			throw EndpointException.forbidden(
					"Editing a message requires permission to read its payload. management.endpoint.parkinglot.show-payload is '%s'."
						.formatted(this.payloads.setting()));
		}
		return JobResponse.of(jobs().messages().editAndReplay(edit));
	}

	/**
	 * {@code POST /<replay>/pause}, {@code resume}, {@code abort}, {@code restore} or
	 * {@code rate}.
	 * @param selected the replay
	 * @param action what to do with it
	 * @param request who and why; {@code withoutCanary} to resume; {@code rate}, and
	 * perhaps {@code ramp}, for another rate
	 * @return the replay
	 */
	@WriteOperation
	Object control(@Selector String selected, @Selector String action, EndpointRequest request) {
		if (action.equals("rate")) {
			return rate(selected, request);
		}
		boolean withoutCanary = action.equals("resume") && request.flag("withoutCanary");
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		ReplayService service = jobs().service();
		return JobResponse.of(switch (action) {
			case "pause" -> service.pause(selected, act);
			case "resume" -> withoutCanary ? service.resumeWithoutCanary(selected, act) : service.resume(selected, act);
			case "abort" -> service.abort(selected, act);
			case "restore" -> service.restore(selected, act);
			default ->
				throw EndpointException.unknown("Unknown operation. Supported: pause, resume, abort, restore, rate.");
		});
	}

	private JobResponse rate(String replayId, EndpointRequest request) {
		Double rate = ReplayArguments.rate(request, request.required("rate"));
		Duration ramp = request.duration("ramp");
		OperatorAction act = OperatorArguments.of(request);
		request.done();
		return JobResponse.of(jobs().service().changeRate(replayId, rate, (ramp != null) ? ramp : Duration.ZERO, act));
	}

	private ReplayServices jobs() {
		if (this.jobs != null) {
			return this.jobs;
		}
		throw this.parked.inLedger()
				? EndpointException.forbidden("This application does not replay: rabbit-retry.replay.enabled is false.")
				: EndpointException.unknown(ParkedMessageSource.NEEDS_LEDGER);
	}

}
