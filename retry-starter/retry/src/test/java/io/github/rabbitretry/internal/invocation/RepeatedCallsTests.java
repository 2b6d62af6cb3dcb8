/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.List;

import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.retry.support.RetryTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Retries nested in ours whose advice does not tell by its name.
 */
@ExtendWith(OutputCaptureExtension.class)
class RepeatedCallsTests {

	private static final String WARNING = "is called again within one attempt";

	private static final RetryTemplate TEMPLATE = RetryTemplate.builder().maxAttempts(3).fixedBackoff(1).build();

	private static final MethodInterceptor NESTED = (invocation) -> TEMPLATE
		.<Object, Throwable>execute((context) -> ((ProxyMethodInvocation) invocation).invocableClone().proceed());

	@Test
	void anAdviceOfTheContainerIsWarnedOf(CapturedOutput output) {
		try (ManagedTestListener listener = new ManagedTestListener()) {
			listener.setAdviceChain(NESTED);
			listener.start(TestPolicy.order().build(), (message) -> fail());
			listener.deliver();
			assertThat(output).containsOnlyOnce("The handler of queue 'order' " + WARNING);
		}
	}

	@Test
	void anAdviceOfTheListenersBeanIsWarnedOf(CapturedOutput output) throws Exception {
		ProxyFactory factory = new ProxyFactory(new Handler());
		factory.setProxyTargetClass(true);
		factory.addAdvice(NESTED);
		Handler proxy = (Handler) factory.getProxy();
		HandlerCallWatch.install(proxy, List.of(Handler.class.getDeclaredMethod("handle")));
		RepeatedCalls before = RepeatedCalls.bind(new RepeatedCalls("repeated.proxy"));
		try {
			assertThatIllegalStateException().isThrownBy(proxy::handle);
		}
		finally {
			RepeatedCalls.restore(before);
		}
		assertThat(output).containsOnlyOnce("The handler of queue 'repeated.proxy' " + WARNING);
	}

	private static void fail() {
		throw new IllegalStateException("told to");
	}

	static class Handler {

		public void handle() {
			fail();
		}

	}

}
