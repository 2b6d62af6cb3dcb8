/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import com.rabbitmq.client.impl.CredentialsProvider;

/**
 * Access tokens of a client that may do all, as an OAuth 2 server would issue them.
 */
final class AccessTokens implements CredentialsProvider {

	static final byte[] KEY = "a key that has at least 32 bytes".getBytes(StandardCharsets.US_ASCII);

	static final String SUBJECT = "order-worker";

	private final Duration valid;

	private volatile Instant expires = Instant.EPOCH;

	AccessTokens(Duration valid) {
		this.valid = valid;
		refresh();
	}

	@Override
	public String getUsername() {
		return "";
	}

	@Override
	public String getPassword() {
		String signed = encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"key\"}") + "." + encoded("""
				{"sub": "%s", "aud": "rabbitmq", "exp": %d,
				 "scope": "rabbitmq.configure:*/* rabbitmq.write:*/*/* rabbitmq.read:*/*/*"}""".formatted(SUBJECT,
				this.expires.getEpochSecond()));
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
			return signed + "." + encoded(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String encoded(String json) {
		return encoded(json.getBytes(StandardCharsets.UTF_8));
	}

	private static String encoded(byte[] bytes) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	@Override
	public Duration getTimeBeforeExpiration() {
		return Duration.between(Instant.now(), this.expires);
	}

	@Override
	public void refresh() {
		this.expires = Instant.now().plus(this.valid);
	}

}
