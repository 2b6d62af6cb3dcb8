/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.brokerpolicy.PolicyEffect;
import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.migration.MigrationPlan.LeftAlone;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;

/**
 * Judges what policies would do to messages in the queues that a migration fills. For
 * configured queues that is as it is for a service: one that starts in spite of an unsafe
 * policy has messages there already. Of temporary queues nobody knows but the migration.
 */
final class JudgedPolicies {

	private final List<MessageTopology> wanted;

	private final BrokerPolicyMode mode;

	/**
	 * Creates it.
	 * @param wanted the configured topologies
	 * @param mode what is configured to do about unsafe policies
	 */
	JudgedPolicies(List<MessageTopology> wanted, BrokerPolicyMode mode) {
		this.wanted = List.copyOf(wanted);
		this.mode = mode;
	}

	/**
	 * Judges.
	 * @param plan a plan
	 * @param client asks for the policies
	 * @return the plan, which tells of them, and has an obstacle where messages would be
	 * lost
	 */
	MigrationPlan judge(MigrationPlan plan, ManagementClient client) {
		if (plan.steps().isEmpty()) {
			return plan;
		}
		return judge(plan, PolicyExamination.policies(client), client.virtualHost());
	}

	MigrationPlan judge(MigrationPlan plan, BrokerPolicies policies, String virtualHost) {
		List<LeftAlone> told = new ArrayList<>(plan.leftAlone());
		List<String> obstacles = new ArrayList<>(plan.obstacles());
		temporaries(plan, policies, virtualHost).forEach((effect) -> {
			told.add(told(effect, "Nothing is applied before that is displaced"));
			obstacles.add(obstacle("Temporary queues", effect));
		});
		configured(policies, virtualHost).forEach((effect) -> {
			if (this.mode == BrokerPolicyMode.FAIL) {
				told.add(told(effect, "Nothing is applied before that is displaced"));
				obstacles.add(obstacle("Configured queues", effect));
			}
			else {
				told.add(told(effect, "With topology.policies warn all is applied in spite of it. This displaces it"));
			}
		});
		missing(policies, virtualHost, told, obstacles);
		return new MigrationPlan(plan.steps(), told, obstacles);
	}

	/** Policies that protect the queues themselves need not match the temporary ones. */
	private static List<PolicyEffect> temporaries(MigrationPlan plan, BrokerPolicies policies, String virtualHost) {
		List<QueueModel> temporaries = plan.temporaries();
		return unsafe(PolicyExamination.effects(temporaries, policies, virtualHost));
	}

	private List<PolicyEffect> configured(BrokerPolicies policies, String virtualHost) {
		return (this.mode == BrokerPolicyMode.IGNORE) ? List.of()
				: unsafe(new PolicyExamination(this.wanted).effects(policies, virtualHost, (key) -> false));
	}

	private static List<PolicyEffect> unsafe(List<PolicyEffect> effects) {
		return effects.stream().filter(PolicyEffect::unsafe).toList();
	}

	private static LeftAlone told(PolicyEffect effect, String what) {
		return new LeftAlone("policies of '%s'".formatted(String.join("', '", effect.subjects())),
				"%s has %s %s: %s. %s: %s".formatted(effect.policy(), effect.key(), effect.value(),
						effect.consequence(), what, String.join(" ; ", effect.commands())));
	}

	private static String obstacle(String which, PolicyEffect effect) {
		return "%s would lose messages: %s has %s %s, and '%s' would get it. Displace it first: %s".formatted(which,
				effect.policy(), effect.key(), effect.value(), effect.subjects().get(0),
				String.join(" ; ", effect.commands()));
	}

	/** Without them, what is in queues with minimal arguments would wait for ever. */
	private void missing(BrokerPolicies policies, String virtualHost, List<LeftAlone> told, List<String> obstacles) {
		List<String> missing = PolicyExamination.missing(this.wanted, policies, virtualHost);
		if (!missing.isEmpty()) {
			told.add(new LeftAlone("queues with topology.arguments minimal",
					"policies do not give them all that they need. Nothing is applied before they do: "
							+ String.join(" ; ", missing)));
			obstacles
				.add("Policies do not give queues what topology.arguments: minimal leaves to them. Set them first: "
						+ String.join(" ; ", missing));
		}
	}

}
