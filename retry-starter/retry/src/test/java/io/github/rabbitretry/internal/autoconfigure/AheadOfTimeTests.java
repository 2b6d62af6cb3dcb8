/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.listener.ContextProvidingRegistry;
import io.github.rabbitretry.internal.listener.RetryListenerEndpointRegistry;
import io.github.rabbitretry.it.BootRabbit;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.config.RabbitListenerConfigUtils;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Applications that were processed ahead of time: their bean definitions are generated
 * code, and were chosen by the configuration of the build.
 */
class AheadOfTimeTests {

	private static final String REGISTRY = RabbitListenerConfigUtils.RABBIT_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME;

	@Test
	void aRegistryThatProcessingReplacedIsLeftAsItIs() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		for (Class<? extends RabbitListenerEndpointRegistry> ours : List.of(RetryListenerEndpointRegistry.class,
				ContextProvidingRegistry.class)) {
			BeanDefinition generated = new RootBeanDefinition(ours);
			beans.registerBeanDefinition(REGISTRY, generated);
			new RegistryReplacement(ours, "configurer").postProcessBeanDefinitionRegistry(beans);
			assertThat(beans.getBeanDefinition(REGISTRY)).isSameAs(generated);
		}
	}

	@Test
	void aRegistryOfTheUserIsStillRefused() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition(REGISTRY, new RootBeanDefinition(UsersRegistry.class));
		assertThatIllegalStateException()
			.isThrownBy(() -> new RegistryReplacement(RetryListenerEndpointRegistry.class, "configurer")
				.postProcessBeanDefinitionRegistry(beans))
			.withMessageContaining("UsersRegistry");
	}

	@Test
	void policiesThatWereNotThereAtProcessingFailTheStart() {
		new ApplicationContextRunner().withBean(RabbitRetryHandlerAutoConfiguration.LatePolicyCheck.class)
			.withPropertyValues("rabbit-retry.message-policies.Refund.queue=refund")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("rabbit-retry.message-policies: '[Refund]' was not there when the application")
				.hasMessageContaining("Run spring-boot:process-aot with the message policies"));
	}

	@Test
	void exceptionsThatRulesNameAreKept() {
		GenericApplicationContext context = new GenericApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("rules",
					Map.of("rabbit-retry.classification.rules[0].exception", RefundException.class.getName())));
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AheadOfTimeTests.class)), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		assertThat(RuntimeHintsPredicates.reflection().onType(RefundException.class))
			.accepts(generation.getRuntimeHints());
	}

	@Test
	void anApplicationWithoutPoliciesStarts() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(BootRabbit.AUTO_CONFIGURATION, RabbitRetryAutoConfiguration.class,
					RabbitRetryHandlerAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RabbitRetryHandlerAutoConfiguration.LatePolicyCheck.class));
	}

	static class UsersRegistry extends RabbitListenerEndpointRegistry {

	}

	static class RefundException extends RuntimeException {

	}

}
