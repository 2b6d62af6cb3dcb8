/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.broker.Broker;

/**
 * A network in which bytes take their time in either direction. However many are on their
 * way, none waits for those before it.
 */
final class DelayingProxy implements AutoCloseable {

	/** Both ways. */
	static final int ROUND_TRIP_MILLIS = 5;

	private static final long ONE_WAY = TimeUnit.MILLISECONDS.toNanos(ROUND_TRIP_MILLIS) / 2;

	private static final int LARGEST_READ = 65_536;

	private final Broker broker;

	private final ServerSocket server;

	DelayingProxy(Broker broker) throws IOException {
		this.broker = broker;
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	Route route() {
		return new Route(this.broker, this.server.getInetAddress().getHostAddress(), this.server.getLocalPort());
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.server.accept();
			start(() -> connect(client));
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			Socket target = new Socket(this.broker.host(), this.broker.port());
			pump(client, target);
			pump(target, client);
		}
		catch (IOException ex) {
			client.close();
		}
	}

	private static void pump(Socket from, Socket to) throws IOException {
		to.setTcpNoDelay(true);
		BlockingQueue<Bytes> underWay = new LinkedBlockingQueue<>();
		start(() -> read(from, underWay));
		start(() -> write(underWay, to));
	}

	private static void read(Socket from, BlockingQueue<Bytes> underWay) throws IOException {
		byte[] buffer = new byte[LARGEST_READ];
		int read = 0;
		try {
			InputStream in = from.getInputStream();
			while (read >= 0) {
				read = in.read(buffer);
				underWay.add(Bytes.sent(Arrays.copyOf(buffer, Math.max(0, read))));
			}
		}
		finally {
			underWay.add(Bytes.sent(new byte[0]));
		}
	}

	/** Until the end, which is nothing. */
	private static void write(BlockingQueue<Bytes> underWay, Socket to) throws Exception {
		try (to) {
			for (Bytes next = underWay.take(); next.content.length > 0; next = underWay.take()) {
				while (next.due - System.nanoTime() > 0) {
					LockSupport.parkNanos(next.due - System.nanoTime());
				}
				to.getOutputStream().write(next.content);
			}
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (Exception ex) {
				// one side has closed the connection, or the proxy is closed
			}
		}, "delaying-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	private interface Task {

		void run() throws Exception;

	}

	/**
	 * What is under way.
	 *
	 * @param due when it arrives
	 * @param content empty at the end
	 */
	private record Bytes(long due, byte[] content) {

		static Bytes sent(byte[] content) {
			return new Bytes(System.nanoTime() + ONE_WAY, content);
		}

	}

}
