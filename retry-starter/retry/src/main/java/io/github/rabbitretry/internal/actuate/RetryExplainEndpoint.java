/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Duration;
import java.util.Map;

import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.explain.UnknownMessageTypeException;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.AttemptHistory;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.Assert;

/**
 * Tells which policies and rules apply, and why a failure would be decided as it would
 * be. Changes nothing.
 */
@Endpoint(id = "retryexplain", defaultAccess = Access.READ_ONLY)
public final class RetryExplainEndpoint {

	private final RetryExplainer explainer;

	private final MessagePolicies policies;

	private final ClassificationChain classification;

	private final ExceptionByName exceptions;

	/**
	 * Creates the endpoint.
	 * @param explainer explains
	 * @param policies the policies that apply
	 * @param classification the rules that apply
	 * @param classLoader what loads the exception classes asked about
	 */
	public RetryExplainEndpoint(RetryExplainer explainer, MessagePolicies policies, ClassificationChain classification,
			@Nullable ClassLoader classLoader) {
		this.explainer = explainer;
		this.policies = policies;
		this.classification = classification;
		this.exceptions = new ExceptionByName(classLoader);
	}

	/**
	 * The policies and rules that apply.
	 * @return them, with the hits of each rule
	 */
	@ReadOperation
	public ConfigurationReport inForce() {
		return ConfigurationReport.of(this.policies, this.classification);
	}

	/**
	 * Explains a failure.
	 * @param messageType the policy's name, which slashes separate into parts
	 * @param exception the fully qualified name of an exception class
	 * @param attempt the broker attempts made, 0 unless given
	 * @param httpStatus an HTTP status that the failure has
	 * @param sqlState an SQLState that the failure has
	 * @param schemaVersion the message's schema version
	 * @param messageAge the time since the first failure, as {@code 90m}
	 * @param history the header {@value AppHeaders#RETRY_HISTORY} of a message
	 * @return the explanation; 404 without such a policy, 400 for what can't be asked
	 */
	@ReadOperation
	public WebEndpointResponse<Object> explain(@Selector(match = Selector.Match.ALL_REMAINING) String[] messageType,
			@Nullable String exception, @Nullable Integer attempt, @Nullable Integer httpStatus,
			@Nullable String sqlState, @Nullable String schemaVersion, @Nullable Duration messageAge,
			@Nullable String history) {
		try {
			Assert.notNull(exception, "Parameter 'exception' is missing: name an exception class.");
			check(httpStatus, sqlState);
			FailedMessage message = new FailedMessage(String.join("/", messageType), this.exceptions.make(exception),
					attempt, messageAge, Map.of(), httpStatus, sqlState);
			if (schemaVersion != null) {
				message = message.with(this.classification.schemaVersionHeader(), schemaVersion);
			}
			if (history != null) {
				Assert.notEmpty(AttemptHistory.lines(history),
						() -> "Parameter 'history' is no header %s.".formatted(AppHeaders.RETRY_HISTORY));
				message = message.with(AppHeaders.RETRY_HISTORY, history);
			}
			return new WebEndpointResponse<>(ExplanationBody.of(this.explainer.explain(message)));
		}
		catch (UnknownMessageTypeException ex) {
			return new WebEndpointResponse<>(new Problem(ex.getMessage()), WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (IllegalArgumentException ex) {
			return new WebEndpointResponse<>(new Problem(ex.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

	private static void check(@Nullable Integer httpStatus, @Nullable String sqlState) {
		Assert.isTrue(httpStatus == null || (httpStatus >= 100 && httpStatus <= 599),
				() -> "httpStatus %s must be from 100 to 599.".formatted(httpStatus));
		Assert.isTrue(sqlState == null || sqlState.matches("[0-9A-Za-z]{5}"),
				"sqlState must be five letters or digits, as 40001.");
	}

	/**
	 * Why there is no explanation.
	 *
	 * @param problem a sentence
	 */
	public record Problem(@Nullable String problem) {
	}

}
