/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LoginThrottleTests {

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE);

	private final UserDetailsService users = new InMemoryUserDetailsManager(user("olivia"), user("otto"));

	/** What happens while a password is checked. */
	private Runnable meanwhile = () -> {
	};

	private final LoginThrottle throttle = new LoginThrottle((name) -> {
		this.meanwhile.run();
		return this.users.loadUserByUsername(name);
	}, this.time::get);

	private static UserDetails user(String name) {
		return User.withUsername(name).password("{noop}right").roles("OPERATOR").build();
	}

	private void logIn(String address, String user, String password) {
		UsernamePasswordAuthenticationToken login = UsernamePasswordAuthenticationToken.unauthenticated(user, password);
		login.setDetails(new WebAuthenticationDetails(address, null));
		assertThat(this.throttle.authenticate(login).isAuthenticated()).isTrue();
	}

	private void getsIn(String address, String user) {
		assertThatNoException().isThrownBy(() -> logIn(address, user, "right"));
	}

	private void fails(String address, String user, int times) {
		for (int failed = 0; failed < times; failed++) {
			refused(address, user, "wrong", AuthenticationException.class);
		}
	}

	private void refused(String address, String user, String password, Class<? extends AuthenticationException> how) {
		assertThatExceptionOfType(how).isThrownBy(() -> logIn(address, user, password));
	}

	@Test
	void whoHasFailedTooOftenWaits() {
		fails("192.0.2.1", "olivia", LoginThrottle.MOST_OF_ADDRESS / 2);
		getsIn("192.0.2.1", "olivia");
		fails("192.0.2.1", "nobody", LoginThrottle.MOST_OF_ADDRESS / 2 - 2);
		refused("192.0.2.1", "nobody", "wrong", BadCredentialsException.class);
		refused("192.0.2.1", "nobody", "wrong", LockedException.class);
		refused("192.0.2.1", "otto", "right", LockedException.class);
		this.time.addAndGet(LoginThrottle.WINDOW.toNanos() - 1);
		refused("192.0.2.1", "otto", "right", LockedException.class);
		this.time.addAndGet(1);
		getsIn("192.0.2.1", "otto");
	}

	@ParameterizedTest
	@ValueSource(strings = { "right", "wrong" })
	void ofManyThatComeAtOnceTheRightPasswordIsAnsweredAsTheWrongOnesAre(String password) {
		this.meanwhile = () -> {
			this.meanwhile = () -> {
			};
			fails("192.0.2.1", "olivia", LoginThrottle.MOST_OF_ADDRESS);
		};
		refused("192.0.2.1", "otto", password, LockedException.class);
	}

	@Test
	void whoIsGuessedFromEverywhereGetsInWhereNobodyGuessed() {
		for (int host = 0; host < LoginThrottle.MOST_OF_USER; host++) {
			fails("192.0.2." + host, "olivia", 1);
		}
		refused("192.0.2.0", "OLIVIA", "right", LockedException.class);
		getsIn("192.0.2.0", "otto");
		fails("198.51.100.1", "olivia", 1);
		refused("198.51.100.1", "olivia", "right", LockedException.class);
		getsIn("198.51.100.2", "olivia");
		getsIn("198.51.100.2", "olivia");
	}

	@Test
	void aNetworkOfIpv6IsOneAddress() {
		for (int host = 0; host < LoginThrottle.MOST_OF_ADDRESS; host++) {
			fails(((host % 2 == 0) ? "2001:db8:0:1::%s%%eth0" : "[2001:db8:0:1::%s]").formatted(host), "olivia", 1);
		}
		refused("2001:db8:0:1:ffff::1", "otto", "right", LockedException.class);
		getsIn("2001:db8:0:2::1", "otto");
		getsIn(":not an address", "otto");
	}

	@Test
	void whatIsCountedTakesNoMoreMemoryThanItsBound() {
		fails("192.0.2.1", "olivia", LoginThrottle.MOST_OF_ADDRESS);
		for (int host = 0; host < LoginThrottle.MOST_COUNTED / 2; host++) {
			fails("10.%s.%s".formatted(host, "x".repeat(1000)), "otto", 1);
		}
		getsIn("192.0.2.1", "olivia");
	}

}
