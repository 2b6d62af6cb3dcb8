/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A file system of H2's whose disk can be full: {@code jdbc:h2:full:/path}.
 */
public final class FullDisk extends FilePathWrapper {

	private static volatile boolean full;

	static void register() {
		FilePath.register(new FullDisk());
	}

	static void full(boolean isFull) {
		full = isFull;
	}

	@Override
	public String getScheme() {
		return "full";
	}

	@Override
	public FileChannel open(String mode) throws IOException {
		return new Channel(getBase().open(mode));
	}

	private static final class Channel extends FileBaseDefault {

		private final FileChannel file;

		private Channel(FileChannel file) {
			this.file = file;
		}

		@Override
		public long size() throws IOException {
			return this.file.size();
		}

		@Override
		public int read(ByteBuffer target, long position) throws IOException {
			return this.file.read(target, position);
		}

		@Override
		public int write(ByteBuffer source, long position) throws IOException {
			if (full) {
				throw new IOException("No space left on device");
			}
			return this.file.write(source, position);
		}

		@Override
		protected void implTruncate(long size) throws IOException {
			this.file.truncate(size);
		}

		@Override
		public void force(boolean metaData) throws IOException {
			this.file.force(metaData);
		}

		@Override
		public FileLock tryLock(long position, long size, boolean shared) throws IOException {
			return this.file.tryLock(position, size, shared);
		}

		@Override
		protected void implCloseChannel() throws IOException {
			this.file.close();
			super.implCloseChannel();
		}

	}

}
