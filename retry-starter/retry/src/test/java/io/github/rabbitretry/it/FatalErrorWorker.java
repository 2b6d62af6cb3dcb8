/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A process that runs out of memory at bad moments: in a connection's reader while it
 * handles another error, in a container's thread, or in a handler.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class FatalErrorWorker {

	/** The work queue. */
	static final String QUEUE = "fatal.order";

	/** The header of messages that have the container's thread run out of memory. */
	static final String OUT_OF_MEMORY = "out-of-memory";

	/** The header of messages that have their handler run out of memory. */
	static final String IN_HANDLER = "in-handler";

	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(FatalErrorWorker.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			System.in.read();
		}
	}

	private static long[] exhaust() {
		return new long[Integer.MAX_VALUE];
	}

	@Bean
	static BeanPostProcessor exhaustedHandler() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String beanName) {
				if (bean instanceof CachingConnectionFactory factory) {
					factory.getRabbitConnectionFactory().setExceptionHandler(new DefaultExceptionHandler() {

						@Override
						public void handleUnexpectedConnectionDriverException(Connection connection,
								Throwable exception) {
							exhaust();
						}

					});
				}
				return bean;
			}

		};
	}

	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> exhaustedConverter() {
		return (container) -> container.setMessagePropertiesConverter(new DefaultMessagePropertiesConverter() {

			@Override
			public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope,
					String charset) {
				if (source.getHeaders() != null && source.getHeaders().containsKey(OUT_OF_MEMORY)) {
					exhaust();
				}
				return super.toMessageProperties(source, envelope, charset);
			}

		});
	}

	@RabbitListener(queues = QUEUE)
	void handle(Message message) {
		if (message.getMessageProperties().getHeader(IN_HANDLER) != null) {
			exhaust();
		}
		System.out.println("HANDLED " + message.getMessageProperties().getMessageId());
	}

}
