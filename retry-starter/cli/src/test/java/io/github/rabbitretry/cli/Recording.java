/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.service.Answers;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service that remembers what it is asked and answers what it is told.
 */
final class Recording implements Service, Session.Ways {

	private final List<Request> requests = new ArrayList<>();

	private final Map<String, List<Answer>> answers = new HashMap<>();

	boolean loggedIn;

	int closed;

	record Answer(int status, String json) {
	}

	/** The last answer to a path stays. */
	Recording answers(String path, int status, String json) {
		this.answers.computeIfAbsent(path, (ignored) -> new ArrayList<>()).add(new Answer(status, json));
		return this;
	}

	Recording answers(String path, String json) {
		return answers(path, 200, json);
	}

	List<Request> requests() {
		return this.requests;
	}

	Request only() {
		if (this.requests.size() != 1) {
			throw new AssertionError("There are " + this.requests);
		}
		return this.requests.get(0);
	}

	@Override
	public JsonNode ask(Request request) {
		this.requests.add(request);
		String path = request.method() + " " + String.join("/", request.path());
		List<Answer> known = this.answers.getOrDefault(path, List.of(new Answer(200, "{}")));
		Answer answer = (known.size() > 1) ? known.remove(0) : known.get(0);
		return Answers.check(request, answer.status(), JsonMapper.shared().readTree(answer.json()));
	}

	@Override
	public void close() {
		this.closed++;
	}

	@Override
	public Service open(GlobalOptions options, Map<String, String> environment) {
		return this;
	}

	@Override
	public Service configured(GlobalOptions options, boolean offline) {
		return this;
	}

	@Override
	public boolean loggedIn(GlobalOptions options, Map<String, String> environment) {
		return this.loggedIn;
	}

}
