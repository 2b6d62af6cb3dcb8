/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that is started again in its JVM, in a class loader of its own, as
 * Spring Boot's devtools do.
 */
class ApplicationRestartIntegrationTests {

	private static final String QUEUE = "restarted.order";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void delete() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@EnumSource
	void leavesNoThreadNoConnectionAndNoClassBehind(ContainerType container) throws Exception {
		// what Spring Boot has once for all knows the first one, and the log the last one
		run(container, 0, getClass().getClassLoader());
		Set<Thread> before = threads();
		WeakReference<ClassLoader> ended = restart(container, 1);
		restart(container, 2);
		Awaitility.await().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
		assertThat(this.broker.ready(QUEUE)).isZero();
		forgetWhatIsSoftlyReferenced();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(ended.get()).isNull();
		});
	}

	private WeakReference<ClassLoader> restart(ContainerType container, int number) throws ClassNotFoundException {
		ClassLoader classes = new RestartClassLoader();
		run(container, number, classes);
		return new WeakReference<>(classes);
	}

	private void run(ContainerType container, int number, ClassLoader classes) throws ClassNotFoundException {
		try (ConfigurableApplicationContext running = start(classes, "spring.rabbitmq.listener.type=" + container,
				"rabbit-retry.defaults.broker-attempts=1", "rabbit-retry.defaults.initial-delay=200ms",
				"rabbit-retry.defaults.handler-timeout=10s", "rabbit-retry.defaults.outage.enabled=true",
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.classification.rules[0].exception=" + Refused.class.getName(),
				"rabbit-retry.classification.rules[0].failure-class=transient",
				"rabbit-retry.classification.rules[0].reason=REFUSED_" + number)) {
			this.broker.sendJson(QUEUE, "m-" + number, Map.of(), "order");
			assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot")))
				.containsEntry("x-app-failure-reason", "REFUSED_" + number)
				.containsEntry("x-app-exception", Refused.class.getName());
		}
	}

	/** Spring's caches are, and are emptied where memory is short. */
	private static void forgetWhatIsSoftlyReferenced() {
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> {
			List<long[]> most = new ArrayList<>();
			while (most.size() < 1000) {
				most.add(new long[Integer.MAX_VALUE - 8]);
			}
		});
	}

	private static ConfigurableApplicationContext start(ClassLoader classes, String... properties)
			throws ClassNotFoundException {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(classes);
		try {
			Class<?> application = classes.loadClass(Application.class.getName());
			assertThat(application.getClassLoader()).isSameAs(classes);
			return TestApplication.start(application, properties);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/** Those that the JVM or the test has once for all stay. */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> Stream.of("CompletableFutureDelayScheduler", "ForkJoinPool.commonPool", "awaitility")
				.noneMatch((shared) -> thread.getName().startsWith(shared)))
			.collect(Collectors.toSet());
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(id = "restarted", queues = QUEUE)
		void handle(byte[] body) {
			throw new Refused();
		}

	}

	static class Refused extends RuntimeException {

	}

	/** Loads the application's own classes anew, and all others as they are. */
	private static final class RestartClassLoader extends ClassLoader {

		RestartClassLoader() {
			super(ApplicationRestartIntegrationTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith(ApplicationRestartIntegrationTests.class.getName())) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : load(name);
			}
		}

		private Class<?> load(String name) throws ClassNotFoundException {
			try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] content = bytes.readAllBytes();
				return defineClass(name, content, 0, content.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
