/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.topology.TopologyParts;

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
	 * Sees to all parts, bindings after what they bind.
	 * @param parts what must be there
	 * @return what is wrong, in the order of the parts
	 * @throws DeclaringChannel.BrokerLostException if the connection went away
	 */
	List<TopologyProblem> run(TopologyParts parts) {
		ExecutorService threads = Executors.newFixedThreadPool(MOST_CHANNELS, (task) -> {
			Thread thread = new Thread(task, "rabbit-retry-declaration");
			thread.setDaemon(true);
			return thread;
		});
		try {
			List<TopologyProblem> problems = new ArrayList<>();
			problems.addAll(each(threads, parts.exchanges(), PartDeclarer::exchange));
			problems.addAll(each(threads, parts.queues(), PartDeclarer::queue));
			if (this.mode == TopologyMode.DECLARE) {
				problems.addAll(each(threads, parts.bindings(), PartDeclarer::binding));
			}
			return problems;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private <T> List<TopologyProblem> each(ExecutorService threads, List<T> parts,
			BiFunction<PartDeclarer, T, Optional<TopologyProblem>> see) {
		int portion = Math.max(PARTS_PER_CHANNEL, (parts.size() + MOST_CHANNELS - 1) / MOST_CHANNELS);
		List<Callable<List<TopologyProblem>>> tasks = new ArrayList<>();
		for (int begin = 0; begin < parts.size(); begin += portion) {
			List<T> some = parts.subList(begin, Math.min(begin + portion, parts.size()));
			tasks.add(() -> onOneChannel(some, see));
		}
		try {
			List<TopologyProblem> problems = new ArrayList<>();
			for (Future<List<TopologyProblem>> done : threads.invokeAll(tasks)) {
				problems.addAll(done.get());
			}
			return problems;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new DeclaringChannel.BrokerLostException(ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
	}

	private <T> List<TopologyProblem> onOneChannel(List<T> parts,
			BiFunction<PartDeclarer, T, Optional<TopologyProblem>> see) {
		try (DeclaringChannel channel = new DeclaringChannel(this.connection)) {
			PartDeclarer declarer = new PartDeclarer(channel, this.mode);
			return parts.stream().map((part) -> see.apply(declarer, part)).flatMap(Optional::stream).toList();
		}
	}

}
