/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.message.ReplayReferences;
import io.github.rabbitretry.internal.message.Sha256;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.PayloadState;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;

/**
 * From parked messages to rows. A message that was put into the parking lot by hand
 * becomes one too, with what it has.
 */
public final class ParkedRecordMapper {

	static final String NO_FINGERPRINT = "none";

	private static final Log logger = LogFactory.getLog(ParkedRecordMapper.class);

	private static final int BYTES_OF_CAUSE = 6;

	private static final int LONGEST_REASON = 128;

	private static final int LONGEST_FINGERPRINT = 64;

	private static final int LONGEST_EXCEPTION = 512;

	private static final int LONGEST_MESSAGE = 2048;

	/** What may quote a body; of the last two, Spring AMQP writes them. */
	private static final Set<String> EXCEPTION_TEXTS = Set.of(AppHeaders.EXCEPTION_MESSAGE,
			AppHeaders.ROOT_EXCEPTION_MESSAGE, AppHeaders.EXCEPTION_FRAMES,
			RepublishMessageRecoverer.X_EXCEPTION_MESSAGE, RepublishMessageRecoverer.X_EXCEPTION_STACKTRACE);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final CauseTexts causes = new CauseTexts();

	private final ProducerHeaderNames names;

	private final InstantSource clock;

	/**
	 * Creates the mapper.
	 * @param names where producers write what AMQP has no property for
	 * @param clock what time it is
	 */
	public ParkedRecordMapper(ProducerHeaderNames names, InstantSource clock) {
		this.names = names;
		this.clock = clock;
	}

	/**
	 * Reads a message. One that can't be read costs no other: it is there with what can
	 * be read of it, its reason {@link Reasons#UNREADABLE}.
	 * @param policy what the ledger does with its message type
	 * @param properties its properties and headers
	 * @param body its body
	 * @return the row
	 */
	public ParkedRecord read(LedgerPolicy policy, BasicProperties properties, byte[] body) {
		EncodableProperties encodable = EncodableProperties.of(properties);
		if (!encodable.complete()) {
			this.warning
				.warn(() -> "A parked message of '%s' has properties or headers that can't be written again; they"
					.formatted(policy.messageType())
						+ " are cut or left out, and its reason in the ledger is UNREADABLE");
		}
		try {
			return read(policy, encodable, body);
		}
		catch (RuntimeException | StackOverflowError ex) {
			logger.warn("A parked message of '%s' is stored without its properties and headers, which can't be read"
				.formatted(policy.messageType()), ex);
			return read(policy, new EncodableProperties(new BasicProperties(), false), body);
		}
	}

	private ParkedRecord read(LedgerPolicy policy, EncodableProperties encodable, byte[] body) {
		BasicProperties properties = encodable.properties();
		byte[] hash = Sha256.digest().digest(body);
		byte[] key = key(policy, properties, hash);
		if (policy.exceptionTexts() == ExceptionTexts.NONE) {
			properties = withoutExceptionTexts(properties);
		}
		String bodyHash = HexFormat.of().formatHex(hash);
		Instant now = this.clock.instant().truncatedTo(ChronoUnit.MICROS);
		Redaction.Stored stored = redact(policy, body);
		Map<String, Object> headers = (properties.getHeaders() != null) ? properties.getHeaders() : Map.of();
		HeaderValues values = new HeaderValues(headers, now);
		// the clock of the instance that parked it may be ahead
		Instant parkedAt = earlier(values.instant(AppHeaders.PARKED_AT, now), now);
		Instant lastFailedAt = earlier(values.instant(AppHeaders.LAST_FAILURE_AT, parkedAt), now);
		return new ParkedRecord(key, headers.containsKey(AppHeaders.PARKED_AT),
				kind(policy, values, stored.state(), encodable.complete()),
				or(properties.getMessageId(), values.text(AppHeaders.ORIGIN_MESSAGE_ID, HeaderValues.LONGEST)),
				or(properties.getCorrelationId(), values.first(this.names.correlationId())),
				values.first(this.names.causationId()), values.first(this.names.aggregateId()),
				values.first(this.names.schemaVersion()),
				or(properties.getAppId(), values.first(this.names.producer())),
				values.text(ReplayHeaders.REPLAY_ID, HeaderValues.LONGEST), replayItem(headers),
				values.count(AppHeaders.RETRY_ATTEMPT),
				earlier(values.instant(AppHeaders.FIRST_FAILURE_AT, lastFailedAt), now), lastFailedAt, parkedAt,
				bodyHash, values.text(AppHeaders.EXCEPTION_MESSAGE, LONGEST_MESSAGE),
				AmqpPropertiesCodec.encode(properties), stored.body());
	}

	private static BasicProperties withoutExceptionTexts(BasicProperties properties) {
		if (properties.getHeaders() == null) {
			return properties;
		}
		Map<String, Object> headers = new HashMap<>(properties.getHeaders());
		headers.keySet().removeAll(EXCEPTION_TEXTS);
		return properties.builder().headers(headers).build();
	}

	private static Instant earlier(Instant first, Instant second) {
		return first.isAfter(second) ? second : first;
	}

	private static @Nullable Long replayItem(Map<String, Object> headers) {
		ReplayReference mark = ReplayReferences.of(headers);
		return (mark != null) ? mark.item() : null;
	}

	private FailureDimension kind(LedgerPolicy policy, HeaderValues values, PayloadState payload, boolean complete) {
		String reason = values.text(AppHeaders.RETRY_REASON, LONGEST_REASON, Reasons.UNKNOWN_FAILURE);
		String failureReason = values.text(AppHeaders.FAILURE_REASON, LONGEST_REASON);
		String failureClass = values.text(AppHeaders.RETRY_CLASS, HeaderValues.LONGEST, "");
		String fingerprint = values.text(AppHeaders.FAILURE_FINGERPRINT, LONGEST_FINGERPRINT, NO_FINGERPRINT);
		String known = complete ? reason : Reasons.UNREADABLE;
		String why = (complete || failureReason != null) ? failureReason : reason;
		return new FailureDimension(policy.queue(),
				values.text(AppHeaders.MESSAGE_TYPE, HeaderValues.LONGEST, policy.messageType()),
				values.text(AppHeaders.OWNER, HeaderValues.LONGEST, policy.owner()), known, why,
				FailureClass.ofLabel(failureClass).orElse(FailureClass.UNKNOWN).label(), fingerprint,
				values.text(AppHeaders.EXCEPTION, LONGEST_EXCEPTION),
				values.text(AppHeaders.HANDLER_VERSION, HeaderValues.LONGEST),
				values.text(AppHeaders.CONSUMER, HeaderValues.LONGEST), payload,
				cause(policy.queue(), (why != null) ? why : known, values, fingerprint));
	}

	/**
	 * A message that was parked by an earlier version names only the outermost message.
	 */
	private FailureCause cause(String queue, String reason, HeaderValues values, String fingerprint) {
		String exception = values.text(AppHeaders.ROOT_EXCEPTION, LONGEST_EXCEPTION);
		String message = values.text(AppHeaders.ROOT_EXCEPTION_MESSAGE, LONGEST_MESSAGE);
		String chain = values.text(AppHeaders.EXCEPTION, LONGEST_EXCEPTION);
		if (exception == null && chain != null) {
			exception = chain.substring(chain.lastIndexOf(' ') + 1);
			message = (chain.indexOf(' ') < 0) ? values.text(AppHeaders.EXCEPTION_MESSAGE, LONGEST_MESSAGE) : null;
		}
		return cause(queue, reason, exception, this.causes.of(queue, exception, message), fingerprint);
	}

	/** The fingerprint distinguishes failures without an exception. */
	private static FailureCause cause(String queue, String reason, @Nullable String exception, @Nullable String text,
			String fingerprint) {
		byte[] hash = Hashes.of(queue, reason, exception, text, (exception == null) ? fingerprint : null);
		return new FailureCause(HexFormat.of().formatHex(hash, 0, BYTES_OF_CAUSE), exception, text);
	}

	/** Without any text of the message's own. */
	static FailureDimension unreadable(FailureDimension kind) {
		return new FailureDimension(kind.queue(), kind.queue(), "unowned", Reasons.UNKNOWN_FAILURE, null,
				FailureClass.UNKNOWN.label(), NO_FINGERPRINT, null, null, null, kind.payload(),
				cause(kind.queue(), Reasons.UNKNOWN_FAILURE, null, null, NO_FINGERPRINT));
	}

	/**
	 * Two deliveries are of the same parking if everything in them is equal, the broker's
	 * own headers aside: when it was parked and the id of its hand-over are among the
	 * headers, so that a message that is replayed and parked again is another parking.
	 */
	private static byte[] key(LedgerPolicy policy, BasicProperties properties, byte[] bodyHash) {
		MessageDigest digest = Sha256.digest();
		digest.update(policy.parkingLot().getBytes());
		digest.update((byte) 0);
		digest.update(bodyHash);
		digest.update(AmqpPropertiesCodec.canonical(properties));
		return digest.digest();
	}

	private static Redaction.Stored redact(LedgerPolicy policy, byte[] body) {
		try {
			return policy.redaction().apply(body);
		}
		catch (RuntimeException | StackOverflowError ex) {
			logger.warn("The body of a parked message of '%s' can't be redacted and is not stored (%s)"
				.formatted(policy.messageType(), ex.getClass().getName()));
			return Redaction.Stored.OMITTED;
		}
	}

	private static @Nullable String or(@Nullable String property, @Nullable String header) {
		String text = HeaderValues.fit(property, HeaderValues.LONGEST);
		return (text != null) ? text : header;
	}

}
