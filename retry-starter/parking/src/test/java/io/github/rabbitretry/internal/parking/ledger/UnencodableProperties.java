/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.Frame;

/**
 * Properties as only a foreign client writes them: one text of 255 bytes that are not
 * UTF-8. The client reads three bytes for each of them, and can't write the text again.
 */
public final class UnencodableProperties extends BasicProperties {

	public static final int CONTENT_TYPE = 15;

	public static final int HEADERS = 13;

	public static final int CORRELATION_ID = 10;

	public static final int REPLY_TO = 9;

	public static final int MESSAGE_ID = 7;

	public static final int TYPE = 5;

	public static final int APP_ID = 3;

	private static final int LENGTH = 255;

	private final int property;

	/**
	 * Creates the properties.
	 * @param property the number of the property's flag; of {@link #HEADERS}, the name of
	 * a header is the text
	 */
	public UnencodableProperties(int property) {
		this.property = property;
	}

	@Override
	public Frame toFrame(int channelNumber, long bodySize) throws IOException {
		Frame frame = new Frame(AMQP.FRAME_HEADER, channelNumber);
		DataOutputStream out = frame.getOutputStream();
		out.writeShort(getClassId());
		out.writeShort(0);
		out.writeLong(bodySize);
		out.writeShort(1 << this.property);
		byte[] text = new byte[LENGTH];
		Arrays.fill(text, (byte) 0xFF);
		if (this.property == HEADERS) {
			out.writeInt(1 + LENGTH + 1 + Integer.BYTES);
		}
		out.writeByte(LENGTH);
		out.write(text);
		if (this.property == HEADERS) {
			out.writeByte('I');
			out.writeInt(7);
		}
		return frame;
	}

}
