/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

import org.jspecify.annotations.Nullable;

/**
 * Standard output, which remembers what became of it: a {@link java.io.PrintStream} does
 * not tell a full disk, after which an answer is not whole, from a reader that has seen
 * enough.
 */
public final class AnswerOutput extends FilterOutputStream {

	private volatile @Nullable IOException failure;

	/**
	 * Creates the stream.
	 * @param out where answers go
	 */
	public AnswerOutput(OutputStream out) {
		super(out);
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int from, int length) throws IOException {
		try {
			this.out.write(bytes, from, length);
		}
		catch (IOException ex) {
			this.failure = ex;
			throw ex;
		}
	}

	/**
	 * Why the answer is not whole.
	 * @return the system's message, or {@code null} if it is, or the reader has seen
	 * enough
	 */
	public @Nullable String failure() {
		IOException known = this.failure;
		String words = (known != null) ? String.valueOf(known.getMessage()) : null;
		return (words != null && words.contains("Broken pipe")) ? null : words;
	}

}
