/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.connection.RefusableChannel;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.broker.TopologyProblem;

import org.springframework.amqp.AmqpIOException;

/**
 * Declares or verifies topologies, and finds everything that is wrong with them. Not by
 * {@code RabbitAdmin}, which tries a mismatch again and again for seventeen seconds,
 * leaves the rest undeclared and lets the application start.
 * <p>
 * Several channels work side by side: a quorum queue takes the broker some milliseconds
 * that are mostly waiting, and hundreds of message types have thousands of them.
 */
final class TopologyDeclarer {

	private static final int MOST_CHANNELS = 8;

	/** Fewer are not worth another channel. */
	private static final int PARTS_PER_CHANNEL = 32;

	private final Connection connection;

	private final TopologyMode mode;

	TopologyDeclarer(Connection connection, TopologyMode mode) {
		this.connection = connection;
		this.mode = mode;
	}

	/**
	 * Verifies all parts, and then declares those that are missing, bindings after what
	 * they bind.
	 * @param parts what must be there
	 * @param despiteProblems whether to declare what can be declared if something is
	 * wrong with other parts; nothing is declared otherwise
	 * @return what is wrong, in the order of the parts
	 * @throws org.springframework.amqp.AmqpException if the connection went away
	 */
	List<TopologyProblem> run(TopologyParts parts, boolean despiteProblems) {
		ExecutorService threads = Executors.newFixedThreadPool(MOST_CHANNELS,
				DaemonThreads.named("rabbit-retry-declaration"));
		try {
			Set<TopologyProblem> problems = new LinkedHashSet<>();
			List<ExchangeDefinition> exchanges = missing(threads, parts.exchanges(), PartDeclarer::verify, problems);
			List<QueueDefinition> queues = missing(threads, parts.queues(), PartDeclarer::verify, problems);
			if (this.mode == TopologyMode.DECLARE) {
				if (!exchanges.isEmpty() || !queues.isEmpty()) {
					run(threads, parts.bindings(), PartDeclarer::verify, problems, true);
				}
				// queues first: a limit of the virtual host is found out by them only
				run(threads, queues, PartDeclarer::declare, problems, despiteProblems);
				run(threads, exchanges, PartDeclarer::declare, problems, despiteProblems);
				run(threads, parts.bindings(), PartDeclarer::declare, problems, despiteProblems);
			}
			return List.copyOf(problems);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private <T> List<T> missing(ExecutorService threads, List<T> parts,
			BiFunction<PartDeclarer, T, PartDeclarer.Verification> verify, Set<TopologyProblem> problems) {
		List<PartDeclarer.Verification> verified = each(threads, parts, verify);
		verified.forEach((verification) -> verification.problem().ifPresent(problems::add));
		return IntStream.range(0, parts.size())
			.filter((index) -> verified.get(index).missing())
			.mapToObj(parts::get)
			.toList();
	}

	private <T> void run(ExecutorService threads, List<T> parts,
			BiFunction<PartDeclarer, T, Optional<TopologyProblem>> operation, Set<TopologyProblem> problems,
			boolean despiteProblems) {
		if (problems.isEmpty() || despiteProblems) {
			each(threads, parts, operation).forEach((problem) -> problem.ifPresent(problems::add));
		}
	}

	private <T, R> List<R> each(ExecutorService threads, List<T> parts, BiFunction<PartDeclarer, T, R> operation) {
		int portion = Math.max(PARTS_PER_CHANNEL, (parts.size() + MOST_CHANNELS - 1) / MOST_CHANNELS);
		List<Callable<List<R>>> tasks = new ArrayList<>();
		for (int begin = 0; begin < parts.size(); begin += portion) {
			List<T> some = parts.subList(begin, Math.min(begin + portion, parts.size()));
			tasks.add(() -> onOneChannel(some, operation));
		}
		try {
			List<R> results = new ArrayList<>();
			for (Future<List<R>> done : threads.invokeAll(tasks)) {
				results.addAll(done.get());
			}
			return results;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpIOException("interrupted while the topology was declared", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
	}

	private <T, R> List<R> onOneChannel(List<T> parts, BiFunction<PartDeclarer, T, R> operation) {
		try (RefusableChannel channel = new RefusableChannel(this.connection)) {
			PartDeclarer declarer = new PartDeclarer(channel, this.mode);
			return parts.stream().map((part) -> operation.apply(declarer, part)).toList();
		}
	}

}
