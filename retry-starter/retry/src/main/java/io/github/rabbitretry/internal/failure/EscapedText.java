/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with the characters that XML, HTML, JSON and URLs write in another way, so that
 * what is quoted is found however it is written.
 */
final class EscapedText {

	private static final Pattern ESCAPE = Pattern
		.compile("&(?:amp;)*(?:#(\\d{1,7})|#[xX](\\p{XDigit}{1,6})|([a-zA-Z]{2,8}));"
				+ "|\\\\+u+(\\p{XDigit}{4})|((?:%\\p{XDigit}{2})++)");

	private static final Map<String, String> NAMED = Map.ofEntries(Map.entry("amp", "&"), Map.entry("lt", "<"),
			Map.entry("gt", ">"), Map.entry("quot", "\""), Map.entry("apos", "'"), Map.entry("nbsp", " "),
			Map.entry("szlig", "\u00df"), Map.entry("oslash", "\u00f8"), Map.entry("aelig", "\u00e6"),
			Map.entry("oelig", "\u0153"), Map.entry("eth", "\u00f0"), Map.entry("thorn", "\u00fe"));

	/** What the names of letters in HTML end with, as the accent that it is. */
	private static final Map<String, String> ACCENTS = Map.of("uml", "\u0308", "acute", "\u0301", "grave", "\u0300",
			"circ", "\u0302", "tilde", "\u0303", "cedil", "\u0327", "ring", "\u030a", "caron", "\u030c");

	private EscapedText() {
	}

	static String decode(String text) {
		String composed = Normalizer.normalize(text, Normalizer.Form.NFC);
		boolean plain = composed.indexOf('&') < 0 && composed.indexOf('%') < 0 && composed.indexOf('\\') < 0;
		return plain ? composed
				: ESCAPE.matcher(composed).replaceAll((escape) -> Matcher.quoteReplacement(decoded(escape)));
	}

	private static String decoded(MatchResult escape) {
		if (escape.group(1) != null) {
			return character(Integer.parseInt(escape.group(1)), escape.group());
		}
		if (escape.group(3) != null) {
			return named(escape.group(3), escape.group());
		}
		if (escape.group(5) != null) {
			return bytes(escape.group(5));
		}
		String hexadecimal = (escape.group(2) != null) ? escape.group(2) : escape.group(4);
		return character(Integer.parseInt(hexadecimal, 16), escape.group());
	}

	/** Characters that end a line stay away from logs. */
	private static String character(int code, String escape) {
		if (!Character.isValidCodePoint(code)) {
			return escape;
		}
		return Character.isISOControl(code) ? " " : Character.toString(code);
	}

	private static String named(String name, String escape) {
		String known = NAMED.get(name);
		if (known != null) {
			return known;
		}
		String accent = ACCENTS.get(name.substring(1));
		return (accent != null) ? Normalizer.normalize(name.charAt(0) + accent, Normalizer.Form.NFC)
				: NAMED.getOrDefault(name.toLowerCase(Locale.ROOT), escape);
	}

	private static String bytes(String percents) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int at = 0; at < percents.length(); at += 3) {
			bytes.write(Integer.parseInt(percents, at + 1, at + 3, 16));
		}
		return text(bytes.toByteArray()).replaceAll("\\p{Cntrl}", " ");
	}

	private static String text(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return new String(bytes, StandardCharsets.ISO_8859_1);
		}
	}

}
