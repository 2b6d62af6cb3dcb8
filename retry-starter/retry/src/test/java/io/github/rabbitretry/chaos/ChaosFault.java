/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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

	/**
	 * Happens while another one does. They end in any order, but nodes run again after
	 * what was set on them is undone, and a worker is started last.
	 * @return after how many seconds messages flowed again
	 */
	double meet(ChaosFault other, ChaosSite site) {
		this.begin.accept(site);
		site.pause(1);
		other.begin.accept(site);
		site.pause(Math.max(2, Math.max(this.seconds, other.seconds)));
		List<ChaosFault> ends = Arrays.asList(this, other);
		Collections.shuffle(ends, site.random());
		ends.sort(Comparator.comparing((fault) -> Math.max(Part.NETWORK.ordinal(), fault.part().ordinal())));
		ends.forEach((fault) -> fault.end.accept(site));
		return site.awaitFlow();
	}

	/** Those that can meet each other, both ways round. */
	static ChaosPair[] pairs() {
		return Arrays.stream(values())
			.filter((fault) -> fault.part() != Part.OTHER)
			.flatMap((fault) -> Arrays.stream(values())
				.filter((other) -> other.part() != Part.OTHER && other.part() != fault.part())
				.map((other) -> new ChaosPair(fault, other)))
			.toArray(ChaosPair[]::new);
	}

	private Part part() {
		return switch (this) {
			case WRITE_FORBIDDEN, ALL_FORBIDDEN -> Part.PERMISSIONS;
			case MEMORY_ALARM, DISK_ALARM -> Part.ALARM;
			case WORK_QUEUE_FULL, RETRY_QUEUE_FULL, PARKING_LOT_FULL -> Part.POLICY;
			case NETWORK_HALF_CLOSED, NETWORK_SWALLOWS, CONNECTIONS_CLOSED -> Part.NETWORK;
			case WORK_LEADER_KILLED, RETRY_LEADER_KILLED -> Part.NODES;
			case WORKER_KILLED -> Part.WORKER;
			default -> Part.OTHER;
		};
	}

	/** Whether it ends with a process that starts, which takes seconds by itself. */
	boolean startsProcess() {
		return part() == Part.NODES || part() == Part.WORKER;
	}

	/** How many times it may leave unacknowledged deliveries half done. */
	int interruptions() {
		return (this == ROLLING_RESTART) ? 3 : 1;
	}

	/** What a fault breaks: two faults of one part undo each other. */
	private enum Part {

		PERMISSIONS, ALARM, POLICY, NETWORK, NODES, WORKER, OTHER

	}

	/**
	 * Two faults that meet.
	 *
	 * @param first begins first
	 * @param second begins while the first goes on
	 */
	record ChaosPair(ChaosFault first, ChaosFault second) {
	}

}
