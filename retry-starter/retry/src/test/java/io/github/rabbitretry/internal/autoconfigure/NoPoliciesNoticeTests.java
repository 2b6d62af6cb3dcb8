/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class NoPoliciesNoticeTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withBean(NoPoliciesNotice.class);

	@Test
	void saysThatNothingIsRetriedAndWhereToBegin(CapturedOutput output) {
		start();
		assertThat(output).contains("INFO",
				"There are no message policies: nothing is retried. Begin with rabbit-retry.message-policies.");
	}

	@Test
	void namesThePrefixThatWasProbablyMeant(CapturedOutput output) {
		start("rabbit-retries.message-policies.Order.queue=order");
		assertThat(output).contains("WARN",
				"Keys of 'rabbit-retries' are not read: nothing is retried. Did you mean 'rabbit-retry'?");
	}

	@Test
	void doesNotTakeKeysOfOthersForOurs(CapturedOutput output) {
		start("spring.rabbitmq.listener.simple.retry.enabled=true", "retry.attempts=3",
				"rabbitretry.handler-version=1");
		assertThat(output).doesNotContain("Did you mean");
	}

	private void start(String... properties) {
		this.application.withPropertyValues(properties)
			.run((context) -> context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0],
					context.getSourceApplicationContext(), Duration.ZERO)));
	}

}
