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
 * A worker that adds a line to a file for each call: when, the message, its attempt and
 * whether it failed, as its header {@code failures} has it.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class MovingWorker {

	/**
	 * Works until the end of standard input.
	 * @param arguments its properties
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] arguments) throws IOException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(MovingWorker.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

	@Bean
	Handler handler(@Value("${moving.file}") Path file) throws IOException {
		return new Handler(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
	}

	static class Handler {

		private final FileChannel file;

		Handler(FileChannel file) {
			this.file = file;
		}

		@RabbitListener(queues = "${moving.queue}")
		void handle(Message message) {
			Map<String, Object> headers = message.getMessageProperties().getHeaders();
			int attempt = (headers.get("x-app-retry-attempt") instanceof Integer made) ? made : 0;
			boolean fails = headers.get("failures") instanceof Integer failures && attempt < failures;
			write("%d %s %d %s\n".formatted(System.currentTimeMillis(), message.getMessageProperties().getMessageId(),
					attempt, fails ? "failed" : "handled"));
			if (fails) {
				throw new IllegalStateException("fails");
			}
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
