/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.broker.Broker;

/**
 * The little of AMQP 0-9-1 that it takes to send any bytes as a message and to take
 * messages without reading them.
 */
final class Amqp091 implements AutoCloseable {

	private static final int FRAME_MAX = 131_072;

	private static final int OVERHEAD = 8;

	private static final int METHOD = 1;

	private static final int HEADER = 2;

	private static final int BODY = 3;

	private final Socket socket;

	private final DataInputStream in;

	private final OutputStream out;

	private long published;

	private String closedWith = "";

	Amqp091(Broker broker) throws IOException {
		this.socket = new Socket(broker.host(), broker.port());
		this.socket.setTcpNoDelay(true);
		this.socket.setSoTimeout(60_000);
		this.in = new DataInputStream(new java.io.BufferedInputStream(this.socket.getInputStream(), 1 << 16));
		this.out = new BufferedOutputStream(this.socket.getOutputStream(), 1 << 16);
		this.out.write(new byte[] { 'A', 'M', 'Q', 'P', 0, 0, 9, 1 });
		this.out.flush();
		await(10, 10);
		method(0,
				new Wire().u16(10)
					.u16(11)
					.u32(0)
					.shortString("PLAIN")
					.longString(("\0" + broker.username() + "\0" + broker.password()).getBytes(StandardCharsets.UTF_8))
					.shortString("en_US"));
		await(10, 30);
		method(0, new Wire().u16(10).u16(31).u16(10).u32(FRAME_MAX).u16(0));
		method(0, new Wire().u16(10).u16(40).shortString(broker.virtualHost()).u8(0).u8(0));
		await(10, 41);
		method(1, new Wire().u16(20).u16(10).u8(0));
		await(20, 11);
		method(1, new Wire().u16(85).u16(10).u8(0));
		await(85, 11);
	}

	/** What the broker said when it ended the connection or the channel. */
	String closedWith() {
		return this.closedWith;
	}

	/** Publishes all, then waits for all answers. */
	List<Sent> publish(List<FuzzMessage> messages) {
		Sent[] outcomes = new Sent[messages.size()];
		Arrays.fill(outcomes, (messages.size() == 1) ? Sent.REFUSED : Sent.UNKNOWN);
		long first = this.published + 1;
		try {
			for (FuzzMessage message : messages) {
				this.published++;
				write(message);
			}
			this.out.flush();
			int open = messages.size();
			while (open > 0) {
				open -= settle(outcomes, first);
			}
		}
		catch (IOException ex) {
			if (this.closedWith.isEmpty()) {
				this.closedWith = ex.toString();
			}
		}
		return List.of(outcomes);
	}

	private void write(FuzzMessage message) throws IOException {
		frame(METHOD, 1,
				new Wire().u16(60).u16(40).u16(0).shortString("").shortString(message.queue()).u8(0).toBytes());
		frame(HEADER, 1, new Wire().u16(60).u16(0).u64(message.body().length).bytes(message.content()).toBytes());
		for (int begin = 0; begin < message.body().length; begin += FRAME_MAX - OVERHEAD) {
			frame(BODY, 1, Arrays.copyOfRange(message.body(), begin,
					Math.min(message.body().length, begin + FRAME_MAX - OVERHEAD)));
		}
	}

	private int settle(Sent[] outcomes, long first) throws IOException {
		Frame frame = read();
		if (!frame.is(60, 80) && !frame.is(60, 120)) {
			return 0;
		}
		long tag = frame.u64(4);
		boolean multiple = (frame.payload[12] & 1) != 0;
		int settled = 0;
		for (int index = 0; index < outcomes.length; index++) {
			long number = first + index;
			if ((number == tag || (multiple && number < tag)) && outcomes[index] != Sent.CONFIRMED) {
				outcomes[index] = Sent.CONFIRMED;
				settled++;
			}
		}
		return settled;
	}

	/** Rejects messages as they come, for good, until none has come for three seconds. */
	void reject(String queue) throws IOException {
		this.socket.setSoTimeout(3_000);
		method(1, new Wire().u16(60).u16(10).u32(0).u16(200).u8(0));
		await(60, 11);
		method(1, new Wire().u16(60).u16(20).u16(0).shortString(queue).shortString("foreign").u8(0).u32(0));
		await(60, 21);
		try {
			while (true) {
				Frame frame = read();
				if (frame.is(60, 60)) {
					long tag = frame.u64(5 + frame.payload[4]);
					body();
					method(1, new Wire().u16(60).u16(90).u64(tag).u8(0));
				}
			}
		}
		catch (SocketTimeoutException ex) {
			// there are no more; some expired meanwhile
		}
	}

	/** Takes a message for good. */
	Optional<byte[]> take(String queue) throws IOException {
		method(1, new Wire().u16(60).u16(70).u16(0).shortString(queue).u8(1));
		Frame frame = read();
		return frame.is(60, 71) ? Optional.of(body()) : Optional.empty();
	}

	List<byte[]> drain(String queue) throws IOException {
		List<byte[]> bodies = new ArrayList<>();
		for (Optional<byte[]> body = take(queue); body.isPresent(); body = take(queue)) {
			bodies.add(body.get());
		}
		return bodies;
	}

	private byte[] body() throws IOException {
		Frame header = read();
		long size = header.u64(4);
		Wire body = new Wire();
		while (body.size() < size) {
			body.bytes(read().payload);
		}
		return body.toBytes();
	}

	private void method(int channel, Wire arguments) throws IOException {
		frame(METHOD, channel, arguments.toBytes());
		this.out.flush();
	}

	private void frame(int type, int channel, byte[] payload) throws IOException {
		this.out.write(new Wire().u8(type).u16(channel).u32(payload.length).toBytes());
		this.out.write(payload);
		this.out.write(0xCE);
	}

	private void await(int type, int method) throws IOException {
		while (!read().is(type, method)) {
			// a heartbeat
		}
	}

	private Frame read() throws IOException {
		int type = this.in.readUnsignedByte();
		this.in.readUnsignedShort();
		Frame frame = new Frame(type, new byte[this.in.readInt()]);
		this.in.readFully(frame.payload);
		this.in.readUnsignedByte();
		if (frame.is(10, 50) || frame.is(20, 40)) {
			int length = frame.payload[6] & 0xFF;
			this.closedWith = "%d %s".formatted(frame.u16(4),
					new String(frame.payload, 7, length, StandardCharsets.UTF_8));
			throw new EOFException(this.closedWith);
		}
		return frame;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/** A frame as it came. */
	private record Frame(int type, byte[] payload) {

		boolean is(int classId, int methodId) {
			return this.type == METHOD && u16(0) == classId && u16(2) == methodId;
		}

		int u16(int at) {
			return (this.payload[at] & 0xFF) << 8 | this.payload[at + 1] & 0xFF;
		}

		long u64(int at) {
			long value = 0;
			for (int index = at; index < at + 8; index++) {
				value = value << 8 | this.payload[index] & 0xFF;
			}
			return value;
		}

	}

}
