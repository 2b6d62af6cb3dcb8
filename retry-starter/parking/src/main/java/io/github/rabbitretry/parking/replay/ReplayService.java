/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Replays parked messages as jobs. A job works in the background, on one instance of the
 * application at a time; when that instance dies, another one goes on. What is asked for
 * and can't be done throws {@link ReplayRefusedException} and changes nothing; a database
 * that can't be used throws Spring's {@code DataAccessException}.
 */
public interface ReplayService {

	/** The most jobs or messages of a page. */
	int LARGEST_PAGE = 1000;

	/**
	 * Tells what a replay would do, without doing it. Recorded in the audit.
	 * @param request what would be replayed
	 * @return what is known of it
	 */
	DryRun dryRun(ReplayRequest request);

	/**
	 * Begins a replay. The messages are chosen now: what is parked later is not in it.
	 * @param request what to replay
	 * @return the job, on which work begins soon
	 */
	ReplayJob start(ReplayRequest request);

	/**
	 * Has a job publish no more until it is resumed. Messages on their way go through.
	 * @param replayId the job
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob pause(String replayId, OperatorAction act);

	/**
	 * Has a paused job go on where it was. If it waited for its canary, it waits again.
	 * @param replayId the job
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob resume(String replayId, OperatorAction act);

	/**
	 * Has a paused job go on without waiting for its canary any more, for whoever knows
	 * that the canary succeeded.
	 * @param replayId the job
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob resumeWithoutCanary(String replayId, OperatorAction act);

	/**
	 * Has a job that has not ended go on at another rate.
	 * @param replayId the job
	 * @param rate messages per second, or {@code null} for no limit
	 * @param ramp how long it takes to grow to it, zero for at once
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob changeRate(String replayId, @Nullable Double rate, Duration ramp, OperatorAction act);

	/**
	 * Ends a job. Messages on their way go through; all others stay parked.
	 * @param replayId the job
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob abort(String replayId, OperatorAction act);

	/**
	 * Parks again what a job that has ended perhaps published and perhaps did not, so
	 * that it can be replayed or discarded like everything else that is parked. Whoever
	 * does that has made sure that it was not handled, or that handling it twice does no
	 * harm.
	 * @param replayId the job
	 * @param act who and why
	 * @return the job
	 */
	ReplayJob restore(String replayId, OperatorAction act);

	/**
	 * Tells of a job, outcomes known by now included.
	 * @param replayId the job
	 * @return the job
	 */
	ReplayJob job(String replayId);

	/**
	 * Tells of jobs, the last one begun first. Their counts are as they were last brought
	 * up to date by the worker.
	 * @param state where they stand, or {@code null} for any
	 * @param limit how many at most, from 1 to {@value #LARGEST_PAGE}
	 * @return the jobs
	 */
	List<ReplayJob> jobs(ReplayJob.@Nullable State state, int limit);

	/**
	 * Tells of a job's messages, in their order.
	 * @param replayId the job
	 * @param state where they stand, or {@code null} for any
	 * @param after the sequence after which to begin, 0 for the first
	 * @param limit how many at most, from 1 to {@value #LARGEST_PAGE}
	 * @return the messages
	 */
	List<ReplayItem> items(String replayId, ReplayItem.@Nullable State state, long after, int limit);

}
