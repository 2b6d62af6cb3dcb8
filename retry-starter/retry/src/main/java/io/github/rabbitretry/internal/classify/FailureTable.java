/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.Assert;

/**
 * The built-in knowledge, all of it. A type that is not here is known by its nearest
 * supertype that is; where several of a chain of causes are known,
 * {@link ExceptionMappings.Mapping} and {@link BuiltInClassifier} say which one counts.
 */
final class FailureTable {

	private final Map<String, ExceptionMappings.Mapping> rows = new HashMap<>();

	private final Clock clock;

	FailureTable(Clock clock) {
		this.clock = clock;
		messages();
		timeouts();
		unreachable();
		answers();
		locks();
		dataAccess();
	}

	Map<String, ExceptionMappings.Mapping> rows() {
		return this.rows;
	}

	private void messages() {
		yielding(Classifications.DESERIALIZATION,
				"org.springframework.amqp.support.converter.MessageConversionException",
				"org.springframework.amqp.AmqpUnsupportedEncodingException",
				"org.springframework.messaging.converter.MessageConversionException",
				"org.springframework.messaging.handler.invocation.MethodArgumentResolutionException",
				"org.springframework.core.serializer.support.SerializationFailedException",
				"org.springframework.oxm.XmlMappingException", "com.fasterxml.jackson.core.JacksonException",
				"com.fasterxml.jackson.core.JsonProcessingException", "tools.jackson.core.JacksonException",
				"com.google.gson.JsonParseException", "com.google.protobuf.InvalidProtocolBufferException",
				"org.apache.avro.AvroRuntimeException", "org.apache.kafka.common.errors.SerializationException",
				"jakarta.xml.bind.JAXBException", "java.io.ObjectStreamException");
		yielding(Classifications.VALIDATION,
				"org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException",
				"org.springframework.validation.BindException",
				"org.springframework.validation.method.MethodValidationException",
				"org.springframework.web.method.annotation.HandlerMethodValidationException",
				"jakarta.validation.ValidationException", "javax.validation.ValidationException");
		conclusive(ConversionFailureDetector::dispatch, "java.lang.NoSuchMethodException");
		// the handler has done its work, and would do it again
		conclusive(Classifications.REPLY, "org.springframework.amqp.listener.adapter.ReplyFailureException");
		conclusive(Classifications.ACKNOWLEDGEMENT,
				"io.github.rabbitretry.internal.acknowledgement.RefusedSettlementException");
		conclusive(Classifications.REJECTED, "org.springframework.amqp.AmqpRejectAndDontRequeueException");
		// the handler asks for another delivery, whatever the cause would say
		yielding(Classifications.UNKNOWN, "org.springframework.amqp.ImmediateRequeueAmqpException");
	}

	private void timeouts() {
		// whatever an interrupt made of it
		conclusive(Classifications.HANDLER_TIMEOUT, "io.github.rabbitretry.internal.handler.HandlerTimeoutException");
		conclusive(Classifications.TIMEOUT, "java.io.InterruptedIOException", "java.net.SocketTimeoutException",
				"java.net.http.HttpTimeoutException", "java.util.concurrent.TimeoutException",
				"java.sql.SQLTimeoutException", "org.springframework.dao.QueryTimeoutException",
				"org.springframework.transaction.TransactionTimedOutException",
				"org.springframework.amqp.AmqpTimeoutException",
				"org.springframework.amqp.core.AmqpReplyTimeoutException",
				"com.rabbitmq.client.ChannelContinuationTimeoutException", "jakarta.persistence.QueryTimeoutException",
				"org.hibernate.QueryTimeoutException", "io.netty.handler.timeout.TimeoutException",
				"io.lettuce.core.RedisCommandTimeoutException", "com.mongodb.MongoTimeoutException",
				"com.mongodb.MongoExecutionTimeoutException", "com.mongodb.MongoSocketReadTimeoutException",
				"org.apache.kafka.common.errors.TimeoutException", "kotlinx.coroutines.TimeoutCancellationException");
	}

	private void unreachable() {
		// these know that a connection failed; a cause may know that it timed out
		yielding(Classifications.UNAVAILABLE, "java.net.SocketException", "java.net.UnknownHostException",
				"java.nio.channels.ClosedChannelException", "java.nio.channels.UnresolvedAddressException",
				// certificates are renewed, trust stores deployed
				"javax.net.ssl.SSLException", "java.sql.SQLRecoverableException",
				"java.sql.SQLTransientConnectionException", "java.sql.SQLNonTransientConnectionException",
				"org.springframework.amqp.AmqpConnectException", "org.springframework.amqp.AmqpIOException",
				"org.springframework.amqp.AmqpResourceNotAvailableException",
				"org.springframework.amqp.rabbit.core.AmqpNackReceivedException",
				"com.rabbitmq.client.ShutdownSignalException", "org.springframework.web.client.ResourceAccessException",
				"org.springframework.web.reactive.function.client.WebClientRequestException",
				"org.apache.hc.core5.http.NoHttpResponseException",
				"org.apache.hc.core5.http.ConnectionClosedException",
				"org.springframework.transaction.CannotCreateTransactionException",
				"org.hibernate.exception.JDBCConnectionException", "io.lettuce.core.RedisConnectionException",
				"com.mongodb.MongoSocketException", "com.mongodb.MongoNotPrimaryException",
				"com.mongodb.MongoNodeIsRecoveringException", "org.apache.kafka.common.errors.RetriableException",
				"io.github.resilience4j.circuitbreaker.CallNotPermittedException");
		yielding(FailureTable::lostByHttpClient, "java.io.EOFException");
		conclusive(Classifications.RATE_LIMITED, "io.github.resilience4j.ratelimiter.RequestNotPermitted",
				"io.github.resilience4j.bulkhead.BulkheadFullException",
				"org.springframework.resilience.InvocationRejectedException");
		// an interrupt closed the channel: no service is unavailable
		conclusive(ExceptionMappings.Reading.nothing(), "java.nio.channels.ClosedByInterruptException");
	}

	/**
	 * Only where it was thrown tells a connection that ended without an answer, as of a
	 * service that is restarted, from a body that is too short.
	 */
	private static Optional<FailureClassification> lostByHttpClient(Throwable failure) {
		return Arrays.stream(failure.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().startsWith("jdk.internal.net.http."))
					? Optional.of(Classifications.UNAVAILABLE) : Optional.empty();
	}

	private void answers() {
		conclusive(http("getStatusCode.value", "getResponseHeaders"),
				"org.springframework.web.client.RestClientResponseException");
		conclusive(http("getStatusCode.value", "getHeaders"),
				"org.springframework.web.reactive.function.client.WebClientResponseException");
		conclusive(http("getStatusCode", "getHeaders"), HypotheticalFailure.Status.class.getName());
		conclusive(http("status", "responseHeaders"), "feign.FeignException");
		// its cause is the exception with the headers, or the I/O error
		yielding(http("status", "responseHeaders").orElse(Classifications.UNAVAILABLE), "feign.RetryableException");
		conclusive(StatusCodes::readGrpc, "io.grpc.StatusRuntimeException", "io.grpc.StatusException");
		// an answer that can't be read is no proof against the message, so the parser's
		// exception beneath must not count as a malformed message
		yielding(Classifications.UNKNOWN, "org.springframework.web.client.RestClientException",
				"org.springframework.http.converter.HttpMessageNotReadableException",
				"org.springframework.core.codec.DecodingException", "feign.codec.DecodeException");
	}

	private void locks() {
		conclusive(Classifications.OPTIMISTIC_LOCK, "org.springframework.dao.OptimisticLockingFailureException",
				"jakarta.persistence.OptimisticLockException", "org.hibernate.StaleStateException",
				"org.hibernate.dialect.lock.OptimisticEntityLockException", "org.jooq.exception.DataChangedException");
		conclusive(Classifications.LOCK, "org.springframework.dao.ConcurrencyFailureException",
				"jakarta.persistence.PessimisticLockException", "jakarta.persistence.LockTimeoutException",
				"org.hibernate.PessimisticLockException", "org.hibernate.exception.LockAcquisitionException",
				"java.sql.SQLTransactionRollbackException");
	}

	private void dataAccess() {
		yielding(Classifications.UNAVAILABLE, "org.springframework.dao.TransientDataAccessException",
				"org.springframework.dao.RecoverableDataAccessException",
				// not transient by its supertype, but it means that the database is down
				"org.springframework.dao.NonTransientDataAccessResourceException", "java.sql.SQLTransientException");
		yielding(Classifications.DATA_ACCESS, "org.springframework.dao.NonTransientDataAccessException",
				"java.sql.SQLNonTransientException", "org.hibernate.exception.ConstraintViolationException");
		conclusive(StatusCodes::readSql, "java.sql.SQLException", HypotheticalFailure.State.class.getName());
		// not transient by its supertype, but it means that the error was unknown
		conclusive(ExceptionMappings.Reading.nothing(), "org.springframework.dao.UncategorizedDataAccessException");
	}

	private HttpStatusExtractor http(String status, String headers) {
		return new HttpStatusExtractor(this.clock, status.split("\\."), headers.split("\\."));
	}

	private void conclusive(FailureClassification classification, String... types) {
		conclusive(ExceptionMappings.Reading.always(classification), types);
	}

	private void conclusive(ExceptionMappings.Reading reading, String... types) {
		add(new ExceptionMappings.Mapping(reading, false), types);
	}

	private void yielding(FailureClassification classification, String... types) {
		yielding(ExceptionMappings.Reading.always(classification), types);
	}

	private void yielding(ExceptionMappings.Reading reading, String... types) {
		add(new ExceptionMappings.Mapping(reading, true), types);
	}

	private void add(ExceptionMappings.Mapping mapping, String... types) {
		for (String type : types) {
			Assert.state(this.rows.put(type, mapping) == null, () -> "%s is in the table twice".formatted(type));
		}
	}

	/**
	 * Keeps the getters of known exceptions, which are read without compiling against
	 * their libraries: a status, an SQLState, a Retry-After.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			new FailureTable(Clock.systemUTC()).rows()
				.keySet()
				.forEach((type) -> hints.reflection()
					.registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
		}

	}

}
