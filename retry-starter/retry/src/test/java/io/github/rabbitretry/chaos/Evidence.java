/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of handled messages, in a file that is appended to by one write each. What
 * was written belongs to the kernel and survives the process that wrote it.
 */
public final class Evidence {

	private final Path file;

	private final FileChannel channel;

	/**
	 * Opens the evidence.
	 * @param file where it is, or is to be
	 */
	public Evidence(Path file) {
		try {
			this.file = file;
			this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Adds a message.
	 * @param number its number
	 */
	public void handled(int number) {
		try {
			this.channel.write(ByteBuffer.wrap((number + "\n").getBytes(StandardCharsets.US_ASCII)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * How large the evidence is.
	 * @return bytes
	 */
	public long size() {
		try {
			return Files.size(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How often each message was handled. */
	Map<Integer, Integer> counts() {
		Map<Integer, Integer> counts = new TreeMap<>();
		since(0).forEach((number) -> counts.merge(number, 1, Integer::sum));
		return counts;
	}

	/**
	 * The messages that were handled since it had some size, in that order.
	 * @param size the size, 0 for all
	 * @return their numbers
	 */
	public List<Integer> since(long size) {
		try (InputStream in = Files.newInputStream(this.file)) {
			in.skipNBytes(size);
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().map(Integer::valueOf).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
