/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Has the engine pull the image if it lacks it. Testcontainers would do so too, but it
 * repeats a pull that fails for minutes, and then reports its timeout, not the cause.
 */
final class DockerImage {

	private static final Duration PULL = Duration.ofMinutes(10);

	private DockerImage() {
	}

	static void ensure(String image) {
		DockerImageName name = ImageNameSubstitutor.instance().apply(DockerImageName.parse(image));
		DockerClient docker = DockerClientFactory.instance().client();
		try {
			docker.inspectImageCmd(name.asCanonicalNameString()).exec();
		}
		catch (NotFoundException ex) {
			pull(docker, name);
		}
	}

	private static void pull(DockerClient docker, DockerImageName name) {
		try {
			boolean pulled = docker.pullImageCmd(name.getUnversionedPart())
				.withTag(name.getVersionPart())
				.start()
				.awaitCompletion(PULL.toSeconds(), TimeUnit.SECONDS);
			if (!pulled) {
				throw new IllegalStateException("its pull did not end within " + PULL.toMinutes() + " minutes");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the image was pulled", ex);
		}
	}

}
