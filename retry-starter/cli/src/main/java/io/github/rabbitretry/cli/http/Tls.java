/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

import io.github.rabbitretry.cli.service.ServiceException;

/**
 * Whom HTTPS trusts.
 */
public final class Tls {

	private static final int PROBE_MILLIS = 2000;

	private Tls() {
	}

	/**
	 * Trusts the authorities in a file, and no others.
	 * @param file their certificates, PEM
	 * @return what connects to those whom they have certified
	 * @throws ServiceException if there are none in it
	 */
	public static SSLSocketFactory trusting(Path file) {
		try (InputStream certificates = Files.newInputStream(file)) {
			KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
			store.load(null, null);
			for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(certificates)) {
				store.setCertificateEntry("authority-" + store.size(), authority);
			}
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(store);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, trust.getTrustManagers(), null);
			if (store.size() > 0) {
				return context.getSocketFactory();
			}
		}
		catch (IOException | GeneralSecurityException ex) {
			// said below
		}
		throw ServiceException
			.usage("%s has no certificates that can be read. Give those of the authorities as PEM.".formatted(file));
	}

	/** By a handshake, since servers answer plain HTTP in many ways, or not at all. */
	static boolean isSpokenAt(URI uri) {
		try (Socket plain = new Socket()) {
			plain.connect(new InetSocketAddress(uri.getHost(), (uri.getPort() > 0) ? uri.getPort() : 80), PROBE_MILLIS);
			plain.setSoTimeout(PROBE_MILLIS);
			SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
			try (SSLSocket socket = (SSLSocket) sockets.createSocket(plain, uri.getHost(), plain.getPort(), true)) {
				socket.startHandshake();
				return true;
			}
		}
		catch (SSLHandshakeException ex) {
			return !(ex.getCause() instanceof EOFException);
		}
		catch (IOException ex) {
			return false;
		}
	}

}
