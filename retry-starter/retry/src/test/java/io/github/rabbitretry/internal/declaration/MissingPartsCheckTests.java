/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding.DestinationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that was away at the start, asked by a user who may not declare queues, or
 * that lost more queues than are looked at.
 */
class MissingPartsCheckTests {

	private final List<String> changes = new CopyOnWriteArrayList<>();

	@Test
	void whatOneMayNotAskAboutIsNoProblemAndBindingsAreDeclared() {
		List<QueueDefinition> queues = queues(1);
		BindingDefinition binding = new BindingDefinition("orders", "order", DestinationType.QUEUE, "order-0");
		List<TopologyProblem> known = List.of(
				TopologyProblem.refused(PartDeclarer.name(queues.get(0)), AMQP.ACCESS_REFUSED, "ACCESS_REFUSED"),
				TopologyProblem.missing(PartDeclarer.name(binding)));
		assertThat(problems(queues, List.of(binding), known, AMQP.ACCESS_REFUSED, AMQP.ACCESS_REFUSED)).isEmpty();
		assertThat(this.changes).containsExactly("queueBind order-0");
	}

	@Test
	void queuesThatAreMissingBeyondThoseThatAreLookedAtAreNotDeclaredWithoutTheirBindings() {
		List<QueueDefinition> queues = queues(25);
		List<TopologyProblem> known = queues.stream()
			.map((queue) -> TopologyProblem.missing(PartDeclarer.name(queue)))
			.toList();
		assertThat(problems(queues, List.of(), known, AMQP.NOT_FOUND, AMQP.PRECONDITION_FAILED))
			.extracting(TopologyProblem::what)
			.containsExactlyElementsOf(queues.stream().map(PartDeclarer::name).toList());
		assertThat(this.changes).isEmpty();
	}

	private List<TopologyProblem> problems(List<QueueDefinition> queues, List<BindingDefinition> bindings,
			List<TopologyProblem> known, int passive, int probe) {
		Connection connection = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> channel(passive, probe));
		return new MissingPartsCheck(new TopologyParts(List.of(), queues, bindings), TopologyMode.DECLARE)
			.problems(connection, known);
	}

	private Channel channel(int passive, int probe) {
		return (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "isOpen" -> true;
					case "close" -> null;
					case "queueDeclarePassive" -> throw refused(passive);
					case "queueDeclare" -> {
						if (probe == AMQP.ACCESS_REFUSED
								|| arguments[4] instanceof Map<?, ?> map && map.containsKey("x-max-age")) {
							throw refused(probe);
						}
						yield changed("queueDeclare " + arguments[0]);
					}
					case "queueBind" -> changed("queueBind " + arguments[0]);
					default -> throw new UnsupportedOperationException(method.toString());
				});
	}

	private @Nullable Object changed(String what) {
		this.changes.add(what);
		return null;
	}

	private static IOException refused(int code) {
		AMQP.Channel.Close close = new AMQP.Channel.Close.Builder().replyCode(code)
			.replyText("invalid arg 'x-max-age'")
			.classId(50)
			.methodId(10)
			.build();
		return new IOException(new ShutdownSignalException(false, false, close, null));
	}

	private static List<QueueDefinition> queues(int count) {
		return IntStream.range(0, count)
			.mapToObj((index) -> new QueueDefinition("order-" + index, QueueRole.WORK, Map.of()))
			.toList();
	}

}
