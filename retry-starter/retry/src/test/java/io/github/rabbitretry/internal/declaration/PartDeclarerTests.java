/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.RefusableChannel;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens at moments that no broker can be brought to at will.
 */
class PartDeclarerTests {

	private static final String INEQUIVALENT = "PRECONDITION_FAILED - inequivalent arg '%s' for exchange 'order.retry' in vhost '/': received 'a' but current is 'b'";

	private static final ExchangeDefinition EXCHANGE = new ExchangeDefinition("order.retry", "direct");

	private final List<String> asked = new ArrayList<>();

	@Test
	void anExchangeThatAnotherInstanceDeclaresMeanwhileIsRight() {
		PartDeclarer verifier = verifier(404, INEQUIVALENT.formatted("alternate-exchange"), null);
		assertThat(verifier.verify(EXCHANGE)).isEqualTo(new PartDeclarer.Verification(false, Optional.empty()));
		assertThat(this.asked).containsExactly("passive", "probe", "declare");
	}

	@Test
	void anExchangeThatIsDeclaredMeanwhileWithAnotherTypeIsAProblem() {
		PartDeclarer verifier = verifier(404, INEQUIVALENT.formatted("alternate-exchange"),
				INEQUIVALENT.formatted("type"));
		assertThat(verifier.verify(EXCHANGE).problem()).isPresent();
		verifier = verifier(404, INEQUIVALENT.formatted("type"), null);
		assertThat(verifier.verify(EXCHANGE).problem()).isPresent();
	}

	@Test
	void onceOneIsMissingTheNextIsNotAskedForByARefusedDeclaration() {
		PartDeclarer verifier = verifier(404, "PRECONDITION_FAILED - invalid type 'signedint' for arg", null);
		for (int exchange = 0; exchange < 3; exchange++) {
			assertThat(verifier.verify(EXCHANGE)).isEqualTo(new PartDeclarer.Verification(true, Optional.empty()));
		}
		assertThat(this.asked).containsExactly("passive", "probe", "probe", "probe");
	}

	/** Each answers with that refusal, or agrees. */
	private PartDeclarer verifier(int passive, String probe, @Nullable String declaration) {
		Connection connection = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> channel(passive, probe, declaration));
		return new PartDeclarer(new RefusableChannel(connection), TopologyMode.DECLARE);
	}

	private Channel channel(int passive, String probe, @Nullable String declaration) {
		return (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "isOpen" -> true;
					case "exchangeDeclarePassive" -> answer("passive", passive, "NOT_FOUND - no exchange");
					case "exchangeDeclare" ->
						(arguments[arguments.length - 1] instanceof Map<?, ?> map && !map.isEmpty())
								? answer("probe", AMQP.PRECONDITION_FAILED, probe)
								: answer("declare", AMQP.PRECONDITION_FAILED, declaration);
					default -> throw new UnsupportedOperationException(method.toString());
				});
	}

	private @Nullable Object answer(String what, int code, @Nullable String refusal) throws IOException {
		this.asked.add(what);
		if (refusal == null) {
			return null;
		}
		AMQP.Channel.Close close = new AMQP.Channel.Close.Builder().replyCode(code)
			.replyText(refusal)
			.classId(40)
			.methodId(10)
			.build();
		throw new IOException(new ShutdownSignalException(false, false, close, null));
	}

}
