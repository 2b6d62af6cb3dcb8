/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.deduplication.HandlerEnd;
import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Calls the handler in a transaction that begins by marking the message as handled, so
 * that the mark and what the handler writes are committed together or not at all. The
 * mark comes first: a transaction that waits for another one of the same message holds no
 * other lock.
 */
public final class JdbcDeduplicator implements MessageDeduplicator {

	/** The transaction can only be rolled back. */
	private static final String ABORTED = "25P02";

	private final HandledMessages handled;

	private final PlatformTransactionManager transactions;

	private final DataSource dataSource;

	private final String property;

	/**
	 * Creates the deduplicator.
	 * @param handled the table
	 * @param transactions the application's, which its handlers' transactions join
	 * @param dataSource leads to the table
	 * @param property what asks for it, for errors
	 */
	public JdbcDeduplicator(HandledMessages handled, PlatformTransactionManager transactions, DataSource dataSource,
			String property) {
		this.handled = handled;
		this.transactions = transactions;
		this.dataSource = (dataSource instanceof TransactionAwareDataSourceProxy proxy
				&& proxy.getTargetDataSource() != null) ? proxy.getTargetDataSource() : dataSource;
		this.property = property;
	}

	/**
	 * Creates the deduplicator of the policies with {@code deduplication.store} jdbc, in
	 * the application's transactions, which a handler's own join.
	 * @param policies the policies
	 * @param handled the table
	 * @param schema its database
	 * @param managers the application's transaction managers, if it has any
	 * @return the deduplicator
	 * @throws InvalidConfigurationException if the database is in memory, or there are
	 * several transaction managers
	 */
	public static JdbcDeduplicator of(MessagePolicies policies, HandledMessages handled, LedgerSchema schema,
			ObjectProvider<PlatformTransactionManager> managers) {
		String property = "rabbit-retry.message-policies.%s.deduplication.store".formatted(policies.all()
			.stream()
			.filter(HandledMessages::inDatabase)
			.map(MessagePolicy::messageType)
			.findFirst()
			.orElse("*"));
		if (schema.unused()) {
			throw new InvalidConfigurationException(property, "jdbc",
					"needs a database that outlives the process, and the ledger's is in memory",
					"Use in-memory or another database; or set rabbit-retry.ledger.enabled to true.");
		}
		PlatformTransactionManager unique = managers.getIfUnique();
		if (unique == null && managers.stream().findAny().isPresent()) {
			throw new InvalidConfigurationException(property, "jdbc",
					"needs one transaction manager for handlers, and there is more than one",
					"Mark that of the ledger's DataSource as @Primary, or define a MessageDeduplicator bean and use bean.");
		}
		return new JdbcDeduplicator(handled,
				(unique != null) ? unique : new JdbcTransactionManager(schema.dataSource()), schema.dataSource(),
				property);
	}

	/**
	 * Verifies that the transactions are those of the table's database, if that can be
	 * reached.
	 * @throws InvalidConfigurationException if they are of something else
	 */
	public void verify() {
		try {
			this.handled.prepare();
			TransactionStatus transaction = this.transactions.getTransaction(TransactionDefinition.withDefaults());
			try {
				requireSameDatabase();
			}
			finally {
				this.transactions.rollback(transaction);
			}
		}
		catch (DataAccessException | TransactionException ex) {
			// the ledger has said so, and each delivery asks again
		}
	}

	@Override
	public boolean handle(String queue, String messageId, HandlerCall handler) throws Throwable {
		this.handled.prepare();
		TransactionStatus transaction = this.transactions.getTransaction(TransactionDefinition.withDefaults());
		boolean first;
		try {
			requireSameDatabase();
			first = this.handled.mark(queue, messageId);
			if (first) {
				handler.run();
			}
		}
		catch (Throwable ex) {
			end(transaction, queue, messageId, ex);
			throw ex;
		}
		this.transactions.commit(transaction);
		return first;
	}

	/** What ends a message on purpose is committed, as what the handler wrote before. */
	private void end(TransactionStatus transaction, String queue, String messageId, Throwable failure) {
		HandlerEnd end = HandlerEnd.of(failure);
		if (end == HandlerEnd.FAILED || transaction.isRollbackOnly()) {
			rollBack(transaction, failure);
			return;
		}
		try {
			if (end == HandlerEnd.REJECTED) {
				this.handled.unmark(queue, messageId);
			}
			this.transactions.commit(transaction);
		}
		catch (RuntimeException ex) {
			if (!transaction.isCompleted()) {
				rollBack(transaction, ex);
			}
			if (!aborted(ex)) {
				ex.addSuppressed(failure);
				throw ex;
			}
		}
	}

	/**
	 * Where a statement of the handler had failed, PostgreSQL commits nothing any more.
	 * The handler ended its message all the same, perhaps because of that.
	 */
	private static boolean aborted(Throwable failure) {
		return CauseChain.of(failure)
			.stream()
			.anyMatch((cause) -> cause instanceof SQLException sql && ABORTED.equals(sql.getSQLState()));
	}

	private void rollBack(TransactionStatus transaction, Throwable failure) {
		try {
			this.transactions.rollback(transaction);
		}
		catch (TransactionException ex) {
			failure.addSuppressed(ex);
		}
	}

	/** Or the mark would be committed whatever becomes of the handler. */
	private void requireSameDatabase() {
		if (!TransactionSynchronizationManager.hasResource(this.dataSource)
				&& !(this.transactions instanceof JtaTransactionManager)) {
			throw new InvalidConfigurationException(this.property, "jdbc",
					"needs transactions of the ledger's DataSource, and those of %s are of something else"
						.formatted(this.transactions.getClass().getName()),
					"Name the handlers' DataSource with rabbit-retry.ledger.data-source, mark its transaction manager as @Primary, or define a MessageDeduplicator bean and use bean.");
		}
	}

}
