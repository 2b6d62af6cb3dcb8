/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToLongFunction;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.util.unit.DataSize;

/**
 * The space that is left for the file of an H2 in this process. H2 closes a file that it
 * can't write, and may lose what was committed before (seen with 2.4.240).
 */
final class DiskSpace {

	/** More than a batch takes, with what H2 writes besides. */
	private static final long NEEDED = DataSize.ofMegabytes(64).toBytes();

	private static final Log logger = LogFactory.getLog(DiskSpace.class);

	private final ToLongFunction<Path> usable;

	private volatile @Nullable Path folder;

	/**
	 * Creates it; as long as no folder is known, there is space.
	 * @param usable the bytes that are left for a folder
	 */
	DiskSpace(ToLongFunction<Path> usable) {
		this.usable = usable;
	}

	static long usable(Path folder) {
		try {
			return Files.getFileStore(folder).getUsableSpace();
		}
		catch (IOException | SecurityException ex) {
			logger.debug("It is not known how much space is left in " + folder, ex);
			return Long.MAX_VALUE;
		}
	}

	void of(Path databaseFolder) {
		this.folder = databaseFolder;
	}

	/** To be called before something is written. */
	void require() {
		Path known = this.folder;
		if (known == null) {
			return;
		}
		long left = this.usable.applyAsLong(known);
		if (left < NEEDED) {
			throw new DataAccessResourceFailureException(
					("%s MB are left in %s, and the ledger's H2 needs %s MB there, "
							+ "as a full disk can damage its file. Nothing is written until there is space")
						.formatted(DataSize.ofBytes(left).toMegabytes(), known,
								DataSize.ofBytes(NEEDED).toMegabytes()));
		}
	}

}
