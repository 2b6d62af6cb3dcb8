/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks the management API for the policies of a virtual host. The lists of policies tell
 * more than the queues' own descriptions: those lag behind by seconds, are missing for
 * queues that are not declared yet, and are long where there are thousands of queues. Any
 * user with the tag {@code management} and access to the virtual host may read them.
 */
final class ManagementApi {

	private static final Log logger = LogFactory.getLog(ManagementApi.class);

	private static final int CONNECT_TIMEOUT = 2000;

	private static final int READ_TIMEOUT = 2000;

	private static final int LONGEST = 4 * 1024 * 1024;

	private static final long LONGEST_NANOS = 2_000_000_000L;

	private final ManagementSettings settings;

	ManagementApi(ManagementSettings settings) {
		this.settings = settings;
	}

	/**
	 * Asks for all policies.
	 * @return user policies and operator policies
	 * @throws ManagementUnavailableException if they can't be found out
	 */
	BrokerPolicies policies() {
		List<BrokerPolicy> policies = new ArrayList<>(policies("policies", false));
		policies.addAll(policies("operator-policies", true));
		return new BrokerPolicies(policies);
	}

	/**
	 * Asks for a queue.
	 * @param name its name
	 * @return what it was declared with
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	Optional<QueueDescription> findQueue(String name) {
		String address = address("queues") + "/" + encoded(name) + "?disable_stats=true&enable_queue_totals=true";
		try {
			if (!(Json.read(get(address)) instanceof Map<?, ?> queue)
					|| !(queue.get("arguments") instanceof Map<?, ?> given)) {
				throw new IllegalArgumentException("a queue expected");
			}
			Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
			given.forEach((key, value) -> arguments.put(String.valueOf(key), value));
			boolean lasting = Boolean.TRUE.equals(queue.get("durable"))
					&& !Boolean.TRUE.equals(queue.get("auto_delete")) && !Boolean.TRUE.equals(queue.get("exclusive"))
					&& !arguments.containsKey("x-expires");
			return Optional.of(new QueueDescription(String.valueOf(queue.get("type")), lasting, arguments));
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() == HttpURLConnection.HTTP_NOT_FOUND) {
				return Optional.empty();
			}
			throw ex;
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new ManagementUnavailableException("%s: %s".formatted(address, ex), ex);
		}
	}

	/**
	 * Counts what is ready in a queue.
	 * @param name its name
	 * @return how many messages, empty if there is no such queue
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	OptionalLong ready(String name) {
		String address = address("queues") + "/" + encoded(name) + "?disable_stats=true&enable_queue_totals=true";
		try {
			Object queue = Json.read(get(address));
			if (queue instanceof Map<?, ?> described && described.get("messages_ready") instanceof Number ready) {
				return OptionalLong.of(ready.longValue());
			}
			throw new IllegalArgumentException("the number of a queue's messages expected");
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() == HttpURLConnection.HTTP_NOT_FOUND) {
				return OptionalLong.empty();
			}
			throw ex;
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new ManagementUnavailableException("%s: %s".formatted(address, ex), ex);
		}
	}

	/**
	 * Asks for an exchange.
	 * @param name its name
	 * @return whether there is one
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	boolean hasExchange(String name) {
		String address = address("exchanges") + "/" + encoded(name) + "?columns=name";
		try {
			get(address);
			return true;
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() == HttpURLConnection.HTTP_NOT_FOUND) {
				return false;
			}
			throw ex;
		}
		catch (IOException ex) {
			throw new ManagementUnavailableException("%s: %s".formatted(address, ex), ex);
		}
	}

	private String address(String kind) {
		return this.settings.url() + "/api/" + kind + "/" + encoded(this.settings.virtualHost());
	}

	private static String encoded(String name) {
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private List<BrokerPolicy> policies(String kind, boolean operator) {
		String address = address(kind);
		try {
			Object list = Json.read(get(address));
			if (!(list instanceof List<?> entries)) {
				throw new IllegalArgumentException("a list expected");
			}
			return entries.stream().map((entry) -> policy(entry, operator)).filter(Objects::nonNull).toList();
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new ManagementUnavailableException("%s: %s".formatted(address, ex), ex);
		}
	}

	private String get(String address) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
		try {
			connection.setConnectTimeout(CONNECT_TIMEOUT);
			connection.setReadTimeout(READ_TIMEOUT);
			// credentials go to no other address
			connection.setInstanceFollowRedirects(false);
			connection.setRequestProperty("Authorization", authorization());
			int status = connection.getResponseCode();
			if (status != HttpURLConnection.HTTP_OK) {
				throw new ManagementUnavailableException(
						"%s: HTTP status %d%s".formatted(address, status, hint(status)), status);
			}
			try (InputStream body = connection.getInputStream()) {
				return read(body);
			}
		}
		finally {
			connection.disconnect();
		}
	}

	/** Each read is bounded, but there may be many. */
	private static String read(InputStream body) throws IOException {
		long begin = System.nanoTime();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		byte[] some = new byte[8192];
		for (int length = body.read(some); length >= 0; length = body.read(some)) {
			bytes.write(some, 0, length);
			if (bytes.size() > LONGEST || System.nanoTime() - begin > LONGEST_NANOS) {
				throw new IOException("the answer is too long or too slow");
			}
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

	private String hint(int status) {
		return (status == 401 || status == 403) ? ". User '%s' needs the tag 'management' and access to '%s'"
			.formatted(this.settings.username(), this.settings.virtualHost()) : "";
	}

	private String authorization() {
		String credentials = this.settings.username() + ":" + this.settings.password();
		return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
	}

	private static @Nullable BrokerPolicy policy(@Nullable Object entry, boolean operator) {
		if (!(entry instanceof Map<?, ?> policy) || !(policy.get("definition") instanceof Map<?, ?> definition)
				|| !(policy.get("pattern") instanceof String pattern)) {
			return null;
		}
		Map<String, Object> keys = new LinkedHashMap<>();
		definition.forEach((key, value) -> {
			if (value != null) {
				keys.put(String.valueOf(key), value);
			}
		});
		String name = String.valueOf(policy.get("name"));
		long priority = (policy.get("priority") instanceof Number number) ? number.longValue() : 0;
		try {
			return new BrokerPolicy(name, operator, Pattern.compile(pattern), String.valueOf(policy.get("apply-to")),
					priority, keys);
		}
		catch (PatternSyntaxException ex) {
			logger.warn("The pattern of policy '%s' can't be understood, so whether it is safe is not known: %s"
				.formatted(name, ex.getDescription()));
			return null;
		}
	}

}
