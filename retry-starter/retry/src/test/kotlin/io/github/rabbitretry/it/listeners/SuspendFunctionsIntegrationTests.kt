/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners

import io.github.rabbitretry.handler.RetryContext
import io.github.rabbitretry.it.TestApplication
import io.github.rabbitretry.it.TestBroker
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.reflect.KClass
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.amqp.rabbit.annotation.RabbitListener
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.ConfigurableApplicationContext

private const val QUEUE = "suspend.order"

/** What handlers saw. */
private val seen = ConcurrentLinkedQueue<String>()

/**
 * What is particular to Kotlin functions that suspend.
 */
class SuspendFunctionsIntegrationTests {

	private val broker = TestBroker.connect()

	@BeforeEach
	fun forget() {
		seen.clear()
		broker.deleteAll(QUEUE)
	}

	@AfterEach
	fun remove() {
		broker.deleteAll(QUEUE)
		broker.close()
	}

	@Test
	fun oneThatTakesTooLongIsCancelled() {
		val parked = parked(Hanging::class, "handler-timeout=300ms")
		assertThat(parked).containsEntry("x-app-failure-reason", "HANDLER_TIMEOUT")
		assertThat(seen).containsExactly("cancelled", "cancelled")
	}

	@Test
	fun aTimeoutOfItsOwnIsADownstreamTimeout() {
		assertThat(parked(TimingOut::class)).containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
	}

	@Test
	fun itsContextIsThereOnEveryThreadAsAnArgumentAndOnTheFirstOneWithout() {
		parked(Telling::class)
		assertThat(seen).containsExactly("0 true", "then 0", "1 true", "then 1")
	}

	@ParameterizedTest
	@ValueSource(classes = [Flowing::class, Deferring::class])
	fun oneWhoseResultNobodyWaitsForIsRefused(application: Class<*>) {
		assertThatThrownBy { start(application).close() }
			.hasMessageContaining("its method 'handle' returns a ")
			.hasMessageContaining("to which Spring AMQP does not subscribe")
	}

	private fun parked(application: KClass<*>, vararg policy: String): Map<String, Any> =
		start(application.java, *policy).use {
			broker.sendJson(QUEUE, "m-1", mapOf<String, Any>(), "order")
			TestBroker.text(broker.take("$QUEUE.parking-lot"))
		}

	private fun start(application: Class<*>, vararg policy: String): ConfigurableApplicationContext =
		TestApplication.start(
			application,
			*(listOf("queue=$QUEUE", "broker-attempts=1", "local-attempts=1", "retry-backoff=fixed", "initial-delay=100ms") + policy)
				.map { "rabbit-retry.message-policies.Order.$it" }.toTypedArray()
		)

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	class Hanging {

		@RabbitListener(queues = [QUEUE])
		suspend fun handle(order: ByteArray) {
			try {
				awaitCancellation()
			}
			catch (ex: CancellationException) {
				seen.add("cancelled")
				throw ex
			}
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	class TimingOut {

		@RabbitListener(queues = [QUEUE])
		suspend fun handle(order: ByteArray) {
			withTimeout(50.milliseconds) { awaitCancellation() }
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	class Telling {

		@RabbitListener(queues = [QUEUE])
		suspend fun handle(order: ByteArray, context: RetryContext) {
			seen.add("${context.attempt()} ${RetryContext.current().isPresent}")
			delay(10.milliseconds)
			seen.add("then ${context.attempt()}")
			throw IllegalStateException("always")
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	class Flowing {

		@RabbitListener(queues = [QUEUE])
		suspend fun handle(order: ByteArray): Flow<String> = awaitCancellation()

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	class Deferring {

		@RabbitListener(queues = [QUEUE])
		suspend fun handle(order: ByteArray): Deferred<String> = awaitCancellation()

	}

}
