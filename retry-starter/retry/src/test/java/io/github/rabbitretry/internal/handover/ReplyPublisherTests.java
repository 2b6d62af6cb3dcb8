/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ReplyPublisherTests {

	/** What happened, channel by channel. */
	private final List<String> calls = new ArrayList<>();

	private final List<Runnable> work = new ArrayList<>();

	private long now;

	private final ReplyPublisher publisher = new ReplyPublisher(new PublisherConnection(factory()), this.work::add,
			() -> this.now);

	private final List<Boolean> open = new ArrayList<>();

	@Test
	void aChannelIsClosedOnceTheBrokerHasAnswered() {
		reply("", "a");
		reply("", "b");
		run();
		assertThat(this.calls).containsExactly("0 publish", "0 publish", "0 basicQos", "0 close");
	}

	@Test
	void aChannelThatTheBrokerClosesIsNotClosedByUs() {
		reply("missing", "a");
		run();
		assertThat(this.calls).containsExactly("0 publish", "0 basicQos");
	}

	@Test
	void anExchangeThatWasRefusedCostsNoFurtherChannelForAWhile() {
		reply("missing", "a");
		reply("there", "b");
		reply("missing", "c");
		reply("there", "d");
		run();
		reply("missing", "e");
		run();
		assertThat(this.calls).containsExactly("0 publish", "0 basicQos", "1 publish", "1 basicQos", "1 close",
				"2 publish", "2 basicQos", "2 close");
	}

	@Test
	void anExchangeThatWasRefusedIsTriedAgainAfterAWhile() {
		reply("missing", "a");
		run();
		this.now += 31_000_000_000L;
		reply("missing", "b");
		run();
		assertThat(this.calls).containsExactly("0 publish", "0 basicQos", "1 publish", "1 basicQos");
	}

	private void reply(String exchange, String routingKey) {
		this.publisher.publish(new OutboundMessage(exchange, routingKey, new BasicProperties(), new byte[0]));
	}

	private void run() {
		while (!this.work.isEmpty()) {
			this.work.remove(0).run();
		}
	}

	private ConnectionFactory factory() {
		Connection connection = proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
			case "isOpen" -> true;
			case "createChannel" -> channel();
			default -> null;
		});
		Object spring = proxy(org.springframework.amqp.rabbit.connection.Connection.class,
				(method, arguments) -> method.getName().equals("getDelegate") ? connection : null);
		return proxy(ConnectionFactory.class,
				(method, arguments) -> method.getName().equals("createConnection") ? spring : null);
	}

	private Channel channel() {
		int number = this.open.size();
		this.open.add(true);
		List<String> exchanges = new ArrayList<>();
		return proxy(Channel.class, (method, arguments) -> switch (method.getName()) {
			case "isOpen" -> this.open.get(number);
			case "getConnection" -> factory().createConnection().getDelegate();
			case "basicPublish" -> {
				this.calls.add(number + " publish");
				yield exchanges.add(String.valueOf(arguments[0])) ? null : null;
			}
			case "basicQos" -> {
				this.calls.add(number + " basicQos");
				if (exchanges.contains("missing")) {
					this.open.set(number, false);
					throw new AlreadyClosedException(new ShutdownSignalException(false, false, null, this));
				}
				yield null;
			}
			default -> {
				this.calls.add(number + " " + method.getName());
				yield null;
			}
		});
	}

	private static <T> T proxy(Class<T> type, Answer answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> (method.getDeclaringClass() == Object.class)
						? method.invoke(answer, arguments)
						: answer.to(method, (arguments != null) ? arguments : new Object[0])));
	}

	private interface Answer {

		@Nullable Object to(Method method, Object[] arguments) throws Exception;

	}

}
