/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.Collection;
import java.util.Date;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.MessageBatch;

/**
 * Takes no batch apart, and makes none.
 */
public final class UndividedBatches implements BatchingStrategy {

	@Override
	public @Nullable MessageBatch addToBatch(@Nullable String exchange, @Nullable String routingKey, Message message) {
		return null;
	}

	@Override
	public @Nullable Date nextRelease() {
		return null;
	}

	@Override
	public Collection<MessageBatch> releaseBatches() {
		return List.of();
	}

}
