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
 * Replays parked messages as jobs. A job runs in the background, on one instance of the
 * application at a time; if that instance dies, another one continues. Requests that
 * cannot be carried out throw {@link ReplayRefusedException} and change nothing; database
 * failures throw Spring's {@code DataAccessException}.
 */
public interface ReplayService {

	/** The maximum number of jobs or messages in a page. */
	int LARGEST_PAGE = 1000;

	/**
	 * Determines what a replay would do, without doing it. The dry run is recorded in the
	 * audit.
	 * @param request the request
	 * @return the result
	 */
	DryRun dryRun(ReplayRequest request);

	/**
	 * Starts a replay. The messages are selected now: messages parked later are not part
	 * of it.
	 * @param request the request
	 * @return the job, which starts shortly
	 */
	ReplayJob start(ReplayRequest request);

	/**
	 * Pauses a job until it is resumed. Messages that are already being published are not
	 * stopped.
	 * @param replayId the job
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob pause(String replayId, OperatorAction act);

	/**
	 * Resumes a paused job. If it waited for its canary, it waits again.
	 * @param replayId the job
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob resume(String replayId, OperatorAction act);

	/**
	 * Resumes a paused job without waiting for its canary any longer, if the canary is
	 * known to have succeeded.
	 * @param replayId the job
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob resumeWithoutCanary(String replayId, OperatorAction act);

	/**
	 * Changes the rate of a job that has not ended.
	 * @param replayId the job
	 * @param rate messages per second, or {@code null} for no limit
	 * @param ramp the time in which to reach it, zero for immediately
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob changeRate(String replayId, @Nullable Double rate, Duration ramp, OperatorAction act);

	/**
	 * Aborts a job. Messages that are already being published are not stopped; all others
	 * stay parked.
	 * @param replayId the job
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob abort(String replayId, OperatorAction act);

	/**
	 * Parks messages again that a job that has ended may have published, so that they can
	 * be replayed or discarded like other parked messages. Make sure beforehand that they
	 * were not handled, or that handling them twice is harmless.
	 * @param replayId the job
	 * @param act the user and the reason
	 * @return the job
	 */
	ReplayJob restore(String replayId, OperatorAction act);

	/**
	 * Returns a job, with the outcomes known so far.
	 * @param replayId the job
	 * @return the job
	 */
	ReplayJob job(String replayId);

	/**
	 * Returns jobs, the most recently started first. Their counts are those last updated
	 * by the worker.
	 * @param state the state of the jobs, or {@code null} for any
	 * @param limit the maximum number of jobs, from 1 to {@value #LARGEST_PAGE}
	 * @return the jobs
	 */
	List<ReplayJob> jobs(ReplayJob.@Nullable State state, int limit);

	/**
	 * Returns a job's messages, in their order.
	 * @param replayId the job
	 * @param state the state of the messages, or {@code null} for any
	 * @param after the sequence after which to start, 0 for the first
	 * @param limit the maximum number of messages, from 1 to {@value #LARGEST_PAGE}
	 * @return the messages
	 */
	List<ReplayItem> items(String replayId, ReplayItem.@Nullable State state, long after, int limit);

}
