/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.util.Set;

import io.github.rabbitretry.internal.parking.actuate.OperatorRoles;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Replays of parked messages.
 *
 * @param enabled Whether parked messages can be replayed and discarded here.
 * @param editEnabled Whether parked messages can be edited before they are replayed.
 * @param work Whether this application works on replays; if not, other instances do.
 * @param confirmTimeout How long to wait for confirms before messages are published
 * again.
 * @param retention How long replays are kept after they end; the audit is kept
 * indefinitely.
 * @param roles who may do what
 */
@ConfigurationProperties(prefix = "rabbit-retry.replay", ignoreUnknownFields = false)
record ReplayProperties(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean editEnabled,
		@DefaultValue("true") boolean work, @DefaultValue("30s") Duration confirmTimeout,
		@DefaultValue("90d") Duration retention, @DefaultValue Roles roles) {

	ReplaySettings settings() {
		between("confirm-timeout", this.confirmTimeout, Duration.ofMillis(100), Duration.ofMinutes(10));
		between("retention", this.retention, Duration.ofDays(7), Duration.ofDays(36_500));
		return ReplaySettings.of(this.confirmTimeout, this.retention, this.editEnabled);
	}

	private static void between(String key, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw new InvalidConfigurationException("rabbit-retry.replay." + key, value,
					"must be from %s to %s".formatted(least, most), "Leave it out to use the default.");
		}
	}

	/**
	 * Who may do what over HTTP.
	 *
	 * @param replay Roles that may start and change replays; unset for everybody.
	 * @param discard Roles that may discard and restore messages; unset for everybody.
	 * @param edit Roles that may edit messages and replay them; unset for everybody.
	 */
	record Roles(@Nullable Set<String> replay, @Nullable Set<String> discard, @Nullable Set<String> edit) {

		OperatorRoles checked() {
			return new OperatorRoles(checked("replay", this.replay), checked("discard", this.discard),
					checked("edit", this.edit));
		}

		/** What is empty by mistake must not let everybody in. */
		private static Set<String> checked(String key, @Nullable Set<String> roles) {
			if (roles != null && (roles.isEmpty() || roles.stream().anyMatch(String::isBlank))) {
				throw new InvalidConfigurationException(OperatorRoles.PROPERTY + key, roles,
						"has no role, or an empty one",
						"Name the roles, or remove the key to let everybody who reaches the endpoint.");
			}
			return (roles != null) ? roles : Set.of();
		}

	}

}
