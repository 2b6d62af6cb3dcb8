/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is left of former queues, until they can be deleted.
 */
final class FormerQueueCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		return expected.former()
			.entrySet()
			.stream()
			.map((former) -> new Former(former.getKey(), former.getValue(), expected, live))
			.filter((former) -> !former.queues.isEmpty() || !former.exchanges.isEmpty())
			.map(Former::finding)
			.toList();
	}

	/**
	 * A former work queue, and what belongs to it.
	 */
	private static final class Former {

		private final FormerQueue former;

		private final TypeTopology type;

		private final ExpectedTopology expected;

		private final BrokerSnapshot live;

		private final List<QueueSnapshot> queues;

		private final List<String> exchanges;

		Former(FormerQueue former, TypeTopology type, ExpectedTopology expected, BrokerSnapshot live) {
			this.former = former;
			this.type = type;
			this.expected = expected;
			this.live = live;
			this.queues = live.queues()
				.values()
				.stream()
				.filter((queue) -> Ownership.hasNameOf(former.queue(), queue.name())
						&& !expected.queues().containsKey(queue.name()))
				.sorted(Comparator.comparing(QueueSnapshot::name))
				.toList();
			this.exchanges = Stream.of(former.queue() + ".retry", former.queue() + ".dlx")
				.filter((exchange) -> live.exchanges().containsKey(exchange)
						&& !expected.exchanges().containsKey(exchange))
				.toList();
		}

		Finding finding() {
			String name = this.former.queue();
			List<String> others = this.queues.stream()
				.flatMap((queue) -> this.live.bindingsOf(queue.name()).stream())
				.filter(Predicate.not(this::isOurs))
				.map(BindingSnapshot::description)
				.toList();
			List<QueueSnapshot> left = this.queues.stream().filter((queue) -> queue.messages() != 0).toList();
			String doubt = (left.isEmpty() && others.isEmpty()) ? doubt() : null;
			String remedy = "Once nothing publishes to '%1$s' by name, save this command. Replay or discard the parked messages of '%1$s' that are in the ledger, which can be replayed only while it is named. Then remove it from former-queues, deploy that to all instances, and run the command: it deletes nothing while one of the queues has a message or a consumer."
				.formatted(name);
			if (!left.isEmpty() || !others.isEmpty()) {
				remedy = consumed(left) + (others.isEmpty() ? ""
						: "Bind '%s' where '%s' is bound, then remove these bindings: the service leaves bindings of others alone, and a message that is in both queues is handled twice. "
							.formatted(this.type.queue(), name))
						+ "Run the doctor again.";
			}
			else if (doubt != null) {
				remedy = "No command is printed, since %s. Find out who uses them.".formatted(doubt);
			}
			return FindingCode.FORMER_QUEUE
				.of(name,
						"Former queue '%s' of '%s'%s%s.".formatted(name, this.type.messageType(),
								left.isEmpty() ? " and its retry queues are empty"
										: " is still in use: " + contents(left),
								others.isEmpty() ? "" : "; there is a " + String.join(", a ", others)),
						remedy,
						(left.isEmpty() && others.isEmpty() && doubt == null)
								? List.of(this.live.commands().deleteAll(this.queues, undeliverable(), this.exchanges))
								: List.of())
				.affecting(
						Stream.concat(this.queues.stream().map(QueueSnapshot::name), this.exchanges.stream()).toList());
		}

		private static String contents(List<QueueSnapshot> queues) {
			return queues.stream()
				.map((queue) -> "'%s' has %s".formatted(queue.name(), queue.content()))
				.collect(Collectors.joining(", "));
		}

		/** Parking lots are consumed by the ledger alone. */
		private String consumed(List<QueueSnapshot> left) {
			String parkingLot = this.former.queue() + ".parking-lot";
			boolean parked = !this.expected.application().ledgerConfigured()
					&& left.stream().anyMatch((queue) -> queue.name().equals(parkingLot));
			return ((left.size() > (parked ? 1 : 0)) ? "The service consumes %s; messages that wait come back first. "
				.formatted(parked ? "the others" : "them") : "") + (parked
						? "This service has no ledger, so nothing consumes '%s': use the parking starter, or move its messages. "
							.formatted(parkingLot)
						: "");
		}

		/** The way of what could not be received. */
		private List<BindingSnapshot> undeliverable() {
			return this.live.bindingsOf(DelayLadder.UNROUTABLE)
				.stream()
				.filter((binding) -> this.exchanges.contains(binding.source()))
				.toList();
		}

		/** Exchanges that the policy names itself are those of its former queues, too. */
		private boolean isOurs(BindingSnapshot binding) {
			return this.exchanges.contains(binding.source()) || binding.source().equals(DelayLadder.EXIT)
					|| this.former.bringsBack(binding.source());
		}

		/** Why no command deletes them. */
		private @Nullable String doubt() {
			QueueUsers users = new QueueUsers(this.live);
			Set<String> names = this.queues.stream().map(QueueSnapshot::name).collect(Collectors.toSet());
			names.add(DelayLadder.UNROUTABLE);
			for (QueueSnapshot queue : this.queues) {
				if (!Ownership.isLikely(this.former, queue)) {
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
