/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.broker.Broker;

/**
 * The wire between worker and broker, to be cut at an exact moment: when the worker
 * acknowledges, the acknowledgement is held back, and the worker has no more to say.
 * Knows as much of AMQP 0-9-1 as that takes: frames, and three methods.
 */
final class AmqpProxy implements AutoCloseable {

	private static final int METHOD_FRAME = 1;

	private static final int BASIC = 60;

	private static final int PUBLISH = 40;

	private static final int ACK = 80;

	private static final int PROTOCOL_HEADER = 8;

	private final Broker broker;

	private final ServerSocket server;

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private volatile Runnable atTheAck = () -> {
	};

	private volatile boolean watching;

	AmqpProxy(Broker broker) throws IOException {
		this.broker = broker;
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start("accept", this::accept);
	}

	/** Where the worker finds its broker. */
	URI uri() {
		URI uri = this.broker.amqpUri();
		String user = (uri.getRawUserInfo() != null) ? uri.getRawUserInfo() + "@" : "";
		String path = (uri.getRawPath() != null) ? uri.getRawPath() : "";
		return URI.create("amqp://%s127.0.0.1:%d%s".formatted(user, this.server.getLocalPort(), path));
	}

	/**
	 * Watches from now on, until the worker acknowledges something.
	 * @param atTheAck what to do then; the broker does not get the acknowledgement
	 */
	void untilTheNextAck(Runnable atTheAck) {
		this.seen.clear();
		this.atTheAck = atTheAck;
		this.watching = true;
	}

	/** What went over the wire while it was watched. */
	List<String> seen() {
		return List.copyOf(this.seen);
	}

	private void accept() throws IOException {
		while (!this.server.isClosed()) {
			Socket worker = this.server.accept();
			try {
				Socket broker = new Socket(this.broker.host(), this.broker.port());
				worker.setTcpNoDelay(true);
				broker.setTcpNoDelay(true);
				start("worker to broker", () -> pump(worker, broker, true));
				start("broker to worker", () -> pump(broker, worker, false));
			}
			catch (IOException ex) {
				worker.close();
			}
		}
	}

	private void pump(Socket from, Socket to, boolean fromWorker) throws IOException {
		try (Closeable first = from;
				Closeable second = to;
				DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
				DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream()))) {
			if (fromWorker) {
				out.write(in.readNBytes(PROTOCOL_HEADER));
				out.flush();
			}
			while (true) {
				int type = in.readUnsignedByte();
				int channel = in.readUnsignedShort();
				int size = in.readInt();
				// and the byte that ends a frame
				byte[] payload = in.readNBytes(size + 1);
				if (this.watching && type == METHOD_FRAME && cut(payload, fromWorker)) {
					return;
				}
				out.writeByte(type);
				out.writeShort(channel);
				out.writeInt(size);
				out.write(payload);
				if (in.available() == 0) {
					out.flush();
				}
			}
		}
	}

	private boolean cut(byte[] payload, boolean fromWorker) {
		ByteBuffer method = ByteBuffer.wrap(payload);
		if (method.getShort() != BASIC) {
			return false;
		}
		int name = method.getShort();
		if (name == PUBLISH && fromWorker) {
			method.getShort();
			text(method);
			this.seen.add("copy to " + text(method));
		}
		else if (name == ACK && !fromWorker) {
			this.seen.add("confirm");
		}
		else if (name == ACK) {
			this.seen.add("ack held back");
			this.watching = false;
			this.atTheAck.run();
			return true;
		}
		return false;
	}

	private static String text(ByteBuffer method) {
		byte[] bytes = new byte[Byte.toUnsignedInt(method.get())];
		method.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static void start(String name, Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// one side has closed, and so has the other by now
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			// it is not needed any more
		}
	}

	/** Something that ends when a connection does. */
	private interface Task {

		void run() throws IOException;

	}

}
