/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;
import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every database has to do as the memory of handled messages.
 */
@Timeout(60)
abstract class DeduplicatorContract {

	private static final String QUEUE = "order";

	private DataSource dataSource;

	private LedgerSchema schema;

	private HandledMessages handled;

	private JdbcTransactionManager transactions;

	private MessageDeduplicator deduplicator;

	private JdbcClient sql;

	abstract DataSource newDatabase();

	@BeforeEach
	void create() {
		this.dataSource = newDatabase();
		this.schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);
		this.handled = new HandledMessages(this.schema, Duration.ofSeconds(3));
		this.transactions = new JdbcTransactionManager(this.dataSource);
		this.deduplicator = new JdbcDeduplicator(this.handled, this.transactions, this.dataSource, "store");
		this.sql = JdbcClient.create(this.dataSource);
		this.sql.sql("create table effect (message varchar(255))").update();
	}

	@Test
	void aMessageHasItsEffectOnce() {
		assertThat(handle("m-1")).isTrue();
		assertThat(handle("m-1")).isFalse();
		assertThat(handle("m-2")).isTrue();
		assertThat(effects()).isEqualTo(2);
	}

	@Test
	void messagesOfAnotherQueueAreOthers() {
		assertThat(handle("m-1")).isTrue();
		assertThat(call("invoice", "m-1", () -> effect("m-1"))).isTrue();
	}

	@Test
	void whatAHandlerWroteBeforeItFailedIsUndoneAndItIsCalledAgain() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> this.deduplicator.handle(QUEUE, "m-1", () -> {
			effect("m-1");
			throw new Exception("a checked one");
		})).withMessage("a checked one");
		assertThat(effects()).isZero();
		assertThat(handle("m-1")).isTrue();
		assertThat(effects()).isEqualTo(1);
	}

	@Test
	void whatAHandlerWroteBeforeItDiscardedTheMessageIsCommittedWithTheMark() {
		ends("m-1", DiscardMessageException.asStale(), () -> effect("m-1"));
		ends("m-2", new ImmediateAcknowledgeAmqpException("enough"), () -> effect("m-2"));
		assertThat(effects()).isEqualTo(2);
		assertThat(handle("m-1")).isFalse();
		assertThat(handle("m-2")).isFalse();
	}

	@Test
	void whatAHandlerWroteBeforeItRejectedIsCommittedAndItsEventIsNeverLost() {
		ends("m-1", RejectMessageException.because("QUOTE_EXPIRED"), () -> effect("m-1"));
		assertThat(effects()).isEqualTo(1);
		assertThat(handle("m-1")).as("the process may have ended before the event was published").isTrue();
	}

	@Test
	void whatAHandlerWroteBeforeItParkedIsUndoneSinceItMayBeReplayed() {
		ends("m-1", ParkMessageException.because("QUOTE_EXPIRED"), () -> effect("m-1"));
		assertThat(effects()).isZero();
		assertThat(handle("m-1")).isTrue();
	}

	@Test
	void aHandlersOwnTransactionThatRollsBackStillEndsTheMessage() {
		TransactionTemplate own = new TransactionTemplate(this.transactions);
		ends("m-1", DiscardMessageException.asStale(), () -> own.executeWithoutResult((status) -> {
			effect("m-1");
			status.setRollbackOnly();
		}));
		assertThat(effects()).isZero();
		assertThat(handle("m-1")).isTrue();
	}

	@Test
	void aMessageCanBeEndedBecauseAStatementFailed() {
		for (RuntimeException end : List.of(DiscardMessageException.asStale(),
				RejectMessageException.because("QUOTE_EXPIRED"))) {
			ends("m-1", end, () -> assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> this.sql.sql("insert into no_such_table values (1)").update()));
			this.sql.sql("delete from rabbit_retry_handled").update();
		}
	}

	private void ends(String message, RuntimeException end, MessageDeduplicator.HandlerCall handler) {
		RuntimeException thrown = new ListenerExecutionFailedException("as Spring AMQP does", end);
		assertThatExceptionOfType(ListenerExecutionFailedException.class)
			.isThrownBy(() -> this.deduplicator.handle(QUEUE, message, () -> {
				handler.run();
				throw thrown;
			}))
			.isSameAs(thrown);
	}

	@Test
	void aTransactionOfTheHandlerJoins() {
		TransactionTemplate own = new TransactionTemplate(this.transactions);
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> this.deduplicator.handle(QUEUE, "m-1", () -> own.execute((status) -> {
				effect("m-1");
				status.setRollbackOnly();
				return true;
			})));
		assertThat(effects()).isZero();
		assertThat(handle("m-1")).isTrue();
	}

	@Test
	void withoutATransactionOfTheHandlerItsStatementsAreInThatOfTheDeduplicator() {
		call(QUEUE, "m-1", () -> {
			effect("m-1");
			CompletableFuture<Long> seen = CompletableFuture.supplyAsync(this::effects);
			assertThat(seen.get(10, TimeUnit.SECONDS)).as("not committed").isZero();
		});
		assertThat(effects()).isEqualTo(1);
	}

	@Test
	void aDuplicateWaitsForTheTransactionOfTheFirst() throws Exception {
		CountDownLatch ends = new CountDownLatch(1);
		CompletableFuture<Boolean> first = handling("m-1", () -> {
			assertThat(ends.await(10, TimeUnit.SECONDS)).isTrue();
			effect("m-1");
		});
		CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> handle("m-1"));
		assertThat(handle("m-2")).as("others don't wait").isTrue();
		assertThat(second).isNotDone();
		ends.countDown();
		assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
		assertThat(effects()).isEqualTo(2);
	}

	@Test
	void aDuplicateIsHandledIfTheFirstFails() throws Exception {
		CountDownLatch ends = new CountDownLatch(1);
		CompletableFuture<Boolean> first = handling("m-1", () -> {
			assertThat(ends.await(10, TimeUnit.SECONDS)).isTrue();
			throw new IllegalStateException("failed");
		});
		CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> handle("m-1"));
		ends.countDown();
		assertThat(first).failsWithin(Duration.ofSeconds(10)).withThrowableOfType(ExecutionException.class);
		assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void aDuplicateOfAMessageThatIsHandledForLongFailsForNow() throws Exception {
		CountDownLatch ends = new CountDownLatch(1);
		CompletableFuture<Boolean> first = handling("m-1", () -> assertThat(ends.await(30, TimeUnit.SECONDS)).isTrue());
		assertThatExceptionOfType(TransientDataAccessException.class)
			.isThrownBy(() -> this.deduplicator.handle(QUEUE, "m-1", () -> effect("m-1")));
		ends.countDown();
		assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(effects()).isZero();
	}

	@Test
	void anIdMayBeAnythingThatAMessageIdCanBe() {
		for (String id : new String[] { "\0", "\\0", "x\0y", "'; drop table effect", "\u00e4\u2603\ud83d\ude00",
				"m".repeat(255) }) {
			assertThat(handle(id)).isTrue();
			assertThat(handle(id)).isFalse();
		}
	}

	@Test
	void transactionsOfSomethingElseAreRefusedBeforeAnythingIsMarked() {
		JdbcDeduplicator other = new JdbcDeduplicator(this.handled, new OtherTransactions(), this.dataSource, "store");
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(other::verify)
			.withMessageContaining("needs transactions of the ledger's DataSource")
			.withMessageContaining(OtherTransactions.class.getName());
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> other.handle(QUEUE, "m-1", () -> effect("m-1")));
		assertThat(rows()).isZero();
	}

	@Test
	void aProxyThatKnowsTransactionsIsTheSameDatabase() throws Throwable {
		DataSource proxy = new TransactionAwareDataSourceProxy(this.dataSource);
		JdbcDeduplicator proxied = new JdbcDeduplicator(
				new HandledMessages(new LedgerSchema(proxy, SchemaInitialization.ALWAYS), Duration.ofSeconds(1)),
				new JdbcTransactionManager(proxy), proxy, "store");
		proxied.verify();
		assertThat(proxied.handle(QUEUE, "m-1", () -> effect("m-1"))).isTrue();
		assertThat(handle("m-1")).isFalse();
	}

	@Test
	void handledMessagesAreForgottenAfterTheirPolicysRetention() {
		MessagePolicies policies = new MessagePolicies(List.of(TestPolicy.order()
			.deduplication(new Deduplication(DeduplicationStore.JDBC, Duration.ofHours(1), 1))
			.build()));
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			for (int number = 0; number < 2_100; number++) {
				this.handled.mark(QUEUE, "old-" + number);
			}
		});
		call("invoice", "old", () -> effect("old"));
		this.sql.sql("update rabbit_retry_handled set handled_at = handled_at - interval '2' hour").update();
		handle("m-1");
		this.handled.tasks(policies).forEach((task) -> task.work().run());
		assertThat(rows()).as("the new one, and one of another queue").isEqualTo(2);
		assertThat(handle("m-1")).isFalse();
		assertThat(handle("old-7")).isTrue();
	}

	private CompletableFuture<Boolean> handling(String message, MessageDeduplicator.HandlerCall handler)
			throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> handling = CompletableFuture.supplyAsync(() -> call(QUEUE, message, () -> {
			begun.countDown();
			handler.run();
		}));
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		return handling;
	}

	private boolean handle(String message) {
		return call(QUEUE, message, () -> effect(message));
	}

	final JdbcClient sql() {
		return this.sql;
	}

	final boolean handle(String message, MessageDeduplicator.HandlerCall handler) {
		return call(QUEUE, message, handler);
	}

	private boolean call(String queue, String message, MessageDeduplicator.HandlerCall handler) {
		try {
			return this.deduplicator.handle(queue, message, handler);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void effect(String message) {
		this.sql.sql("insert into effect values (?)").param(message.replace('\0', ' ')).update();
	}

	private long effects() {
		return this.sql.sql("select count(*) from effect").query(Long.class).single();
	}

	private long rows() {
		return this.sql.sql("select count(*) from rabbit_retry_handled").query(Long.class).single();
	}

	/** Of a message broker, perhaps. */
	private static final class OtherTransactions extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
