/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.parking.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.internal.parking.actuate.ReplaysEndpoint;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.http.server.PathContainer;
import org.springframework.util.StringUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Where the console and the endpoints that it uses are, as they are mapped. Requests are
 * matched as Spring matches them: a path that is written otherwise, as with an escaped
 * letter, is the same path.
 */
final class ConsolePaths {

	private static final List<String> USED = List.of(ParkingLotEndpoint.ID, ReplaysEndpoint.ID, "retryexplain",
			"retrytopology", "waitingretries");

	private final String root;

	private final String up;

	private final Map<String, String> links = new LinkedHashMap<>();

	private final PathPattern console;

	private final PathPattern slashed;

	private final PathPattern session;

	private final List<PathPattern> data;

	ConsolePaths(PathMappedEndpoints endpoints) {
		this.root = Objects.requireNonNull(endpoints.getRootPath(EndpointId.of(ConsoleEndpoint.ID)));
		// the page's folder is above that of the endpoints if its own path has several
		// segments
		this.up = "../".repeat(StringUtils.countOccurrencesOf(this.root, "/"));
		for (String id : USED) {
			String path = endpoints.getRootPath(EndpointId.of(id));
			if (path != null) {
				this.links.put(id, this.up + path);
			}
		}
		String path = path(endpoints, ConsoleEndpoint.ID).findFirst().orElseThrow();
		this.console = PathPatternParser.defaultInstance.parse(path + "/{*file}");
		this.slashed = PathPatternParser.defaultInstance.parse(path + "/");
		this.session = PathPatternParser.defaultInstance.parse(path + "/" + ConsoleEndpoint.SESSION);
		this.data = Stream.of(ParkingLotEndpoint.ID, ReplaysEndpoint.ID)
			.flatMap((id) -> path(endpoints, id))
			.map((prefix) -> PathPatternParser.defaultInstance.parse(prefix + "/{*rest}"))
			.toList();
	}

	private static Stream<String> path(PathMappedEndpoints endpoints, String id) {
		return Stream.ofNullable(endpoints.getPath(EndpointId.of(id)));
	}

	/** The last segment of the page's path. */
	String segment() {
		return this.root.substring(this.root.lastIndexOf('/') + 1);
	}

	/** From the page's folder to what all endpoints are below; empty if it is there. */
	String up() {
		return this.up;
	}

	/** Ids of endpoints, with their paths as the page's folder sees them. */
	Map<String, String> links() {
		return this.links;
	}

	boolean isConsole(PathContainer path) {
		return this.console.matches(path);
	}

	/** With a slash at its end, the page's links would lead nowhere. */
	boolean isSlashed(PathContainer path) {
		return this.slashed.matches(path);
	}

	boolean isSession(PathContainer path) {
		return this.session.matches(path);
	}

	/** Whether it is an endpoint of parked messages, or of replays. */
	boolean isData(PathContainer path) {
		return this.data.stream().anyMatch((pattern) -> pattern.matches(path));
	}

}
