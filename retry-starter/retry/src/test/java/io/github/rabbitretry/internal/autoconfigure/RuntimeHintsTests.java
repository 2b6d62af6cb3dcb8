/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is used by reflection is kept in a native image.
 */
class RuntimeHintsTests {

	private static final RuntimeHints hints = new RuntimeHints();

	@BeforeAll
	static void register() {
		ClassLoader classLoader = RuntimeHintsTests.class.getClassLoader();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", classLoader)
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("io.github.rabbitretry"))
			.forEach((registrar) -> registrar.registerHints(hints, classLoader));
	}

	@Test
	void settingsOfContainersCanBeRead() {
		for (String getter : List.of("getAfterReceivePostProcessors", "isDeBatchingEnabled", "getAdviceChain",
				"getBatchingStrategy", "getMessagePropertiesConverter", "getTransactionManager",
				"getShutdownTimeout")) {
			assertInvocable(AbstractMessageListenerContainer.class, getter);
		}
		assertInvocable(MessagingMessageListenerAdapter.class, "getHandlerAdapter");
		assertInvocable(AbstractAdaptableMessageListener.class, "getMessageConverter");
		assertInvocable(MessageListenerAdapter.class, "getDelegate");
		assertAccessible(MessageListenerAdapter.class, "queueOrTagToMethodName");
		assertAccessible(DirectMessageListenerContainer.class, "consumersToRestart");
		assertAccessible(DirectMessageListenerContainer.class, "consumersPerQueue");
		assertAccessible(SimpleMessageListenerContainer.class, "concurrentConsumers");
		assertAccessible(SimpleMessageListenerContainer.class, "maxConcurrentConsumers");
		assertAccessible(AbstractMessageListenerContainer.class, "taskExecutorSet");
		assertAccessible(
				ClassUtils.resolveClassName(
						SimpleMessageListenerContainer.class.getName() + "$AsyncMessageProcessingConsumer", null),
				"consumer");
	}

	@Test
	void settingsOfConnectionFactoriesCanBeRead() {
		assertInvocable(AbstractConnectionFactory.class, "getAddresses");
		for (String field : List.of("addressShuffleMode", "closeTimeout", "connectionNameStrategy",
				"executorService")) {
			assertAccessible(AbstractConnectionFactory.class, field);
		}
	}

	@Test
	void configurationCanBeBound() {
		for (Class<?> record : List.of(RabbitRetryProperties.class, configuration("PolicyProperties"),
				configuration("PolicyProperties$PoisonProperties"), ClassificationRule.class)) {
			assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(record.getDeclaredConstructors()[0]))
				.as(record.getName())
				.accepts(hints);
		}
	}

	private static Class<?> configuration(String record) {
		return ClassUtils.resolveClassName(RabbitRetryProperties.class.getPackageName() + "." + record, null);
	}

	@Test
	void gettersOfKnownExceptionsCanBeCalled() throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(java.sql.SQLException.class.getMethod("getSQLState"))).accepts(hints);
	}

	@Test
	void everyAnswerOfAnEndpointCanBeWritten() {
		List<JavaClass> answers = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("io.github.rabbitretry.internal.actuate")
			.stream()
			.filter((type) -> type.isRecord() && type.isAssignableTo(OperationResponseBody.class))
			.toList();
		assertThat(answers).isNotEmpty()
			.allSatisfy(
					(type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type.reflect())).accepts(hints));
	}

	private static void assertInvocable(Class<?> type, String method) {
		assertThat(ReflectionUtils.findMethod(type, method)).isNotNull()
			.satisfies((found) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(found)).as(method)
				.accepts(hints));
	}

	private static void assertAccessible(Class<?> type, String name) {
		assertThat(ReflectionUtils.findField(type, name)).isNotNull()
			.satisfies((field) -> assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(field)).as(name)
				.accepts(hints));
	}

}
