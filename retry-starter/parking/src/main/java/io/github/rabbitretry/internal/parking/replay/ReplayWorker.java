/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.parking.publication.BatchPublisher;
import io.github.rabbitretry.internal.parking.publication.BatchReader;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Works on jobs: on those begun here, and on those whose instance died.
 */
public final class ReplayWorker implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(ReplayWorker.class);

	private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(10);

	private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(10);

	/** Stalled ones included, each of which has a thread and a connection's channel. */
	private static final int MOST_JOBS = 20;

	private static final Duration STOP = Duration.ofSeconds(10);

	/** Three tasks may take long, and must not delay the others. */
	private static final int SCHEDULER_THREADS = 4;

	/** Outcomes of older jobs are only looked up when the job is requested. */
	private static final Duration SWEPT = Duration.ofDays(7);

	private final String instance = "%s/%s".formatted(ManagementFactory.getRuntimeMXBean().getName(),
			UUID.randomUUID());

	private final RateLimitedLog away = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final ReplayStores stores;

	private final ConnectionFactory connectionFactory;

	private final ConfirmedPublishers publishers;

	private final MessagePolicies policies;

	private final ReplaySettings settings;

	private final ReplayListener events;

	private final AtomicInteger working = new AtomicInteger();

	private final Set<JobRun> runs = ConcurrentHashMap.newKeySet();

	/** Of jobs, each of which has its own. */
	private volatile ExecutorService threads = Executors.newCachedThreadPool();

	private volatile @Nullable ThreadPoolTaskScheduler scheduler;

	private volatile long canariesAt = System.nanoTime();

	private volatile boolean stopping;

	private @Nullable StopDeadline deadline;

	private boolean autoStartup = true;

	/**
	 * Creates the worker.
	 * @param stores where jobs are
	 * @param connectionFactory leads to the broker
	 * @param publishers publish the copies
	 * @param policies the queues
	 * @param settings the bounds
	 * @param events the listener to notify
	 */
	public ReplayWorker(ReplayStores stores, ConnectionFactory connectionFactory, ConfirmedPublishers publishers,
			MessagePolicies policies, ReplaySettings settings, ReplayListener events) {
		this.stores = stores;
		this.connectionFactory = connectionFactory;
		this.publishers = publishers;
		this.policies = policies;
		this.settings = settings;
		this.events = events;
	}

	/**
	 * Sets whether it begins by itself.
	 * @param autoStartup {@code false} for an instance that leaves jobs to others
	 */
	public void setAutoStartup(boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	/** Has the worker look for jobs now. */
	void wakeUp() {
		ThreadPoolTaskScheduler running = this.scheduler;
		if (running != null) {
			running.execute(this::takeWaiting);
		}
	}

	/** Of a periodic task, which would not be run again if this threw. */
	private void failed(Throwable ex) {
		if (ex instanceof DataAccessException) {
			this.away.warn("Replays wait for their database", ex);
		}
		else {
			FatalErrors.endProcessUpon(ex);
			BestEffortLog.error(logger, "A task of replays failed; it is tried again", ex);
		}
	}

	/** Calls may overlap: each place is taken once. */
	private void takeWaiting() {
		synchronized (this.working) {
			forEach(this.stores.jobs().waiting(), (id) -> {
				if (hasPlace()) {
					acquire(id).ifPresent(this::start);
				}
			});
		}
	}

	/** One whose turn fails each time keeps no other from its own. */
	private void forEach(List<Long> jobs, Consumer<Long> turn) {
		RuntimeException failure = null;
		for (Long id : jobs) {
			try {
				if (!this.stopping) {
					turn.accept(id);
				}
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/** Stalled jobs don't count against the limit. */
	private boolean hasPlace() {
		int all = this.working.get();
		return all < MOST_JOBS
				&& all - this.runs.stream().filter(JobRun::isStalled).count() < this.settings.parallelJobs();
	}

	private Optional<Lease> acquire(long id) {
		return this.stores.jobs().acquire(id, this.instance, this.settings.lease());
	}

	/**
	 * A stop may have come since the lease was taken; another instance need not wait
	 * then.
	 */
	private void start(Lease lease) {
		this.working.incrementAndGet();
		try {
			this.threads.execute(() -> work(lease));
		}
		catch (Throwable ex) {
			this.working.decrementAndGet();
			this.stores.jobs().release(lease);
			if (!(ex instanceof RejectedExecutionException)) {
				throw ex;
			}
			// the application stops
		}
	}

	private void work(Lease lease) {
		try {
			StoredJob job = this.stores.jobs().get(lease.jobId());
			logger.info("Working on replay %s".formatted(job.replayId()));
			BatchReader reader = new BatchReader(job.replayId(), job.act(), job.options(), this.policies,
					(ids) -> this.stores.contents().read(job, ids));
			try (BatchPublisher publisher = new BatchPublisher(job.replayId(), reader, this.connectionFactory,
					this.publishers, this.settings, this.events)) {
				JobRun run = new JobRun(job, lease, this.stores, this.settings, publisher, new ReplayGuard(this.stores),
						() -> this.stopping);
				this.runs.add(run);
				try {
					run.run();
				}
				finally {
					this.runs.remove(run);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable ex) {
			FatalErrors.endProcessUpon(ex);
			logger.error("The work on a replay failed; it is taken up again when its lease has ended", ex);
		}
		finally {
			this.working.decrementAndGet();
			wakeUp();
		}
	}

	private void sweep() {
		this.stores.jobs().shortenLeases();
		this.stores.outcomes().uncertain(this.stores.application());
		forEach(this.stores.jobs().undecided(this.stores.clock().instant().minus(SWEPT)),
				(id) -> this.stores.outcomes().findParkedAgain(this.stores.jobs().get(id)));
	}

	/**
	 * Checks canaries that are published, without taking the place of a replay that
	 * publishes; after a failure at the next poll again.
	 */
	private void checkCanaries() {
		if (this.canariesAt - System.nanoTime() > 0) {
			return;
		}
		List<Long> waiting = this.stores.jobs().waitingCanaries();
		long begun = System.nanoTime();
		forEach(waiting, (id) -> acquire(id).ifPresent(this::checkCanary));
		this.canariesAt = System.nanoTime() + ReplayGuard.ONE_IN * (System.nanoTime() - begun);
	}

	private void checkCanary(Lease lease) {
		if (new ReplayGuard(this.stores).canaryPassed(lease)) {
			wakeUp();
		}
	}

	@Override
	public synchronized void start() {
		if (this.scheduler == null) {
			this.stopping = false;
			this.threads = Executors.newCachedThreadPool(DaemonThreads.named("rabbit-retry-replay"));
			ThreadPoolTaskScheduler started = new ThreadPoolTaskScheduler();
			started.setPoolSize(SCHEDULER_THREADS);
			started.setDaemon(true);
			started.setThreadNamePrefix("rabbit-retry-replay-scheduler-");
			started.setErrorHandler(this::failed);
			// what comes after the stop
			started.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
			started.initialize();
			this.scheduler = started;
			started.scheduleWithFixedDelay(this::takeWaiting, this.settings.pollInterval());
			started.scheduleWithFixedDelay(this::checkCanaries, this.settings.pollInterval());
			started.scheduleWithFixedDelay(this::sweep, BETWEEN_SWEEPS);
			// who publishes may be blocked for as long as the broker reads nothing
			started.scheduleWithFixedDelay(() -> this.runs.forEach(JobRun::keepLease),
					this.settings.lease().dividedBy(10));
			started.scheduleWithFixedDelay(
					() -> this.stores.retention().deleteOld(this.settings.retention(), () -> this.stopping),
					BETWEEN_DELETIONS);
		}
	}

	/**
	 * Bounds its stop, to be called before the start.
	 * @param deadline the time that a stop may take
	 */
	public void stopsWithin(StopDeadline deadline) {
		this.deadline = deadline;
	}

	/** Lets batches on their way come to their end, and gives all leases back. */
	@Override
	public synchronized void stop() {
		ThreadPoolTaskScheduler running = this.scheduler;
		if (running == null) {
			return;
		}
		this.stopping = true;
		StopDeadline stop = this.deadline;
		long until = System.nanoTime() + ((stop != null) ? stop.ofBatches(STOP) : STOP).toNanos();
		ExecutorService tasks = running.getScheduledExecutor();
		this.threads.shutdown();
		tasks.shutdown();
		try {
			if (!this.threads.awaitTermination((until - System.nanoTime()) / 2, TimeUnit.NANOSECONDS)) {
				this.runs.forEach(JobRun::hurry);
			}
			this.threads.awaitTermination(until - System.nanoTime(), TimeUnit.NANOSECONDS);
			tasks.awaitTermination(until - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.shutdownNow();
		tasks.shutdownNow();
		this.runs.clear();
		this.scheduler = null;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

	@Override
	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.REPLAYS;
	}

}
