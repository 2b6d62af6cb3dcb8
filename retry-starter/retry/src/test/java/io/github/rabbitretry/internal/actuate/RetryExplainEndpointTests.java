/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

class RetryExplainEndpointTests {

	private final MessagePolicies policies = new MessagePolicies(
			List.of(TestPolicy.order().discardOn("B", "A").build()));

	private final ClassificationChain classification = new ClassificationChain(List.of(),
			ClassificationRules.of(List.of(new ClassificationRule(null, null, List.of("503"), null, List.of("9"),
					FailureClass.TRANSIENT, "DOWN", null, Duration.ofSeconds(20), ClassificationRule.Mode.SHADOW)),
					null),
			Clock.systemUTC());

	private final RetryExplainEndpoint endpoint = new RetryExplainEndpoint(
			new DefaultRetryExplainer(this.policies, this.classification, Clock.systemUTC()), this.policies,
			this.classification, null);

	@Test
	void withoutArgumentsItShowsThePoliciesAndRulesInForce() {
		assertThat(json(this.endpoint.inForce())).isEqualTo(
				"{'policies':[{'messageType':'Order','queue':'order','owner':'team-orders','localAttempts':1,'brokerAttempts':3,"
						+ "'worstCaseHandlerCalls':4,'maxRetryAge':'PT1H','maxCumulativeDelay':null,"
						+ "'delays':[['1s'],['2s'],['4s']],'parkOn':[],'discardOn':['A','B']}],"
						+ "'rules':[{'index':0,'conditions':'schema-version [9], http-status [503]','failureClass':'transient',"
						+ "'reason':'DOWN','action':'retry','delay':'PT20S','mode':'shadow','hits':0}]}");
	}

	@Test
	void theNameOfAPolicyMayHaveSlashes() {
		MessagePolicies slashes = new MessagePolicies(List.of(TestPolicy.named("orders/Refund").build()));
		RetryExplainEndpoint endpoint = new RetryExplainEndpoint(
				new DefaultRetryExplainer(slashes, this.classification, Clock.systemUTC()), slashes,
				this.classification, null);
		assertThat(endpoint
			.explain(new String[] { "orders", "Refund" }, "java.io.IOException", null, null, null, null, null, null)
			.getStatus()).isEqualTo(200);
	}

	@Test
	void itExplainsAnExceptionByItsName() {
		WebEndpointResponse<Object> response = explain("Order", "java.net.SocketTimeoutException", 1, null, null);
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(json(response.getBody())).contains(
				"'classification':{'failureClass':'transient','reason':'DOWNSTREAM_TIMEOUT'",
				"{'from':'rules[0]','outcome':'passed-over','classification':null,'why':'needs schema-version [9], has none'}",
				"'decision':{'kind':'retry','reason':'DOWNSTREAM_TIMEOUT','attempt':2,'earliest':'PT2S','latest':'PT2S','routes':[{'exchange':'order.retry'",
				"'steps':[{'check':'admission','ends':false,'values':'the handler is called'}",
				"'text':['Order, 1 of 3 broker attempts made, fails with java.net.SocketTimeoutException'");
	}

	@Test
	void codesSchemaVersionAndAgeCountAsThoseOfAMessageWould() {
		WebEndpointResponse<Object> response = this.endpoint.explain(new String[] { "Order" },
				"java.lang.IllegalStateException", 2, 503, null, "9", Duration.ofMinutes(90), null);
		assertThat(json(response.getBody())).contains("'from':'rules[0]','outcome':'shadow'",
				"'kind':'park','reason':'RETRY_AGE_EXCEEDED'");
		assertThat(json(explain("Order", "java.sql.SQLException", null, null, "40001").getBody()))
			.contains("'reason':'LOCK_CONFLICT'");
	}

	@Test
	void theHistoryOfAMessageIsTold() {
		String first = "2026-07-01T12:00:00Z #1 LOCK_CONFLICT 1s worker";
		String second = "2026-07-01T12:00:01Z #2 RATE_LIMITED 2s worker";
		assertThat(json(explainAfter(first + "; " + second).getBody()))
			.contains("'history':['%s','%s']".formatted(first, second), "'  " + first + "'");
		assertThat(explainAfter("no history").getBody())
			.isEqualTo(new RetryExplainEndpoint.Problem("Parameter 'history' is no header x-app-retry-history."));
	}

	private WebEndpointResponse<Object> explainAfter(String history) {
		return this.endpoint.explain(new String[] { "Order" }, "java.io.IOException", 2, null, null, null, null,
				history);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			value = { "Refund|java.io.IOException|-|-|-|404|There is no message policy 'Refund'; there are Order.",
					"Order|-|-|-|-|400|Parameter 'exception' is missing: name an exception class.",
					"Order|com.acme.Gone|-|-|-|400|Class 'com.acme.Gone' can't be loaded",
					"Order|java.lang.String|-|-|-|400|Class 'java.lang.String' is no exception.",
					"Order|java.sql.SQLException; drop|-|-|-|400|Parameter 'exception' is no class name.",
					"Order|org.springframework.dao.DataAccessException|-|-|-|400|is abstract",
					"Order|java.io.IOException|-1|-|-|400|attempt -1 must be 0 or more",
					"Order|java.io.IOException|-|600|-|400|httpStatus 600 must be from 100 to 599.",
					"Order|java.io.IOException|-|-|4000|400|sqlState must be five letters or digits" })
	void whatCanNotBeAskedIsAnsweredWithASentence(String type, @Nullable String exception, @Nullable Integer attempt,
			@Nullable Integer status, @Nullable String state, int expected, String problem) {
		WebEndpointResponse<Object> response = explain(type, exception, attempt, status, state);
		assertThat(response.getStatus()).isEqualTo(expected);
		assertThat(response.getBody()).isInstanceOfSatisfying(RetryExplainEndpoint.Problem.class,
				(body) -> assertThat(body.problem()).contains(problem));
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.lang.Exception", "java.sql.BatchUpdateException",
			"org.springframework.web.client.HttpServerErrorException",
			"org.springframework.dao.OptimisticLockingFailureException",
			"org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException",
			"com.rabbitmq.client.ShutdownSignalException", "tools.jackson.core.JacksonException",
			"java.lang.StackOverflowError" })
	void exceptionsOfAllKindsCanBeAskedAbout(String type) {
		assertThat(explain("Order", type, null, null, null).getStatus()).isEqualTo(200);
	}

	@Test
	void noConstructorRuns() {
		assertThat(explain("Order", Costly.class.getName(), null, null, null).getStatus()).isEqualTo(200);
		assertThat(Costly.MADE).hasValue(0);
	}

	private WebEndpointResponse<Object> explain(String type, @Nullable String exception, @Nullable Integer attempt,
			@Nullable Integer status, @Nullable String state) {
		return this.endpoint.explain(type.split("/"), exception, attempt, status, state, null, null, null);
	}

	private static String json(@Nullable Object body) {
		return JsonMapper.shared().writeValueAsString(body).replace('"', '\'');
	}

	static class Costly extends RuntimeException {

		static final AtomicInteger MADE = new AtomicInteger();

		Costly() {
			MADE.incrementAndGet();
		}

	}

}
