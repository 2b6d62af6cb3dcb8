/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.EditRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
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

	/** As {@code Selection} spells them. */
	private static final Pattern CAUSES = Pattern.compile("cause=([0-9a-f]+(?:,[0-9a-f]+)*+)");

	private final @Nullable Services jobs;

	private final PayloadAccess payloads;

	private final OperatorRoles roles;

	/**
	 * Creates the endpoint.
	 * @param jobs runs replays, or {@code null} if this application may not
	 * @param payloads decides who sees payloads, and so who edits them
	 * @param roles decide who replays and who edits
	 */
	public ReplaysEndpoint(@Nullable Services jobs, PayloadAccess payloads, OperatorRoles roles) {
		this.jobs = jobs;
		this.payloads = payloads;
		this.roles = roles;
	}

	/**
	 * {@code GET /}: the last replays.
	 * @param request as {@link ListArguments}
	 * @return the replays
	 */
	@ReadOperation
	Object list(EndpointRequest request) {
		ListArguments arguments = request.as(ListArguments.class);
		int size = arguments.page.limit();
		List<ReplayJob> jobs = service().jobs(arguments.state, size);
		return new EndpointResponse.Jobs(jobs.stream().map(EndpointResponse.Job::of).toList(),
				causes(jobs.stream().map(ReplayJob::selection)));
	}

	/**
	 * {@code GET /dry-run}, {@code GET /audit} or {@code GET /<replay>}.
	 * @param selected which
	 * @param request as {@link ReplayArguments} or {@link AuditArguments}; none for a
	 * replay
	 * @return what a replay would do, what was done, or one replay
	 */
	@ReadOperation
	Object find(@Selector String selected, EndpointRequest request) {
		return switch (selected) {
			case "dry-run" -> {
				ReplayRequest replay = request.as(ReplayArguments.class).replay(request, true);
				yield new EndpointResponse.Tried(ParkingErrors.require(this.jobs).service().dryRun(replay));
			}
			case "audit" -> audit(request.as(AuditArguments.class));
			default -> {
				request.as(EndpointRequest.NoArguments.class);
				ReplayJob job = service().job(selected);
				yield EndpointResponse.Job.of(job).with(causes(Stream.of(job.selection())));
			}
		};
	}

	private EndpointResponse audit(AuditArguments arguments) {
		int size = arguments.page.limit();
		Services services = ParkingErrors.require(this.jobs);
		List<AuditEntry> entries = services.audit().entries(arguments.filter(), arguments.before, size);
		List<Long> discards = entries.stream()
			.filter((entry) -> entry.what() == AuditEntry.Action.DISCARD)
			.map(AuditEntry::id)
			.toList();
		return new EndpointResponse.Audit(entries, (entries.size() == size) ? entries.get(size - 1).id() : null,
				causes(entries.stream().map(AuditEntry::selection).filter(Objects::nonNull)),
				services.messages().restorable(discards));
	}

	/** So that people read a text where a selection has an id. */
	private List<FailureCause> causes(Stream<String> selections) {
		return ParkingErrors.require(this.jobs)
			.ledger()
			.causes(selections.flatMap((selection) -> CAUSES.matcher(selection).results())
				.flatMap((found) -> Stream.of(found.group(1).split(",")))
				.collect(Collectors.toSet()));
	}

	/**
	 * {@code GET /<replay>/messages}: what became of each message.
	 * @param selected the replay
	 * @param part {@code messages}
	 * @param request as {@link ItemArguments}
	 * @return a page of messages
	 */
	@ReadOperation
	Object items(@Selector String selected, @Selector String part, EndpointRequest request) {
		if (!part.equals("messages")) {
			throw EndpointException.unknown("Unknown part of a replay. Supported: messages.");
		}
		ItemArguments arguments = request.as(ItemArguments.class);
		int size = arguments.page.limit();
		long after = (arguments.after != null) ? arguments.after : 0;
		if (after < 0) {
			throw EndpointException.invalid("'after' is %s. It must be 0 or more.".formatted(after));
		}
		List<ReplayItem> items = service().items(selected, arguments.state, after, size);
		return new EndpointResponse.Items(items, (items.size() == size) ? items.get(size - 1).sequence() : null);
	}

	/**
	 * {@code POST /}: begins a replay.
	 * @param request as {@link ReplayArguments}
	 * @return the replay
	 */
	@WriteOperation
	Object start(EndpointRequest request) {
		this.roles.mayReplay(request);
		ReplayRequest replay = request.as(ReplayArguments.class).replay(request, false);
		return EndpointResponse.Job.of(ParkingErrors.require(this.jobs).service().start(replay));
	}

	/**
	 * {@code POST /edit}: edits one message and replays it.
	 * @param selected {@code edit}
	 * @param request as {@link EditArguments}
	 * @return the replay
	 */
	@WriteOperation
	Object write(@Selector String selected, EndpointRequest request) {
		if (!selected.equals("edit")) {
			throw EndpointException.unknown("Unknown operation. Supported: edit.");
		}
		this.roles.mayEdit(request);
		EditRequest edit = request.as(EditArguments.class).edit(request);
		if (!this.payloads.shown(request.security())) {
			throw EndpointException
				.forbidden("Editing a message requires permission to read its payload. " + this.payloads.refusal());
		}
		return EndpointResponse.Job.of(ParkingErrors.require(this.jobs).messages().editAndReplay(edit));
	}

	/**
	 * {@code POST /<replay>/pause}, {@code resume}, {@code abort}, {@code restore} or
	 * {@code rate}.
	 * @param selected the replay
	 * @param action what to do with it
	 * @param request as {@link ResumeArguments}, {@link RateArguments} or who and why
	 * @return the replay
	 */
	@WriteOperation
	Object control(@Selector String selected, @Selector String action, EndpointRequest request) {
		this.roles.mayReplay(request);
		return EndpointResponse.Job.of(switch (action) {
			case "pause" -> service().pause(selected, act(request));
			case "resume" -> {
				ResumeArguments arguments = request.as(ResumeArguments.class);
				OperatorAction act = arguments.operator.act(request);
				yield arguments.withoutCanary ? service().resumeWithoutCanary(selected, act)
						: service().resume(selected, act);
			}
			case "abort" -> service().abort(selected, act(request));
			case "restore" -> service().restore(selected, act(request));
			case "rate" -> {
				RateArguments arguments = request.as(RateArguments.class);
				Double rate = ReplayArguments.perSecond(EndpointRequest.required("rate", arguments.rate));
				Duration ramp = (arguments.ramp != null) ? arguments.ramp : Duration.ZERO;
				yield service().changeRate(selected, rate, ramp, arguments.operator.act(request));
			}
			default ->
				throw EndpointException.unknown("Unknown operation. Supported: pause, resume, abort, restore, rate.");
		});
	}

	private static OperatorAction act(EndpointRequest request) {
		return request.as(ActionArguments.OperatorArguments.class).act(request);
	}

	private ReplayService service() {
		return ParkingErrors.require(this.jobs).service();
	}

	/**
	 * What this application may do.
	 *
	 * @param service runs replays
	 * @param messages edits messages
	 * @param audit what was done
	 * @param ledger knows causes
	 */
	public record Services(ReplayService service, ParkedMessageService messages, AuditLog audit, Ledger ledger) {
	}

	/** {@code state} is that of the replays. */
	record ListArguments(ReplayJob.@Nullable State state, PageArguments page) {
	}

	/** {@code before} is where the page before ended. */
	record AuditArguments(@Nullable String replayId, @Nullable String user, AuditEntry.@Nullable Action act,
			@Nullable Instant from, @Nullable Instant to, @Nullable Long before, PageArguments page) {

		AuditFilter filter() {
			return new AuditFilter(this.replayId, this.user, this.act, this.from, this.to);
		}

	}

	/** {@code after} is where the page before ended. */
	record ItemArguments(ReplayItem.@Nullable State state, @Nullable Long after, PageArguments page) {
	}

	/** {@code withoutCanary} does not wait for the canary any more. */
	record ResumeArguments(boolean withoutCanary, ActionArguments.OperatorArguments operator) {
	}

	/** {@code rate} is a number or {@code unlimited}. */
	record RateArguments(@Nullable String rate, @Nullable Duration ramp, ActionArguments.OperatorArguments operator) {
	}

	/**
	 * The arguments of an edit.
	 *
	 * @param id which message
	 * @param body the new body as text
	 * @param bodyBase64 the new body as bytes
	 * @param header headers; one with an empty value is removed
	 * @param operator who and why
	 * @param takeReserved whether it is meant too if a replay has selected it
	 */
	record EditArguments(@Nullable Long id, @Nullable CharSequence body, byte @Nullable [] bodyBase64,
			Map<String, Object> header, ActionArguments.OperatorArguments operator, boolean takeReserved) {

		EditRequest edit(EndpointRequest request) {
			if (this.id == null) {
				throw EndpointException.invalid("'id' is missing: which message?");
			}
			if (this.body != null && this.bodyBase64 != null) {
				throw EndpointException.invalid("There are 'body' and 'bodyBase64'. Give one of them.");
			}
			Map<String, Object> set = new LinkedHashMap<>(this.header);
			set.values().removeIf(""::equals);
			Set<String> removed = new LinkedHashSet<>(this.header.keySet());
			removed.removeAll(set.keySet());
			return new EditRequest(this.id,
					(this.body != null) ? this.body.toString().getBytes(StandardCharsets.UTF_8) : this.bodyBase64, set,
					removed, this.operator.act(request), this.takeReserved);
		}

	}

}
