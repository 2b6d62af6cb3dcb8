/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.github.rabbitretry.internal.health.HealthSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A process that runs out of memory at bad moments: in a connection's reader while it
 * handles another error, and in a container's thread at the first delivery of a message.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class FatalErrorWorker {

	/** The work queue. */
	static final String QUEUE = "fatal.order";

	/**
	 * The header of messages that have the container's thread run out of memory. With
	 * {@link #SILENTLY} there is none to report that either.
	 */
	static final String OUT_OF_MEMORY = "out-of-memory";

	static final String SILENTLY = "silently";

	/** The header of messages that take a while. */
	static final String SLOW = "slow";

	private static final AtomicInteger TIMES = new AtomicInteger();

	private static volatile boolean silently;

	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(FatalErrorWorker.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			((LoggerContext) LoggerFactory.getILoggerFactory()).addTurboFilter(new ExhaustedLog());
			ObjectProvider<HealthSource> sources = application.getBeanProvider(HealthSource.class);
			Thread health = new Thread(() -> show(sources), "health");
			health.setDaemon(true);
			health.start();
			System.in.read();
		}
	}

	private static void show(ObjectProvider<HealthSource> sources) {
		boolean up = true;
		while (true) {
			boolean now = sources.stream().allMatch((source) -> source.problems().isEmpty());
			if (now != up) {
				System.out.println("HEALTH " + (now ? "UP" : "DOWN"));
				up = now;
			}
			LockSupport.parkNanos(50_000_000);
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
				if (source.getHeaders() != null && source.getHeaders().containsKey(OUT_OF_MEMORY)
						&& TIMES.getAndIncrement() == 0) {
					silently = SILENTLY.equals(String.valueOf(source.getHeaders().get(OUT_OF_MEMORY)));
					exhaust();
				}
				return super.toMessageProperties(source, envelope, charset);
			}

		});
	}

	@RabbitListener(queues = QUEUE)
	void handle(Message message) {
		if (message.getMessageProperties().getHeader(SLOW) != null) {
			System.out.println("BEGUN");
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(4));
		}
		System.out.println("HANDLED " + message.getMessageProperties().getMessageId());
	}

	/** Fails where a container reports the error that ends its thread. */
	private static final class ExhaustedLog extends TurboFilter {

		@Override
		public FilterReply decide(Marker marker, Logger logger, Level level, String format, Object[] arguments,
				Throwable failure) {
			if (silently && String.valueOf(format).startsWith("Consumer thread error")) {
				exhaust();
			}
			return FilterReply.NEUTRAL;
		}

	}

}
