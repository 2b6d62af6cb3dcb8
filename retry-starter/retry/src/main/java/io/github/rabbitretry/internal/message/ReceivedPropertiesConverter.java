/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;
import org.springframework.amqp.support.AmqpHeaders;

/**
 * Keeps the properties as they were received, for the advice, which runs next on the same
 * thread. Also keeps a delivery whose properties can't be read from ending the consumer:
 * Spring AMQP throws at an unknown delivery mode, on every redelivery again. A malformed
 * {@code x-death} is not shown to Spring AMQP, which ignores it too but writes it to the
 * log as it is. Nor is a trace context that is no text: Micrometer's getter casts, before
 * the advice, and the container would begin again and again with that message. Nor are
 * headers that Spring AMQP 4.1.2 and earlier can be attacked with: what is nested deep
 * overflows its stack (CVE-2026-59404), and {@code amqp_*} replaces what handlers read as
 * {@code AmqpHeaders} (CVE-2026-59395).
 */
public final class ReceivedPropertiesConverter implements MessagePropertiesConverter {

	private static final MessagePropertiesConverter DEFAULT = new DefaultMessagePropertiesConverter();

	/** What W3C's and B3's propagators read. */
	private static final List<String> TRACE = List.of("traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId",
			"X-B3-SpanId", "X-B3-ParentSpanId", "X-B3-Sampled", "X-B3-Flags");

	/** What was converted on this thread and no advice has asked for yet. */
	private static final ThreadLocal<Deque<Converted>> CONVERTED = ThreadLocal.withInitial(() -> new ArrayDeque<>(1));

	private final MessagePropertiesConverter delegate;

	private final boolean batches;

	private final Collection<String> textHeaders;

	/**
	 * Creates the converter.
	 * @param delegate converts
	 */
	public ReceivedPropertiesConverter(MessagePropertiesConverter delegate) {
		this(delegate, false, List.of());
	}

	/**
	 * Creates the converter.
	 * @param delegate converts
	 * @param batches whether several messages may be converted before the advice runs
	 * @param textHeaders headers besides those of W3C and B3 that are dropped if they are
	 * no texts
	 */
	public ReceivedPropertiesConverter(MessagePropertiesConverter delegate, boolean batches,
			Collection<String> textHeaders) {
		this.delegate = delegate;
		this.batches = batches;
		this.textHeaders = textHeaders;
	}

	@Override
	public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope, String charset) {
		MessageProperties properties = convert(source, envelope, charset);
		Deque<Converted> converted = CONVERTED.get();
		if (!this.batches) {
			converted.clear();
		}
		converted.add(new Converted(source, properties));
		return properties;
	}

	/**
	 * Converts properties that no advice will ask for.
	 * @param source the properties
	 * @param envelope the delivery's envelope
	 * @param charset the charset of texts
	 * @return the properties as a listener gets them
	 */
	public MessageProperties convert(BasicProperties source, @Nullable Envelope envelope, String charset) {
		MessageProperties properties = read(source, envelope, charset);
		Map<String, @Nullable Object> headers = properties.getHeaders();
		if (!headers.isEmpty()) {
			asTexts(headers, TRACE);
			asTexts(headers, this.textHeaders);
		}
		return properties;
	}

	private MessageProperties read(BasicProperties source, @Nullable Envelope envelope, String charset) {
		Integer mode = source.getDeliveryMode();
		BasicProperties readable = withoutUnreadable(
				(mode == null || mode == 1 || mode == 2) ? source : source.builder().deliveryMode(2).build());
		try {
			return this.delegate.toMessageProperties(readable, envelope, charset);
		}
		catch (RuntimeException ex) {
			return readByDefault(readable, envelope, charset);
		}
	}

	private static void asTexts(Map<String, @Nullable Object> headers, Collection<String> names) {
		for (String name : names) {
			Object value = headers.get(name);
			if (value instanceof LongString) {
				// baggage may be longer than what Spring AMQP makes a String
				headers.put(name, value.toString());
			}
			else if (value != null && !(value instanceof String)) {
				headers.remove(name);
			}
		}
	}

	private static BasicProperties withoutUnreadable(BasicProperties source) {
		Map<String, Object> headers = source.getHeaders();
		if (headers == null || headers.isEmpty()
				|| headers.entrySet().stream().noneMatch(ReceivedPropertiesConverter::unreadable)) {
			return source;
		}
		Map<String, Object> others = new HashMap<>(headers);
		others.entrySet().removeIf(ReceivedPropertiesConverter::unreadable);
		return source.builder().headers(others).build();
	}

	private static boolean unreadable(Map.Entry<String, Object> header) {
		return header.getKey().startsWith(AmqpHeaders.PREFIX) || HeaderDepth.exceeded(header.getValue())
				|| (header.getKey().equals(BrokerHeaders.DEATH) && !isDeath(header.getValue()));
	}

	private static boolean isDeath(Object value) {
		return value instanceof List<?> deaths && !deaths.isEmpty() && deaths.get(0) instanceof Map<?, ?>;
	}

	private static MessageProperties readByDefault(BasicProperties source, @Nullable Envelope envelope,
			String charset) {
		try {
			return DEFAULT.toMessageProperties(source, envelope, charset);
		}
		catch (RuntimeException ex) {
			return DEFAULT.toMessageProperties(source.builder().headers(null).build(), envelope, charset);
		}
	}

	@Override
	public BasicProperties fromMessageProperties(MessageProperties source, String charset) {
		return this.delegate.fromMessageProperties(source, charset);
	}

	/**
	 * The properties as received.
	 * @param converted what this thread converted them to last; of a batch, to be asked
	 * for in the order in which they were converted
	 * @return the properties
	 */
	public static BasicProperties received(MessageProperties converted) {
		Deque<Converted> earlier = CONVERTED.get();
		Converted last = earlier.peekLast();
		// what no listener was called for is dropped
		for (Converted one = earlier.poll(); one != null; one = earlier.poll()) {
			if (one.properties == converted) {
				return one.received;
			}
		}
		if (last != null) {
			earlier.add(last);
		}
		// the converter or the properties were replaced: as near as can be
		BasicProperties near = DEFAULT.fromMessageProperties(converted, "UTF-8");
		return (converted.getReceivedDeliveryMode() != null)
				? near.builder().deliveryMode(converted.getReceivedDeliveryMode().ordinal() + 1).build() : near;
	}

	/**
	 * Properties that were converted.
	 *
	 * @param received as received
	 * @param properties as a listener gets them
	 */
	private record Converted(BasicProperties received, MessageProperties properties) {
	}

}
