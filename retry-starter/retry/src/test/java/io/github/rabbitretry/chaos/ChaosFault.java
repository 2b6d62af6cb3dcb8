/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.rabbitretry.chaos.TcpProxy.State;

/**
 * What can happen to a {@link ChaosSite}.
 */
enum ChaosFault {

	WORK_LEADER_KILLED((site) -> site.killLeader(site.topology().queue()), ChaosSite::startNodes),

	RETRY_LEADER_KILLED((site) -> site.killLeader(site.retryQueue()), ChaosSite::startNodes),

	PARKING_LEADER_KILLED((site) -> site.killLeader(site.topology().parkingLot()), ChaosSite::startNodes),

	NODE_FROZEN(ChaosSite::freezeNode, ChaosSite::unfreezeNode),

	ROLLING_RESTART(0, ChaosSite::restartOneAfterTheOther, ChaosSite::startNodes),

	ALL_NODES_KILLED(1, (site) -> site.cluster().killAll(), ChaosSite::startNodes),

	WORKER_KILLED(1, (site) -> site.worker().kill(), ChaosSite::startWorker),

	KILLED_BEFORE_PUBLISH(HandoverStep.BEFORE_PUBLISH),

	KILLED_BEFORE_CONFIRM(HandoverStep.PUBLISHED_NOT_CONFIRMED),

	KILLED_BEFORE_ACKNOWLEDGEMENT(HandoverStep.CONFIRMED_NOT_ACKNOWLEDGED),

	KILLED_AFTER_ACKNOWLEDGEMENT(HandoverStep.ACKNOWLEDGED),

	KILLED_AFTER_HANDLER(HandoverStep.HANDLED_NOT_ACKNOWLEDGED),

	KILLED_WHILE_PARKING(HandoverStep.WHILE_PARKING),

	WORKER_FROZEN(3 * ChaosSite.HEARTBEAT, (site) -> site.worker().signal("STOP"),
			(site) -> site.worker().signal("CONT")),

	CLOCK_AHEAD(3, (site) -> site.worker().clockAhead(Duration.ofMinutes(30)),
			(site) -> site.worker().clockAhead(Duration.ZERO)),

	CLOCK_BEHIND(3, (site) -> site.worker().clockAhead(Duration.ofMinutes(-30)),
			(site) -> site.worker().clockAhead(Duration.ZERO)),

	NETWORK_DELAYED((site) -> site.network((proxy) -> proxy.become(State.DELAYING)),
			(site) -> site.network((proxy) -> proxy.become(State.WELL))),

	NETWORK_THROTTLED((site) -> site.network((proxy) -> proxy.become(State.THROTTLING)),
			(site) -> site.network((proxy) -> proxy.become(State.WELL))),

	NETWORK_HALF_CLOSED(3 * ChaosSite.HEARTBEAT,
			(site) -> site.network((proxy) -> proxy.halfClose(site.random().nextBoolean())),
			(site) -> site.network(TcpProxy::recover)),

	NETWORK_SWALLOWS(3 * ChaosSite.HEARTBEAT, (site) -> site.network((proxy) -> proxy.become(State.SWALLOWING)),
			(site) -> site.network(TcpProxy::recover)),

	CONNECTIONS_CLOSED(0, (site) -> site.ctl("close_all_connections", "chaos"),
			(site) -> site.network((proxy) -> proxy.become(State.WELL))),

	WRITE_FORBIDDEN(3, (site) -> site.permit(".*", "", ".*"), ChaosSite::permitAll),

	ALL_FORBIDDEN(3, ChaosSite::forbidAll, ChaosSite::permitAll),

	MEMORY_ALARM(3, (site) -> site.anyNode().memoryAlarm(true), (site) -> site.anyNode().memoryAlarm(false)),

	DISK_ALARM(3, (site) -> site.ctl("set_disk_free_limit", "100000GB"),
			(site) -> site.ctl("set_disk_free_limit", "50MB")),

	CONSUMER_TIMEOUT(8, ChaosSite::shortenConsumerTimeout, ChaosSite::restoreConsumerTimeout),

	POLICY_CHANGED((site) -> site.limit("chaos", 1_000_000), ChaosSite::removePolicy),

	WORK_QUEUE_FULL(3, (site) -> site.limit(site.topology().queue() + "$", 1), ChaosSite::removePolicy),

	RETRY_QUEUE_FULL(3, (site) -> site.limit(site.retryQueue() + "$", 1), ChaosSite::removePolicy),

	PARKING_LOT_FULL(3, (site) -> site.limit(site.topology().parkingLot() + "$", 1), ChaosSite::removePolicy);

	private static final int ENDURED = -1;

	private final int seconds;

	private final Consumer<ChaosSite> begin;

	private final Consumer<ChaosSite> end;

	/** One during which messages flow. */
	ChaosFault(Consumer<ChaosSite> begin, Consumer<ChaosSite> end) {
		this(ENDURED, begin, end);
	}

	/** One that kills the worker. */
	ChaosFault(HandoverStep step) {
		this(0, (site) -> site.haltWorker(step), ChaosSite::startWorker);
	}

	/** One after whose end messages flow again. */
	ChaosFault(int seconds, Consumer<ChaosSite> begin, Consumer<ChaosSite> end) {
		this.seconds = seconds;
		this.begin = begin;
		this.end = end;
	}

	/**
	 * Happens, and is over.
	 * @return after how many seconds messages flowed again
	 */
	double happen(ChaosSite site) {
		this.begin.accept(site);
		double during = (this.seconds == ENDURED) ? site.awaitFlow() : 0;
		site.pause(Math.abs(this.seconds));
		this.end.accept(site);
		double after = site.awaitFlow();
		return (this.seconds == ENDURED) ? during : after;
	}

	/** How many times it may leave unacknowledged deliveries half done. */
	int interruptions() {
		return (this == ROLLING_RESTART) ? 3 : 1;
	}

}
