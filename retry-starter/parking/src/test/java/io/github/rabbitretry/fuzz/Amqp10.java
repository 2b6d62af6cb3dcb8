/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.github.rabbitretry.broker.Broker;

/**
 * The little of AMQP 1.0 that it takes to send any bytes as a message to one queue.
 */
final class Amqp10 implements AutoCloseable {

	private static final int FRAME_MAX = 100_000;

	private static final int BEGIN = 0x11;

	private static final int ATTACH = 0x12;

	private static final int FLOW = 0x13;

	private static final int DISPOSITION = 0x15;

	private static final int DETACH = 0x16;

	private static final int END = 0x17;

	private static final int CLOSE = 0x18;

	private static final int ACCEPTED = 0x24;

	private final Socket socket;

	private final DataInputStream in;

	private final OutputStream out;

	private long deliveries;

	private String closedWith = "";

	Amqp10(Broker broker, String queue) throws IOException {
		this.socket = new Socket(broker.host(), broker.port());
		this.socket.setTcpNoDelay(true);
		this.socket.setSoTimeout(60_000);
		this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream(), 1 << 16));
		this.out = new BufferedOutputStream(this.socket.getOutputStream(), 1 << 16);
		header(3);
		read();
		frame(1, performative(0x41, symbol("PLAIN"),
				new Wire().u8(0xA0)
					.shortString(("\0" + broker.username() + "\0" + broker.password()).getBytes(StandardCharsets.UTF_8))
					.toBytes(),
				new byte[] { 0x40 }));
		read();
		header(0);
		frame(0, performative(0x10, string("fuzz"), string("vhost:" + broker.virtualHost()),
				new Wire().u8(0x70).u32(FRAME_MAX).toBytes()));
		read();
		frame(0, performative(BEGIN, new byte[] { 0x40 }, uint(0), uint(10_000), uint(10_000)));
		await(BEGIN);
		byte[] address = performative(0x29, string("/queues/" + queue));
		frame(0, performative(ATTACH, string("fuzz"), uint(0), new byte[] { 0x42 }, new byte[] { 0x50, 0 },
				new byte[] { 0x50, 0 }, performative(0x28), address, new byte[] { 0x40 }, new byte[] { 0x40 },
				uint(0)));
		await(FLOW);
	}

	String closedWith() {
		return this.closedWith;
	}

	/** Sends one and waits for what the broker says to it. */
	Sent publish(FuzzMessage message) {
		try {
			long delivery = this.deliveries++;
			byte[] content = message.content();
			int portion = FRAME_MAX - 200;
			int begin = 0;
			do {
				int end = Math.min(content.length, begin + portion);
				byte[] transfer = performative(0x14, uint(0), uint(delivery),
						new Wire().u8(0xA0).u8(4).u32(delivery).toBytes(), uint(0), new byte[] { 0x42 },
						new byte[] { (byte) ((end < content.length) ? 0x41 : 0x42) });
				frame(0, new Wire().bytes(transfer).bytes(Arrays.copyOfRange(content, begin, end)).toBytes());
				begin = end;
			}
			while (begin < content.length);
			byte[] disposition = await(DISPOSITION);
			return accepted(disposition) ? Sent.CONFIRMED : Sent.REFUSED;
		}
		catch (IOException ex) {
			if (this.closedWith.isEmpty()) {
				this.closedWith = ex.toString();
			}
			return Sent.REFUSED;
		}
	}

	/** The outcome is a described list at the end of the performative. */
	private static boolean accepted(byte[] disposition) {
		for (int at = 3; at + 2 < disposition.length; at++) {
			if (disposition[at] == 0 && disposition[at + 1] == 0x53 && disposition[at + 2] == ACCEPTED) {
				return true;
			}
		}
		return false;
	}

	private void header(int protocol) throws IOException {
		this.out.write(new byte[] { 'A', 'M', 'Q', 'P', (byte) protocol, 1, 0, 0 });
		this.out.flush();
		this.in.readFully(new byte[8]);
	}

	private void frame(int type, byte[] body) throws IOException {
		this.out.write(new Wire().u32(8 + body.length).u8(2).u8(type).u16(0).bytes(body).toBytes());
		this.out.flush();
	}

	private byte[] await(int code) throws IOException {
		byte[] frame = read();
		while (frame.length < 3 || frame[2] != code) {
			frame = read();
		}
		return frame;
	}

	private byte[] read() throws IOException {
		int size = this.in.readInt();
		int offset = this.in.readUnsignedByte() * 4;
		this.in.readFully(new byte[offset - 5]);
		byte[] body = new byte[size - offset];
		this.in.readFully(body);
		if (body.length > 2 && (body[2] == CLOSE || body[2] == END || body[2] == DETACH)) {
			this.closedWith = new String(body, StandardCharsets.US_ASCII).replaceAll("[^ -~]+", " ");
			throw new EOFException(this.closedWith);
		}
		return body;
	}

	private static byte[] performative(int code, byte[]... fields) {
		Wire wire = new Wire().u32(fields.length);
		List.of(fields).forEach(wire::bytes);
		return new Wire().u8(0).u8(0x53).u8(code).u8(0xD0).longString(wire.toBytes()).toBytes();
	}

	private static byte[] symbol(String text) {
		return new Wire().u8(0xA3).shortString(text).toBytes();
	}

	private static byte[] string(String text) {
		return new Wire().u8(0xA1).shortString(text).toBytes();
	}

	private static byte[] uint(long value) {
		return new Wire().u8(0x70).u32(value).toBytes();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
