/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * Reads from the management API. Each question is answered within 6 seconds and 4 MiB, or
 * fails.
 */
public final class ManagementClient {

	private static final int CONNECT_TIMEOUT = 2000;

	private static final int READ_TIMEOUT = 2000;

	private static final int LONGEST = 4 * 1024 * 1024;

	private static final int LONGEST_REASON = 200;

	private static final long LONGEST_NANOS = 2_000_000_000L;

	private final ManagementSettings settings;

	private volatile @Nullable SSLSocketFactory sockets;

	/**
	 * Creates it.
	 * @param settings where and as whom to ask
	 */
	public ManagementClient(ManagementSettings settings) {
		this.settings = settings;
		this.sockets = settings.sockets();
	}

	/**
	 * Identifies the virtual host.
	 * @return its name
	 */
	public String virtualHost() {
		return this.settings.virtualHost();
	}

	/**
	 * Tells where it asks.
	 * @return the address, without a slash at the end
	 */
	public String url() {
		return this.settings.url();
	}

	/**
	 * Tells as whom it asks.
	 * @return the user's name
	 */
	public String username() {
		return this.settings.username();
	}

	/**
	 * Lists things of the virtual host.
	 * @param kind what the API calls them, such as {@code queues}, with a query if wanted
	 * @return what {@link Json#read} makes of the answer
	 * @throws ManagementUnavailableException if they can't be found out
	 */
	public @Nullable Object list(String kind) {
		int query = kind.indexOf('?');
		return read("/api/%s/%s%s".formatted((query < 0) ? kind : kind.substring(0, query),
				encoded(this.settings.virtualHost()), (query < 0) ? "" : kind.substring(query)));
	}

	/**
	 * Asks for one thing of the virtual host.
	 * @param kind what the API calls such things, such as {@code queues}
	 * @param name its name
	 * @param query the query, begun by a question mark, or empty
	 * @return what {@link Json#read} makes of the answer, empty if there is no such thing
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	public Optional<Object> find(String kind, String name, String query) {
		try {
			return Optional.ofNullable(read(
					"/api/%s/%s/%s%s".formatted(kind, encoded(this.settings.virtualHost()), encoded(name), query)));
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() == HttpURLConnection.HTTP_NOT_FOUND) {
				return Optional.empty();
			}
			throw ex;
		}
	}

	/**
	 * Asks.
	 * @param path where, from {@code /api} on, encoded
	 * @return what {@link Json#read} makes of the answer
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	public @Nullable Object read(String path) {
		String address = this.settings.url() + path;
		String answer;
		try {
			answer = get(address);
		}
		catch (SSLHandshakeException ex) {
			throw new ManagementUnavailableException(
					"%s: %s. Its certificate has to name this host, and to be trusted by the SSL settings of the connection (spring.rabbitmq.ssl.*) or by the JVM"
						.formatted(page(address), ex),
					ex);
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new ManagementUnavailableException("%s: %s".formatted(page(address), ex), ex);
		}
		try {
			return Json.read(answer);
		}
		catch (IllegalArgumentException ex) {
			throw new ManagementUnavailableException(
					"%s: the answer is no JSON. Is that the management API?".formatted(page(address)), ex);
		}
	}

	/** The requested columns do not help to explain the failure. */
	private static String page(String address) {
		return address.replaceAll("\\?.*", "");
	}

	/**
	 * Encodes a name as a part of a path.
	 * @param name the name
	 * @return it, encoded
	 */
	public static String encoded(String name) {
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private String get(String address) throws IOException {
		SSLSocketFactory trusted = this.sockets;
		try {
			return get(address, trusted);
		}
		catch (SSLHandshakeException ex) {
			if (trusted == null) {
				throw ex;
			}
			try {
				// a proxy's certificate may be of a public authority
				String answer = get(address, null);
				this.sockets = null;
				return answer;
			}
			catch (SSLHandshakeException neither) {
				throw ex;
			}
		}
	}

	private String get(String address, @Nullable SSLSocketFactory trusted) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
		try {
			if (trusted != null && connection instanceof HttpsURLConnection secure) {
				// names of hosts are verified by default
				secure.setSSLSocketFactory(trusted);
			}
			connection.setConnectTimeout(CONNECT_TIMEOUT);
			connection.setReadTimeout(READ_TIMEOUT);
			// credentials go to no other address
			connection.setInstanceFollowRedirects(false);
			connection.setRequestProperty("Authorization", authorization());
			int status = connection.getResponseCode();
			if (status != HttpURLConnection.HTTP_OK) {
				throw new ManagementUnavailableException(
						"%s: HTTP status %s%s".formatted(page(address), status, hint(status, reason(connection))),
						status);
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

	/** What the broker says itself, empty if it says nothing. */
	private static String reason(HttpURLConnection connection) {
		try (InputStream body = connection.getErrorStream()) {
			return (body != null && Json.read(read(body)) instanceof Map<?, ?> error
					&& error.get("reason") instanceof String reason) ? line(reason) : "";
		}
		catch (IOException | IllegalArgumentException ex) {
			return "";
		}
	}

	private static String line(String text) {
		return text.substring(0, Math.min(text.length(), LONGEST_REASON)).replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
	}

	/** The reasons are those of RabbitMQ 4.0 to 4.3. */
	private String hint(int status, String reason) {
		String user = ". User '%s' ".formatted(this.settings.username());
		if (status == HttpURLConnection.HTTP_NOT_FOUND) {
			return user + "may have no permissions for virtual host '%s', or there is no such thing"
				.formatted(this.settings.virtualHost());
		}
		if (status != HttpURLConnection.HTTP_UNAUTHORIZED && status != HttpURLConnection.HTTP_FORBIDDEN) {
			return reason.isEmpty() ? "" : ". " + reason;
		}
		if (reason.contains("virtual host")) {
			return user + "has no permissions for virtual host '%s'".formatted(this.settings.virtualHost());
		}
		return switch (reason) {
			case "Not management user" -> user + "needs the tag management to ask anything";
			case "Not monitor user" ->
				user + "needs the tag monitoring to see nodes, and consumers and connections of others";
			case "Not administrator user" -> user + "needs the tag administrator to see users and their permissions";
			default -> user + "is refused%s. Check its password, the tag management, and its permissions for '%s'"
				.formatted(reason.isEmpty() ? "" : " (" + reason + ")", this.settings.virtualHost());
		};
	}

	private String authorization() {
		String credentials = this.settings.username() + ":" + this.settings.password();
		return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
	}

}
