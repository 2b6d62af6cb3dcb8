/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.broker.Broker;

/**
 * The network between a worker and a node, to be made worse.
 */
final class TcpProxy implements AutoCloseable {

	private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int BYTES_PER_SECOND = 40_000;

	private final Broker broker;

	private final ServerSocket server;

	private final List<Pair> pairs = new CopyOnWriteArrayList<>();

	private volatile State state = State.WELL;

	TcpProxy(Broker broker) {
		try {
			this.broker = broker;
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			start(this::accept);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String address() {
		return "127.0.0.1:" + this.server.getLocalPort();
	}

	void become(State state) {
		this.state = state;
	}

	/** What was half closed, or lost bytes, can't go on. */
	void recover() {
		this.state = State.WELL;
		this.pairs.forEach(Pair::close);
	}

	/** Ends one direction of all connections; the other direction stays open. */
	void halfClose(boolean towardsBroker) {
		this.state = State.HALF_CLOSED;
		for (Pair pair : this.pairs) {
			try {
				(towardsBroker ? pair.broker : pair.worker).shutdownOutput();
			}
			catch (IOException ex) {
				// closed already
			}
		}
	}

	private void accept() {
		try {
			while (true) {
				Socket worker = this.server.accept();
				try {
					Pair pair = new Pair(worker, new Socket(this.broker.host(), this.broker.port()));
					this.pairs.add(pair);
					start(() -> pump(pair, pair.worker, pair.broker, true));
					start(() -> pump(pair, pair.broker, pair.worker, false));
				}
				catch (IOException ex) {
					worker.close();
				}
			}
		}
		catch (IOException ex) {
			// the proxy is closed
		}
	}

	private void pump(Pair pair, Socket from, Socket to, boolean towardsBroker) {
		byte[] buffer = new byte[8192];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				switch (this.state) {
					case DELAYING -> LockSupport.parkNanos(DELAY);
					case THROTTLING -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) * read / BYTES_PER_SECOND);
					default -> {
					}
				}
				if (this.state != State.SWALLOWING || !towardsBroker) {
					out.write(buffer, 0, read);
				}
			}
		}
		catch (IOException ex) {
			// as at the end
		}
		if (this.state != State.HALF_CLOSED) {
			pair.close();
			this.pairs.remove(pair);
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "tcp proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		recover();
	}

	/** What the proxy does to bytes. */
	enum State {

		WELL, DELAYING, THROTTLING, HALF_CLOSED,

		/** What the worker says is lost, what the broker says is not. */
		SWALLOWING

	}

	private record Pair(Socket worker, Socket broker) {

		void close() {
			try (Socket first = this.worker; Socket second = this.broker) {
				// both, whatever happens
			}
			catch (IOException ex) {
				// closed
			}
		}

	}

}
