/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Limits failed logins, which keeps passwords from being guessed. No user can be locked
 * out by others: an address that is refused does not affect logins at other addresses,
 * which have one wrong attempt each while the user's own limit is reached.
 */
final class LoginThrottle extends DaoAuthenticationProvider {

	static final Duration WINDOW = Duration.ofMinutes(5);

	/** Failed logins of an address within a window, for all user names together. */
	static final int MOST_OF_ADDRESS = 10;

	/** After so many failures of a user, each address has a single one. */
	static final int MOST_OF_USER = 30;

	/** Older ones are forgotten. */
	static final int MOST_COUNTED = 30_000;

	private static final int LONGEST_KEY = 64;

	/** What one subscriber has of IPv6 is a network, in bytes. */
	private static final int NETWORK = 8;

	private static final Log logger = LogFactory.getLog(LoginThrottle.class);

	private final Map<String, Failures> failures = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
			return size() > MOST_COUNTED;
		}

	};

	private final LongSupplier nanoTime;

	LoginThrottle(UserDetailsService users, LongSupplier nanoTime) {
		super(users);
		this.nanoTime = nanoTime;
	}

	@Override
	public org.springframework.security.core.Authentication authenticate(
			org.springframework.security.core.Authentication login) {
		String address = (login.getDetails() instanceof WebAuthenticationDetails details)
				? network(details.getRemoteAddress()) : "";
		// names are compared in lower case
		String user = "user " + key(login.getName().toLowerCase(Locale.ROOT));
		check(address, user);
		try {
			org.springframework.security.core.Authentication known = super.authenticate(login);
			// of many at once, none must tell by its answer whether it was right
			check(address, user);
			return known;
		}
		catch (BadCredentialsException ex) {
			failed(address, user);
			check(address, user);
			throw ex;
		}
	}

	private synchronized void check(String address, String user) {
		if (count(address) >= MOST_OF_ADDRESS || (count(user) >= MOST_OF_USER && count(address + " " + user) > 0)) {
			throw new LockedException("Too many logins failed.");
		}
	}

	private synchronized void failed(String address, String user) {
		add(user);
		add(address + " " + user);
		if (add(address) == MOST_OF_ADDRESS) {
			logger.warn("%s logins from %s failed. It can't log in for %s minutes.".formatted(MOST_OF_ADDRESS,
					address.replaceAll("\\p{Cntrl}", " "), WINDOW.toMinutes()));
		}
	}

	private int count(String key) {
		Failures known = this.failures.get(key);
		return (known != null && this.nanoTime.getAsLong() - known.since < WINDOW.toNanos()) ? known.count : 0;
	}

	private int add(String key) {
		int count = count(key);
		Failures known = this.failures.remove(key);
		this.failures.put(key,
				new Failures((known != null && count > 0) ? known.since : this.nanoTime.getAsLong(), count + 1));
		return count + 1;
	}

	private static String network(String address) {
		try {
			// a proxy may say anything: names are not looked up
			String literal = address.replaceAll("%.*|[\\[\\]]", "");
			byte[] bytes = literal.matches("[0-9a-fA-F]*:[0-9a-fA-F:.]*") ? InetAddress.getByName(literal).getAddress()
					: new byte[0];
			return (bytes.length > NETWORK) ? HexFormat.ofDelimiter(":").formatHex(bytes, 0, NETWORK) : key(address);
		}
		catch (UnknownHostException ex) {
			return key(address);
		}
	}

	private static String key(String text) {
		return text.substring(0, Math.min(text.length(), LONGEST_KEY));
	}

	private record Failures(long since, int count) {
	}

}
