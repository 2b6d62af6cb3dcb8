/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import com.rabbitmq.client.AMQP;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.PayloadState;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Looks at what would be replayed, by failure kinds: few, however many messages there
 * are.
 */
public final class DryRunReader {

	private static final List<Duration> AGES = List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7),
			Duration.ofDays(30));

	/**
	 * They tell that there was no budget left, or that the broker dead-lettered the
	 * message: not why.
	 */
	private static final Set<String> NO_FAILURE = Set.of(Reasons.DELIVERY_LIMIT, Reasons.REJECTED,
			Reasons.QUEUE_OVERFLOW, Reasons.EXPIRED, Reasons.RETRY_BUDGET_EXHAUSTED, Reasons.RETRY_AGE_EXCEEDED,
			Reasons.UNKNOWN_FAILURE);

	private final ReplayTables tables;

	private final Previews previews;

	private final MessagePolicies policies;

	private final Predicate<MessagePolicy> listening;

	private final Predicate<String> running;

	private final ConnectionFactory connectionFactory;

	/**
	 * Creates the reader.
	 * @param stores where jobs are
	 * @param policies the current rules
	 * @param listening whether this instance has a listener for a policy's queue
	 * @param running whether a handler version is what runs now
	 * @param connectionFactory leads to the broker that has the targets by a connection
	 * that publishes nothing, since an alarm blocks connections that do
	 */
	public DryRunReader(ReplayStores stores, MessagePolicies policies, Predicate<MessagePolicy> listening,
			Predicate<String> running, ConnectionFactory connectionFactory) {
		this.tables = stores.tables();
		this.previews = stores.previews();
		this.policies = policies;
		this.listening = listening;
		this.running = running;
		this.connectionFactory = connectionFactory;
	}

	DryRun read(ReplaySelections.ReplaySelection wanted, Instant now) {
		ReplayRequest request = wanted.request();
		List<Kind> all = kinds(wanted.free());
		// another set of them may take their place meanwhile
		MessagePolicies policies = new MessagePolicies(this.policies.all());
		List<Kind> known = all.stream()
			.filter((kind) -> wanted.needsNoPolicy() || policies.ofQueue(kind.queue).isPresent())
			.toList();
		List<Kind> replayable = known.stream().filter(Kind::whole).toList();
		long count = sum(replayable);
		Set<String> queues = policies.queues();
		List<DryRun.Group> groups = groups(replayable, policies);
		Preview preview = this.previews.of(() -> wanted.replayable(queues), wanted.matching(), request.selected());
		List<String> cautions = new ArrayList<>(missingTarget(request.options().target()));
		cautions.addAll(DryRunCautions.of(request, count, groups, sum(known) - count, sum(all) - sum(known),
				preview.reserved()));
		return new DryRun(sum(all), count, Math.min(count, request.options().maximum()), sum(known) - count,
				sum(all) - sum(known), groups.stream().limit(DryRun.MOST_GROUPS).toList(),
				ages(wanted.replayable(queues), now), cautions, preview);
	}

	private List<String> missingTarget(@Nullable String target) {
		try {
			return (target == null) ? List.of()
					: QueueLookup.refusal(this.connectionFactory, target)
						.filter((refusal) -> refusal.code() == AMQP.NOT_FOUND)
						.map((refusal) -> missing(target, refusal.text()))
						.stream()
						.toList();
		}
		catch (AmqpException ex) {
			return List
				.of("It is not known whether there is a queue '%s': the broker can't be asked now.".formatted(target));
		}
	}

	static String missing(String target, String refusal) {
		return TopologyProblem.isUnavailable(refusal) ? "Queue '%s' is not available now: %s".formatted(target, refusal)
				: ("There is no queue '%s': the replay would publish nothing and pause."
						+ " Correct the name, or declare the queue.")
					.formatted(target);
	}

	private List<Kind> kinds(ParkedSelection selection) {
		return this.tables.selecting(() -> this.tables.jdbc()
			.query("select k.cause, k.root_exception, k.root_message, k.fingerprint, k.queue, k.message_type, k.owner_team, k.last_reason, k.failure_reason,"
					+ " k.failure_class, k.handler_version, k.payload_state, s.messages, s.first_at, s.last_at"
					+ " from (select p.kind_id, count(*) as messages, min(p.parked_at) as first_at,"
					+ " max(p.parked_at) as last_at" + selection
						.from()
					+ " group by p.kind_id) s" + " join rabbit_retry_failure_kind k on k.id = s.kind_id",
					selection.parameters(),
					(row, number) -> new Kind(new FailureCause(row.getString(1), row.getString(2), row.getString(3)),
							row.getString(4), row.getString(5), row.getString(6), row.getString(7), row.getString(8),
							row.getString(9), row.getString(10), row.getString(11),
							PayloadState.valueOf(row.getString(12)).replayable(), row.getLong(13),
							row.getObject(14, OffsetDateTime.class).toInstant(),
							row.getObject(15, OffsetDateTime.class).toInstant())));
	}

	private static long sum(List<Kind> kinds) {
		return kinds.stream().mapToLong(Kind::count).sum();
	}

	/** By a clock that is ahead, a message may have been parked in the future. */
	private List<DryRun.AgeBucket> ages(ParkedSelection selection, Instant now) {
		StringBuilder sql = new StringBuilder("select count(*)");
		MapSqlParameterSource parameters = selection.parameters();
		for (int age = 0; age < AGES.size(); age++) {
			sql.append(", count(*) filter (where p.parked_at > :age").append(age).append(")");
			parameters.addValue("age" + age, ReplayTables.utc(now.minus(AGES.get(age))));
		}
		sql.append(selection.from());
		return Objects.requireNonNull(this.tables
			.selecting(() -> this.tables.jdbc().queryForObject(sql.toString(), parameters, (row, number) -> {
				List<DryRun.AgeBucket> ages = new ArrayList<>();
				long younger = 0;
				for (int age = 0; age < AGES.size(); age++) {
					long upTo = row.getLong(age + 2);
					ages.add(new DryRun.AgeBucket(AGES.get(age), upTo - younger));
					younger = upTo;
				}
				ages.add(new DryRun.AgeBucket(null, row.getLong(1) - younger));
				return ages;
			})), "a row");
	}

	private List<DryRun.Group> groups(List<Kind> kinds, MessagePolicies policies) {
		Map<String, List<Kind>> byCause = new LinkedHashMap<>();
		kinds.forEach((kind) -> byCause.computeIfAbsent(kind.cause.id() + "\n" + kind.queue, (key) -> new ArrayList<>())
			.add(kind));
		return byCause.values()
			.stream()
			.sorted(Comparator.comparingLong(DryRunReader::sum).reversed())
			.map((group) -> group(group, policies.ofQueue(group.get(0).queue).orElse(null)))
			.toList();
	}

	private DryRun.Group group(List<Kind> kinds, @Nullable MessagePolicy policy) {
		Kind last = kinds.stream().max(Comparator.comparing(Kind::lastAt)).orElseThrow();
		Set<String> versions = new LinkedHashSet<>();
		kinds.stream().sorted(Comparator.comparing(Kind::firstAt)).forEach((kind) -> {
			if (kind.handlerVersion != null) {
				versions.add(kind.handlerVersion);
			}
		});
		String failure = Optional.ofNullable(last.failureReason).orElse(last.reason);
		boolean runsHere = policy != null && this.listening.test(policy);
		return new DryRun.Group(last.cause, sum(kinds),
				sum(kinds.stream().filter((kind) -> FailureGroup.exhausted(kind.reason)).toList()),
				kinds.stream().map(Kind::firstAt).min(Comparator.naturalOrder()).orElseThrow(), last.lastAt, last.queue,
				last.messageType, last.owner, failure, last.failureClass, last.fingerprint, List.copyOf(versions),
				(policy != null) ? policy.replayPolicy() : "",
				runsHere ? verdict(policy, failure, last.failureClass) : DryRun.Group.Verdict.UNKNOWN,
				findings(runsHere, versions.stream().anyMatch(this.running), failure));
	}

	/** Where nothing runs, nothing is known of what it would do. */
	private static List<DryRun.Group.Finding> findings(boolean runsHere, boolean unchanged, String failure) {
		if (!runsHere) {
			return List.of(DryRun.Group.Finding.NO_LISTENER_HERE);
		}
		List<DryRun.Group.Finding> findings = new ArrayList<>();
		if (unchanged) {
			findings.add(DryRun.Group.Finding.HANDLER_UNCHANGED);
		}
		if (unchanged && failure.equals(Reasons.UNSUPPORTED_SCHEMA_VERSION)) {
			findings.add(DryRun.Group.Finding.SCHEMA_NOT_SUPPORTED);
		}
		return findings;
	}

	private static DryRun.Group.Verdict verdict(MessagePolicy policy, String failure, String failureClass) {
		if (policy.discardOn().contains(failure)) {
			return DryRun.Group.Verdict.DISCARD;
		}
		if (policy.parkOn().contains(failure)) {
			return DryRun.Group.Verdict.PARK;
		}
		Optional<FailureClass> known = FailureClass.ofLabel(failureClass);
		if (known.isEmpty() || NO_FAILURE.contains(failure)) {
			return DryRun.Group.Verdict.UNKNOWN;
		}
		return known.get().retryable() ? DryRun.Group.Verdict.RETRY : DryRun.Group.Verdict.PARK;
	}

	private record Kind(FailureCause cause, String fingerprint, String queue, String messageType, String owner,
			String reason, @Nullable String failureReason, String failureClass, @Nullable String handlerVersion,
			boolean whole, long count, Instant firstAt, Instant lastAt) {
	}

}
