/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

import io.github.rabbitretry.internal.configuration.OptionalArtifact;
import io.github.rabbitretry.internal.configuration.Suggestion;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Logs once that a service has the starter and no message policy, so that nothing is
 * retried.
 */
final class NoPoliciesNotice implements ApplicationListener<ApplicationReadyEvent> {

	private static final Log logger = LogFactory.getLog(NoPoliciesNotice.class);

	private static final String PREFIX = "rabbit-retry";

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Optional<String> similar = similarPrefix(event.getApplicationContext().getEnvironment());
		if (similar.isPresent()) {
			logger.warn("Keys of '%s' are not read: nothing is retried. Did you mean '%s'?".formatted(similar.get(),
					PREFIX));
		}
		else if (!OptionalArtifact.CONSOLE_APPLICATION.isPresent()) {
			logger.info(
					"There are no message policies: nothing is retried. Begin with rabbit-retry.message-policies.<message type>.queue, the queue of a listener.");
		}
	}

	private static Optional<String> similarPrefix(Environment environment) {
		return StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter((name) -> !name.isEmpty())
			.map((name) -> name.getElement(0, Form.DASHED))
			.filter((prefix) -> prefix.contains("retr") && !prefix.replace("-", "").equals("rabbitretry")
					&& Suggestion.of(prefix, List.of(PREFIX)).isPresent())
			.findFirst();
	}

}
