/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An authority with a server and a client whom it has certified, made with the JDK's own
 * {@code keytool}.
 *
 * @param folder where all files are
 */
record TestCertificates(Path folder) {

	static final String PASSWORD = "s3cret";

	static TestCertificates create(Path folder) throws IOException, InterruptedException {
		TestCertificates certificates = new TestCertificates(folder);
		certificates.keytool("authority", "-genkeypair", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c");
		certificates.keytool("authority", "-exportcert", "-rfc", "-file", "authority.pem");
		certificates.certified("server", "-ext", "san=ip:127.0.0.1");
		certificates.certified("client");
		certificates.keytool("trust", "-importcert", "-noprompt", "-file", "authority.pem");
		return certificates;
	}

	Path file(String name) {
		return this.folder.resolve(name);
	}

	/** What RabbitMQ reads. */
	Path privateKey(String name) throws IOException, GeneralSecurityException {
		Key key = KeyStore.getInstance(file(name + ".p12").toFile(), PASSWORD.toCharArray())
			.getKey(name, PASSWORD.toCharArray());
		return Files.writeString(file(name + ".key"), "-----BEGIN PRIVATE KEY-----\n"
				+ Base64.getMimeEncoder().encodeToString(key.getEncoded()) + "\n-----END PRIVATE KEY-----\n");
	}

	private void certified(String name, String... extensions) throws IOException, InterruptedException {
		keytool(name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name);
		keytool(name, "-certreq", "-file", name + ".request");
		List<String> sign = new ArrayList<>(
				List.of("-gencert", "-rfc", "-infile", name + ".request", "-outfile", name + ".pem"));
		sign.addAll(List.of(extensions));
		keytool("authority", sign.toArray(String[]::new));
		Files.writeString(file(name + ".chain"),
				Files.readString(file(name + ".pem")) + Files.readString(file("authority.pem")));
		keytool(name, "-importcert", "-noprompt", "-file", name + ".chain");
	}

	private void keytool(String name, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-alias", name, "-keystore", name + ".p12", "-storepass", PASSWORD));
		Process process = new ProcessBuilder(command).directory(this.folder.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(output).isZero();
	}

}
