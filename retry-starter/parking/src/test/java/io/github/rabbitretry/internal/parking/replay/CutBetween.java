/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Stands between a client and the broker, can keep what the broker answers to itself, and
 * can cut all connections.
 */
final class CutBetween implements AutoCloseable {

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final String host;

	private final int port;

	private volatile boolean deaf;

	private volatile long read = Long.MAX_VALUE;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	CutBetween(String host, int port) throws IOException {
		// what is not read soon blocks the client
		this.server.setReceiveBufferSize(65_536);
		this.host = host;
		this.port = port;
		background(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** From now on the client hears nothing more from the broker. */
	void keepAnswers() {
		this.deaf = true;
	}

	/** Reads so much of what clients say and then nothing more, as under an alarm. */
	void readOnly(long bytes) {
		this.stopped = new CountDownLatch(1);
		this.read = bytes;
	}

	boolean readsNothing() {
		return this.read < 0 && this.stopped.getCount() > 0;
	}

	void readAgain() {
		this.stopped.countDown();
	}

	/** Cuts what is connected; who connects from now on hears the broker again. */
	void cut() {
		this.deaf = false;
		this.sockets.forEach(CutBetween::close);
		this.sockets.clear();
	}

	private void accept() throws IOException {
		while (!this.server.isClosed()) {
			Socket client = this.server.accept();
			try {
				connect(client, new Socket(this.host, this.port));
			}
			catch (IOException ex) {
				// the broker is away, and so is this
				close(client);
			}
		}
	}

	private void connect(Socket client, Socket broker) {
		this.sockets.addAll(List.of(client, broker));
		background(() -> copy(client, broker, false));
		background(() -> copy(broker, client, true));
	}

	private void copy(Socket from, Socket to, boolean answers) throws IOException, InterruptedException {
		byte[] buffer = new byte[65_536];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int count = in.read(buffer);
			while (count >= 0) {
				if (!answers || !this.deaf) {
					out.write(buffer, 0, count);
				}
				if (!answers && (this.read -= count) < 0) {
					this.stopped.await();
				}
				count = in.read(buffer);
			}
		}
	}

	private static void background(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException | InterruptedException ex) {
				// cut
			}
		}, "cut-between");
		thread.setDaemon(true);
		thread.start();
	}

	private static void close(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			// closed
		}
	}

	@Override
	public void close() {
		close(this.server);
		readAgain();
		cut();
	}

	private interface Work {

		void run() throws IOException, InterruptedException;

	}

}
