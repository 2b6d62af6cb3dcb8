/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.broker.TopologyProblem;

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
	private static final int PARTS_PER_CHANNEL = 16;

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
	 * @throws DeclaringChannel.BrokerLostException if the connection went away
	 */
	List<TopologyProblem> run(TopologyParts parts, boolean despiteProblems) {
		ExecutorService threads = Executors.newFixedThreadPool(MOST_CHANNELS,
				DaemonThreads.named("rabbit-retry-declaration"));
		try {
			List<TopologyProblem> problems = new ArrayList<>();
			boolean declaring = this.mode == TopologyMode.DECLARE;
			TopologyParts unknown = inPlace(threads, parts) ? existingQueues(parts) : parts;
			List<ExchangeDefinition> exchanges = missing(threads, unknown.exchanges(), PartVerifier::exchange,
					problems);
			List<QueueDefinition> queues = missing(threads, unknown.queues(), PartVerifier::queue, problems);
			if (declaring && problems.isEmpty() && exchanges.isEmpty() && queues.isEmpty()
					&& allAtOnce(threads, parts.bindings(), PartDeclarer::sendBinding)) {
				return List.of();
			}
			if (declaring && (!exchanges.isEmpty() || !queues.isEmpty())) {
				problems.addAll(present(each(threads, parts.bindings(), this::verifier, PartVerifier::binding)));
			}
			if (declaring && (problems.isEmpty() || despiteProblems)) {
				// a limit of the virtual host is found out by the queues only
				problems.addAll(present(each(threads, queues, PartDeclarer::new, PartDeclarer::queue)));
			}
			if (declaring && (problems.isEmpty() || despiteProblems)) {
				problems.addAll(present(each(threads, exchanges, PartDeclarer::new, PartDeclarer::exchange)));
				if (!problems.isEmpty() || !allAtOnce(threads, parts.bindings(), PartDeclarer::sendBinding)) {
					problems.addAll(present(each(threads, parts.bindings(), PartDeclarer::new, PartDeclarer::binding)));
				}
			}
			return problems.stream().distinct().toList();
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Whether all is there already and as it must be, which it is at most starts and
	 * takes few questions to find out.
	 */
	private boolean inPlace(ExecutorService threads, TopologyParts parts) {
		// one answer is enough at a first start; the broker logs each as an error
		return !parts.exchanges().isEmpty()
				&& inPortions(threads, parts.exchanges().subList(0, 1), PartDeclarer::exist).get(0)
				&& inPortions(threads, parts.exchanges(), PartDeclarer::exist).stream().allMatch(Boolean::booleanValue)
				&& allAtOnce(threads, parts.exchanges(), PartDeclarer::sendExchange) && allAtOnce(threads,
						parts.queues().stream().filter((queue) -> !queue.existing()).toList(), PartDeclarer::sendQueue);
	}

	private static TopologyParts existingQueues(TopologyParts parts) {
		return new TopologyParts(List.of(), parts.queues().stream().filter(QueueDefinition::existing).toList(),
				List.of());
	}

	private <T> boolean allAtOnce(ExecutorService threads, List<T> parts,
			PartDeclarer.NoWaitDeclaration<T> declaration) {
		return inPortions(threads, parts, (declarer, some) -> declarer.accepted(some, declaration)).stream()
			.allMatch(Boolean::booleanValue);
	}

	private <T> List<Boolean> inPortions(ExecutorService threads, List<T> parts,
			BiFunction<PartDeclarer, List<T>, Boolean> work) {
		return perChannel(threads, parts, (channel, some) -> List.of(work.apply(new PartDeclarer(channel), some)));
	}

	private PartVerifier verifier(DeclaringChannel channel) {
		return new PartVerifier(channel, this.mode);
	}

	private <T> List<T> missing(ExecutorService threads, List<T> parts,
			BiFunction<PartVerifier, T, PartVerifier.Verification> verify, List<TopologyProblem> problems) {
		List<PartVerifier.Verification> verified = each(threads, parts, this::verifier, verify);
		problems.addAll(present(verified.stream().map(PartVerifier.Verification::problem).toList()));
		return IntStream.range(0, parts.size())
			.filter((index) -> verified.get(index).missing())
			.mapToObj(parts::get)
			.toList();
	}

	private static <T> List<T> present(List<Optional<T>> some) {
		return some.stream().flatMap(Optional::stream).toList();
	}

	private <W, T, R> List<R> each(ExecutorService threads, List<T> parts, Function<DeclaringChannel, W> worker,
			BiFunction<W, T, R> work) {
		return perChannel(threads, parts, (channel, some) -> {
			W one = worker.apply(channel);
			return some.stream().map((part) -> work.apply(one, part)).toList();
		});
	}

	private <T, R> List<R> perChannel(ExecutorService threads, List<T> parts,
			BiFunction<DeclaringChannel, List<T>, List<R>> work) {
		int portion = Math.max(PARTS_PER_CHANNEL, (parts.size() + MOST_CHANNELS - 1) / MOST_CHANNELS);
		List<Callable<List<R>>> tasks = new ArrayList<>();
		for (int begin = 0; begin < parts.size(); begin += portion) {
			List<T> some = parts.subList(begin, Math.min(begin + portion, parts.size()));
			tasks.add(() -> onOneChannel(some, work));
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
			throw new DeclaringChannel.BrokerLostException(ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
	}

	private <T, R> List<R> onOneChannel(List<T> parts, BiFunction<DeclaringChannel, List<T>, List<R>> work) {
		try (DeclaringChannel channel = new DeclaringChannel(this.connection)) {
			return work.apply(channel, parts);
		}
	}

}
