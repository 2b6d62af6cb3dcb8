/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import org.jspecify.annotations.Nullable;

/**
 * A rule of the configuration: this exception, as a failure or as one of its causes, is
 * of this class for this reason. It is checked by {@link ClassificationRules#of}; until
 * then a component may be missing, as it may in a configuration.
 *
 * @param exception the fully qualified name of an exception class, which stands for its
 * subclasses too, or of an interface that exceptions implement
 * @param failureClass the kind of failure
 * @param reason the reason, as in {@link FailureClassification#reason()}
 */
public record ClassificationRule(@Nullable String exception, @Nullable FailureClass failureClass,
		@Nullable String reason) {
}
