/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.netty.handler.timeout.ReadTimeoutException;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import jakarta.persistence.RollbackException;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.AmqpTimeoutException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.AmqpReplyTimeoutException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.CannotSerializeTransactionException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.orm.ObjectOptimisticLockingFailureException;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.validation.BindException;
import org.springframework.validation.method.MethodValidationException;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;

import static io.github.rabbitretry.internal.classify.Failures.causedBy;
import static io.github.rabbitretry.internal.classify.Failures.ofLibrary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class BuiltInClassifierTests {

	@ParameterizedTest
	@MethodSource
	void timeouts(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.TIMEOUT);
	}

	static Stream<Throwable> timeouts() {
		return Stream.of(new SocketTimeoutException(), new InterruptedIOException(), new HttpTimeoutException(""),
				new HttpConnectTimeoutException(""), new TimeoutException(), new SQLTimeoutException(),
				new QueryTimeoutException(""), new TransactionTimedOutException(""), new AmqpTimeoutException(""),
				new AmqpReplyTimeoutException("", new Message(new byte[0])),
				new jakarta.persistence.QueryTimeoutException(), ofLibrary("org.hibernate.QueryTimeoutException"),
				ReadTimeoutException.INSTANCE, ofLibrary("io.lettuce.core.RedisCommandTimeoutException"),
				ofLibrary("com.mongodb.MongoTimeoutException"),
				ofLibrary("org.apache.kafka.common.errors.TimeoutException"));
	}

	@Test
	void aHandlersTimeoutIsWhatItIsWhateverTheInterruptMadeOfIt() {
		assertThat(Failures.classify(new HandlerTimeoutException("Order", Duration.ofSeconds(1),
				new SocketTimeoutException("Read timed out"))))
			.isEqualTo(FailureClassification.of(FailureClass.TRANSIENT, "HANDLER_TIMEOUT"));
	}

	@ParameterizedTest
	@MethodSource
	void unavailable(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNAVAILABLE);
	}

	static Stream<Throwable> unavailable() {
		return Stream.of(new ConnectException(), new NoRouteToHostException(), new UnknownHostException(),
				new SocketException("Connection reset"), new ClosedChannelException(), new UnresolvedAddressException(),
				new SSLHandshakeException(""), new SQLTransientConnectionException(), new SQLRecoverableException(),
				new SQLNonTransientConnectionException(), new SQLTransientException(),
				new ResourceAccessException("", new EOFException()), new DataAccessResourceFailureException(""),
				new NonTransientDataAccessResourceException("") {
				}, new TransientDataAccessResourceException(""), new RecoverableDataAccessException(""),
				new CannotGetJdbcConnectionException("", new SQLException()),
				new CannotCreateTransactionException("", new IllegalStateException()),
				new AmqpConnectException(new ConnectException()), new AmqpIOException(new IOException()),
				new WebClientRequestException(new IllegalStateException(), HttpMethod.GET, URI.create("/"),
						HttpHeaders.EMPTY),
				CallNotPermittedException.createCallNotPermittedException(CircuitBreaker.ofDefaults("gateway")),
				ofLibrary("io.lettuce.core.RedisConnectionException"), ofLibrary("com.mongodb.MongoSocketException"),
				ofLibrary("feign.RetryableException"), ofLibrary("org.hibernate.exception.JDBCConnectionException"));
	}

	@Test
	void aConnectionThatEndsWithoutAnAnswerIsLostForTheClientOfTheJdk() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			DaemonThreads.start("server", () -> endConnections(server));
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
				.timeout(Duration.ofSeconds(30))
				.build();
			Throwable failure = catchThrowable(
					() -> HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()));
			assertThat(failure).isExactlyInstanceOf(IOException.class).hasRootCauseInstanceOf(EOFException.class);
			assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNAVAILABLE);
		}
		assertThat(Failures.classify(new EOFException("the body is too short"))).isEqualTo(Classifications.UNKNOWN);
	}

	private static void endConnections(ServerSocket server) {
		while (!server.isClosed()) {
			try (Socket connection = server.accept()) {
				connection.getInputStream().read(new byte[8192]);
			}
			catch (IOException ex) {
				// the test has ended
			}
		}
	}

	@ParameterizedTest
	@MethodSource
	void rateLimits(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.RATE_LIMITED);
	}

	static Stream<Throwable> rateLimits() {
		return Stream.of(ofLibrary("io.github.resilience4j.ratelimiter.RequestNotPermitted"),
				ofLibrary("io.github.resilience4j.bulkhead.BulkheadFullException"),
				new InvocationRejectedException("", new Object()));
	}

	@ParameterizedTest
	@MethodSource
	void optimisticLocks(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.OPTIMISTIC_LOCK);
	}

	static Stream<Throwable> optimisticLocks() {
		return Stream.of(new OptimisticLockingFailureException(""),
				new ObjectOptimisticLockingFailureException("Order", 1), new OptimisticLockException(),
				ofLibrary("org.hibernate.StaleStateException"), ofLibrary("org.jooq.exception.DataChangedException"),
				new RollbackException(new OptimisticLockException()));
	}

	@ParameterizedTest
	@MethodSource
	void locks(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.LOCK);
	}

	static Stream<Throwable> locks() {
		return Stream.of(new ConcurrencyFailureException(""), new PessimisticLockingFailureException(""),
				new CannotAcquireLockException(""), cannotSerialize(), deadlockLoser(), new PessimisticLockException(),
				new LockTimeoutException(), new SQLTransactionRollbackException(),
				ofLibrary("org.hibernate.PessimisticLockException"),
				ofLibrary("org.hibernate.exception.LockAcquisitionException"));
	}

	@SuppressWarnings("deprecation")
	private static Throwable cannotSerialize() {
		return new CannotSerializeTransactionException("");
	}

	@SuppressWarnings("deprecation")
	private static Throwable deadlockLoser() {
		return new org.springframework.dao.DeadlockLoserDataAccessException("", new SQLException());
	}

	@ParameterizedTest
	@MethodSource
	void dataThatIsWrongForGood(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DATA_ACCESS);
	}

	static Stream<Throwable> dataThatIsWrongForGood() {
		return Stream.of(new DataIntegrityViolationException(""), new DuplicateKeyException(""),
				new BadSqlGrammarException("", "", new SQLException()), new SQLIntegrityConstraintViolationException(),
				new SQLSyntaxErrorException(), ofLibrary("org.hibernate.exception.ConstraintViolationException"));
	}

	@ParameterizedTest
	@MethodSource
	void malformedMessages(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	static Stream<Throwable> malformedMessages() {
		return Stream.of(new MessageConversionException(""),
				new org.springframework.messaging.converter.MessageConversionException(""), malformedJson(),
				new InvalidClassException(""), new StreamCorruptedException(),
				ofLibrary("com.fasterxml.jackson.core.JsonProcessingException"),
				ofLibrary("com.google.protobuf.InvalidProtocolBufferException"),
				ofLibrary("org.apache.avro.AvroRuntimeException"));
	}

	private static JacksonException malformedJson() {
		try {
			JsonMapper.shared().readTree("{");
			throw new IllegalStateException("this is no JSON");
		}
		catch (JacksonException ex) {
			return ex;
		}
	}

	@ParameterizedTest
	@MethodSource
	void invalidMessages(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.VALIDATION);
	}

	static Stream<Throwable> invalidMessages() {
		return Stream.of(new ConstraintViolationException(Set.of()), new ValidationException(),
				new BindException(new Object(), "order"),
				new MethodValidationException(MethodValidationResult.emptyResult()),
				new TransactionSystemException("", new RollbackException(new ConstraintViolationException(Set.of()))));
	}

	@Test
	void aRejectionByTheHandlerIsFinalWhateverCausedIt() {
		assertThat(Failures.classify(new AmqpRejectAndDontRequeueException("no", new SocketTimeoutException())))
			.isEqualTo(Classifications.REJECTED);
	}

	@Test
	void aRequestForAnotherDeliveryIsRetriedWhateverCausedIt() {
		assertThat(Failures.classify(new ImmediateRequeueAmqpException("again", malformedJson())))
			.isEqualTo(Classifications.UNKNOWN);
	}

	@ParameterizedTest
	@MethodSource
	void unknownFailures(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN);
	}

	static Stream<Throwable> unknownFailures() {
		return Stream.of(new IllegalStateException(), new NullPointerException(), new InterruptedException(),
				new ClosedByInterruptException(), new ImmediateAcknowledgeAmqpException(""),
				new ClassNotFoundException(), new NoSuchMethodException(), new IOException(), new StackOverflowError(),
				new UnexpectedRollbackException(""), new UncategorizedSQLException("", "", new SQLException()));
	}

	@ParameterizedTest
	@CsvSource({ "08006, DOWNSTREAM_UNAVAILABLE", "53300, DOWNSTREAM_UNAVAILABLE", "57P01, DOWNSTREAM_UNAVAILABLE",
			"25006, DOWNSTREAM_UNAVAILABLE", "57014, DOWNSTREAM_TIMEOUT", "HYT00, DOWNSTREAM_TIMEOUT",
			"40001, LOCK_CONFLICT", "40P01, LOCK_CONFLICT", "55P03, LOCK_CONFLICT", "41000, LOCK_CONFLICT",
			"22001, DATA_ACCESS_FAILED", "23505, DATA_ACCESS_FAILED", "42P01, DATA_ACCESS_FAILED",
			"HY000, UNKNOWN_FAILURE", "'', UNKNOWN_FAILURE", ", UNKNOWN_FAILURE" })
	void aPlainSqlExceptionIsKnownByItsState(String state, String reason) {
		SQLException failure = new SQLException("", state);
		assertThat(Failures.classify(failure).reason()).isEqualTo(reason);
		assertThat(Failures.classify(new UncategorizedSQLException("", "", failure)).reason()).isEqualTo(reason);
	}

	@Test
	void theOutermostKnownExceptionDecides() {
		assertThat(Failures.classify(causedBy(new QueryTimeoutException("", new CannotAcquireLockException("")))))
			.isEqualTo(Classifications.TIMEOUT);
	}

	@Test
	void wrappersAreSeenThrough() {
		assertThat(Failures.classify(causedBy(new ExecutionException(causedBy(new ConnectException())))))
			.isEqualTo(Classifications.UNAVAILABLE);
	}

	@Test
	void aSubclassThatIsNotInTheTableIsKnownByItsSuperclass() {
		assertThat(Failures.classify(new SocketTimeoutException() {
		})).isEqualTo(Classifications.TIMEOUT);
	}

	@ParameterizedTest
	@MethodSource
	void aTimeoutBeneathATellerOfLessIsATimeout(Throwable failure) {
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.TIMEOUT);
	}

	static Stream<Throwable> aTimeoutBeneathATellerOfLessIsATimeout() {
		SocketTimeoutException timeout = new SocketTimeoutException();
		return Stream.of(new ResourceAccessException("", timeout), new AmqpIOException(timeout),
				new CannotCreateTransactionException("",
						new CannotGetJdbcConnectionException("", new SQLTransientConnectionException(timeout))),
				ofLibrary("feign.RetryableException").initCause(timeout),
				new MessageConversionException("the schema registry did not answer", causedBy(timeout)),
				new ValidationException("a validator that asks a database", timeout),
				new RestClientException("the answer stopped half way", timeout));
	}

	@Test
	void aConnectionThatCanNotBeHadIsNotTheMessagesFault() {
		SQLException noSuchDatabase = new SQLException("", "42000");
		assertThat(Failures.classify(new CannotGetJdbcConnectionException("", noSuchDatabase)))
			.isEqualTo(Classifications.UNAVAILABLE);
	}

	@Test
	void anAnswerThatCanNotBeReadIsNotAMalformedMessage() {
		assertThat(Failures.classify(new RestClientException("", malformedJson()))).isEqualTo(Classifications.UNKNOWN);
		assertThat(Failures.classify(unreadable(malformedJson()))).isEqualTo(Classifications.UNKNOWN);
	}

	@SuppressWarnings("deprecation")
	private static Throwable unreadable(Throwable cause) {
		return new HttpMessageNotReadableException("", cause, null);
	}

	@Test
	void aCycleOfCausesEnds() {
		RuntimeException outer = new RuntimeException("outer");
		outer.initCause(new RuntimeException("inner", outer));
		assertThat(Failures.classify(outer)).isEqualTo(Classifications.UNKNOWN);
	}

	@Test
	void causesAreLookedAtToADepthOf32() {
		assertThat(Failures.classify(nested(new ConnectException(), 31))).isEqualTo(Classifications.UNAVAILABLE);
		assertThat(Failures.classify(nested(new ConnectException(), 32))).isEqualTo(Classifications.UNKNOWN);
	}

	private static Throwable nested(Throwable cause, int wrappers) {
		Throwable outermost = cause;
		for (int i = 0; i < wrappers; i++) {
			outermost = causedBy(outermost);
		}
		return outermost;
	}

	@Test
	void suppressedExceptionsSayNothing() {
		RuntimeException failure = new RuntimeException();
		failure.addSuppressed(new ConnectException());
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN);
	}

}
