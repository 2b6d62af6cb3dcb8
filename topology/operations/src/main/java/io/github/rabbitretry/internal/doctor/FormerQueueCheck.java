/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.Ownership;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.snapshot.QueueUsers;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is left of former queues, until they can be deleted.
 */
final class FormerQueueCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		expected.former().forEach((queue, type) -> {
			Former former = new Former(queue, type, expected, live);
			if (!former.queues.isEmpty() || !former.exchanges.isEmpty()) {
				findings.add(former.finding());
			}
		});
		return findings;
	}

	/**
	 * A former work queue, and what belongs to it.
	 */
	private static final class Former {

		private final String name;

		private final TypeTopology type;

		private final BrokerSnapshot live;

		private final List<QueueSnapshot> queues;

		private final List<String> exchanges;

		/** What could not be received. */
		private final List<BindingSnapshot> last;

		Former(String name, TypeTopology type, ExpectedTopology expected, BrokerSnapshot live) {
			this.name = name;
			this.type = type;
			this.live = live;
			this.queues = live.queues()
				.values()
				.stream()
				.filter((queue) -> LeftoverCheck.isOf(name, queue.name())
						&& !expected.queues().containsKey(queue.name()))
				.sorted(Comparator.comparing(QueueSnapshot::name))
				.toList();
			this.exchanges = Stream.of(name + ".retry", name + ".dlx")
				.filter((exchange) -> live.exchanges().containsKey(exchange)
						&& !expected.exchanges().containsKey(exchange))
				.toList();
			this.last = live.bindingsOf(DelayLadder.UNROUTABLE)
				.stream()
				.filter((binding) -> this.exchanges.contains(binding.source()))
				.toList();
		}

		Finding finding() {
			List<String> others = this.queues.stream()
				.flatMap((queue) -> this.live.bindingsOf(queue.name()).stream())
				.filter(Predicate.not(this::isOurs))
				.map(BindingSnapshot::description)
				.toList();
			String left = this.queues.stream()
				.filter((queue) -> queue.messages() != 0)
				.map((queue) -> "'%s' has %s".formatted(queue.name(), queue.content()))
				.collect(Collectors.joining(", "));
			String fact = "Former queue '%s' of '%s'%s%s.".formatted(this.name, this.type.messageType(),
					left.isEmpty() ? " and its retry queues are empty" : " is still in use: " + left,
					others.isEmpty() ? "" : "; there is a " + String.join(", a ", others));
			if (!left.isEmpty() || !others.isEmpty()) {
				return of(fact, (left.isEmpty() ? ""
						: "The service consumes them; messages that wait come back first. ")
						+ (others.isEmpty() ? ""
								: "Bind '%s' where '%s' is bound, then remove these bindings: the service leaves bindings of others alone, and a message that is in both queues is handled twice. "
									.formatted(this.type.queue(), this.name))
						+ "Run the doctor again.", List.of());
			}
			String doubt = doubt();
			return (doubt != null) ? of(fact, "No command is printed, since %s. Find out who uses them."
				.formatted(doubt), List.of()) : of(
						fact,
						"Once nothing publishes to '%1$s' by name, save this command. Replay or discard the parked messages of '%1$s' that are in the ledger, which can be replayed only while it is named. Then remove it from former-queues, deploy that to all instances, and run the command: it deletes nothing while one of the queues has a message or a consumer."
							.formatted(this.name),
						List.of(this.live.commands().deleteAll(this.queues, this.last, this.exchanges)));
		}

		private Finding of(String fact, String remedy, List<String> commands) {
			return FindingCode.FORMER_QUEUE.of(this.name, fact, remedy, commands)
				.affecting(Stream.concat(this.queues.stream().map(QueueSnapshot::name), this.exchanges.stream())
					.distinct()
					.toList());
		}

		private boolean isOurs(BindingSnapshot binding) {
			return this.exchanges.contains(binding.source()) || binding.source().equals(DelayLadder.EXIT);
		}

		/** Why no command deletes them. */
		private @Nullable String doubt() {
			QueueUsers users = new QueueUsers(this.live);
			Set<String> names = this.queues.stream().map(QueueSnapshot::name).collect(Collectors.toSet());
			names.add(DelayLadder.UNROUTABLE);
			for (QueueSnapshot queue : this.queues) {
				if (!Ownership.isLikely(this.name, queue)) {
					return "whether '%s' is this service's, and not another's of the same name, is not certain"
						.formatted(queue.name());
				}
				Set<BindingDefinition> known = this.live.bindingsOf(queue.name())
					.stream()
					.map(BindingSnapshot::model)
					.collect(Collectors.toSet());
				String use = users.leadingTo(queue.name(), known);
				if (use != null) {
					return "%s ('%s')".formatted(use, queue.name());
				}
				if (known.stream().anyMatch((binding) -> binding.exchange().equals(DelayLadder.EXIT))
						&& ladderHasMessages()) {
					return "messages on the delay ladder may be for '%s'".formatted(queue.name());
				}
			}
			return this.exchanges.stream()
				.filter((exchange) -> users.ofExchange(exchange, names))
				.findFirst()
				.map("others use exchange '%s'"::formatted)
				.orElse(null);
		}

		private boolean ladderHasMessages() {
			return this.live.queues()
				.values()
				.stream()
				.anyMatch((queue) -> DelayLadder.hasLevel(queue.name()) && queue.messages() != 0);
		}

	}

}
