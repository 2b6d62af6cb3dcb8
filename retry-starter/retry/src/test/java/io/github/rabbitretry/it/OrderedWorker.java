/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A worker that adds a line to a file for each message that it has handled: who, the key
 * and the number. A tenth of the messages fails one to three times before.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OrderedWorker {

	/**
	 * Works until the end of standard input.
	 * @param arguments its properties
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(OrderedWorker.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

	@Bean
	Handler handler(@Value("${ordered.file}") Path file, @Value("${ordered.works}") long works) throws IOException {
		return new Handler(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), works);
	}

	static class Handler {

		private final FileChannel file;

		private final long works;

		Handler(FileChannel file, long works) {
			this.file = file;
			this.works = works;
		}

		@RabbitListener(queues = "${ordered.queue}")
		void handle(Message message) {
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(this.works));
			Map<String, Object> headers = message.getMessageProperties().getHeaders();
			int attempt = (headers.get("x-app-retry-attempt") instanceof Integer made) ? made : 0;
			if (attempt < (int) headers.get("failures")) {
				throw new IllegalStateException("fails");
			}
			write("%d %s %s\n".formatted(ProcessHandle.current().pid(), headers.get("key"),
					message.getMessageProperties().getMessageId()));
		}

		/** In one piece, behind what other processes have written. */
		private void write(String line) {
			try {
				this.file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
