/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The ledger of parked messages. {@code adopt} is read by
 * {@link io.github.rabbitretry.internal.configuration.AdoptedQueue}, in both forms.
 *
 * @param enabled Whether parked messages are moved into a database. Default is true,
 * unless the database is in memory.
 * @param dataSource Name of the DataSource bean. Default is the only or primary one.
 * @param initializeSchema When to create the ledger's tables where they are missing:
 * embedded for an H2 in this process, in memory or in a file; always; or never.
 * @param ingest Whether this application moves parked messages from the parking lots into
 * the ledger.
 * @param batchSize Maximum number of messages in one transaction; twice as many may be in
 * memory.
 * @param batchBytes Maximum number of bytes in one transaction, except for a single
 * larger message; twice as many may be in memory.
 * @param aggregateIdHeaders Headers with the id of the business entity; the first one
 * present is used.
 * @param correlationIdHeaders Headers with the correlation id, if the property is not
 * set.
 * @param causationIdHeaders Headers with the id of the message that caused this one.
 * @param schemaVersionHeaders Headers with the version of the payload's schema.
 * @param producerHeaders Headers with the producer, if the property app-id is not set.
 * @param adopt Existing dead-letter queues whose messages are also moved into the ledger.
 * A map gives messages without a known work queue a message type.
 */
@ConfigurationProperties(prefix = "rabbit-retry.ledger", ignoreUnknownFields = false)
record LedgerProperties(@Nullable Boolean enabled, @Nullable String dataSource,
		@DefaultValue("embedded") SchemaInitialization initializeSchema, @DefaultValue("true") boolean ingest,
		@DefaultValue("200") int batchSize, @DefaultValue("16MB") DataSize batchBytes, @DefaultValue( {
				"x-aggregate-id", "aggregate-id" }) List<String> aggregateIdHeaders,
		@DefaultValue({ "x-correlation-id", "correlation-id" }) List<String> correlationIdHeaders,
		@DefaultValue({ "x-causation-id", "causation-id" }) List<String> causationIdHeaders,
		@DefaultValue({ "x-schema-version", "schema-version" }) List<String> schemaVersionHeaders,
		@DefaultValue({ "x-producer", "producer" }) List<String> producerHeaders, @DefaultValue List<String> adopt){

	ProducerHeaderNames envelopeHeaders() {
		return new ProducerHeaderNames(this.aggregateIdHeaders, this.correlationIdHeaders, this.causationIdHeaders,
				this.schemaVersionHeaders, this.producerHeaders);
	}

}
