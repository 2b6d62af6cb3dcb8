/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;

import org.springframework.util.FileSystemUtils;

/**
 * Where things are.
 */
public final class Surroundings {

	private Surroundings() {
	}

	/**
	 * Connects to the broker.
	 * @param broker the broker
	 * @param name what the broker shows
	 * @return the connection
	 * @throws IOException if there is no way to the broker
	 * @throws TimeoutException if it does not answer
	 */
	public static Connection connect(Broker broker, String name) throws IOException, TimeoutException {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(broker.host());
		factory.setPort(broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		factory.setVirtualHost(broker.virtualHost());
		// events that went by while there was no connection would be missing
		factory.setAutomaticRecoveryEnabled(false);
		return factory.newConnection(name);
	}

	/**
	 * The module's build folder.
	 * @return the folder
	 */
	public static Path target() {
		try {
			return Path.of(Surroundings.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException("The location of this class is not known", ex);
		}
	}

	/**
	 * The worker, built.
	 * @return its jar
	 * @throws IOException if there is none
	 */
	public static Path jar() throws IOException {
		try (DirectoryStream<Path> jars = Files.newDirectoryStream(target(), "sample-order-worker-*.jar")) {
			for (Path jar : jars) {
				return jar;
			}
		}
		throw new IOException(
				"There is no sample-order-worker-*.jar in %s: build it with Maven's package".formatted(target()));
	}

	/**
	 * A folder of the build folder, with nothing in it.
	 * @param name its name
	 * @return the folder
	 * @throws IOException if it can't be emptied
	 */
	public static Path emptyFolder(String name) throws IOException {
		Path folder = target().resolve(name);
		FileSystemUtils.deleteRecursively(folder);
		return Files.createDirectories(folder);
	}

}
