/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The charsets that a body may be written in. There may be several, since what read it
 * may have gone by any of them.
 */
final class BodyCharsets {

	private static final Pattern PARAMETER = Pattern.compile("(?i);\\s*charset\\s*=\\s*[\"']?([^\"';\\s]++)");

	private static final Pattern PROLOG = Pattern.compile("^\\s*<\\?xml[^>]*?encoding\\s*=\\s*[\"']([^\"'>]++)");

	private static final int LONGEST_PROLOG = 200;

	private BodyCharsets() {
	}

	/**
	 * All that the message names, and UTF-8.
	 * @param received the message
	 * @return at least one
	 */
	static Set<Charset> of(ReceivedMessage received) {
		Set<Charset> charsets = new LinkedHashSet<>();
		add(charsets, received.properties().getContentEncoding());
		add(charsets, found(PARAMETER, received.properties().getContentType()));
		Charset wide = wide(received.body());
		add(charsets, found(PROLOG, beginning(received.body(), (wide != null) ? wide : StandardCharsets.ISO_8859_1)));
		if (wide != null) {
			charsets.add(wide);
		}
		charsets.add(StandardCharsets.UTF_8);
		return charsets;
	}

	private static void add(Set<Charset> charsets, @Nullable String name) {
		try {
			if (name != null) {
				charsets.add(Charset.forName(name));
			}
		}
		catch (IllegalArgumentException ex) {
			// no charset, or none that anything here can read
		}
	}

	private static @Nullable String found(Pattern pattern, @Nullable String text) {
		Matcher matcher = pattern.matcher((text != null) ? text : "");
		return matcher.find() ? matcher.group(1) : null;
	}

	private static String beginning(byte[] body, Charset charset) {
		return new String(body, 0, Math.min(body.length, LONGEST_PROLOG), charset);
	}

	/** JSON and XML begin with ASCII characters, or a byte order mark. */
	private static @Nullable Charset wide(byte[] body) {
		if (body.length < 2) {
			return null;
		}
		if (body[0] == 0 || body[0] == (byte) 0xFE && body[1] == (byte) 0xFF) {
			return StandardCharsets.UTF_16BE;
		}
		return (body[1] == 0 || body[0] == (byte) 0xFF && body[1] == (byte) 0xFE) ? StandardCharsets.UTF_16LE : null;
	}

}
