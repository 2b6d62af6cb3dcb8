/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessage;

/**
 * What is published: the messages of the ledger, or an edited one instead.
 */
final class EditedMessageRepository {

	private final Ledger ledger;

	private final ReplayTables tables;

	EditedMessageRepository(Ledger ledger, ReplayTables tables) {
		this.ledger = ledger;
		this.tables = tables;
	}

	List<ParkedMessage> read(StoredJob job, Collection<Long> ids) {
		List<ParkedMessage> messages = this.ledger.find(ids);
		return job.edited() ? messages.stream().flatMap((message) -> edited(job, message).stream()).toList() : messages;
	}

	private List<ParkedMessage> edited(StoredJob job, ParkedMessage message) {
		return this.tables.jdbc()
			.query("select properties, payload from rabbit_retry_replay_edit where job_id = :job",
					Map.of("job", job.id()), (row, number) -> AmqpPropertiesCodec.message(message.summary(),
							AmqpPropertiesCodec.decode(row.getBytes(1)), row.getBytes(2)));
	}

	/** Keeps what is published instead. To be called in a transaction. */
	void keep(StoredJob job, long parkedId, BasicProperties properties, byte[] body) {
		this.tables.update(
				"insert into rabbit_retry_replay_edit (job_id, parked_id, properties, payload)"
						+ " values (:job, :parked, :properties, :payload)",
				Map.of("job", job.id(), "parked", parkedId, "properties", AmqpPropertiesCodec.encode(properties),
						"payload", body));
	}

}
