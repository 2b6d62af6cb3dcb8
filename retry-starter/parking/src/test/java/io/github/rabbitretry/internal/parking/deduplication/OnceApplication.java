/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.io.IOException;
import java.util.Map;

import io.github.rabbitretry.event.DeliveryListener;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * A worker whose handler has one effect per message, in a transaction of its own, and
 * fails after it for every tenth message's first delivery. It counts the deliveries that
 * were duplicates, too.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement
class OnceApplication {

	/**
	 * Works until the end of standard input.
	 * @param arguments its properties
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(OnceApplication.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

	@Bean
	Handler handler(JdbcClient sql) {
		return new Handler(sql);
	}

	@Bean
	DeliveryListener duplicates(JdbcClient sql) {
		return new DeliveryListener() {

			@Override
			public void duplicate(String messageType) {
				sql.sql("insert into duplicate_delivery values (?)").param(messageType).update();
			}

		};
	}

	static class Handler {

		private final JdbcClient sql;

		Handler(JdbcClient sql) {
			this.sql = sql;
		}

		@Transactional
		@RabbitListener(queues = "${once.queue}")
		public void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			this.sql.sql("insert into effect (message_id) values (?)").param(id).update();
			Map<String, Object> headers = message.getMessageProperties().getHeaders();
			if (id.endsWith("0") && !headers.containsKey("x-app-retry-attempt")) {
				throw new IllegalStateException("after the effect");
			}
		}

	}

}
