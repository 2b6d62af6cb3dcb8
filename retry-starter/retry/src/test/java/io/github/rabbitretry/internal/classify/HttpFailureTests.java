/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static io.github.rabbitretry.internal.classify.Failures.ofLibrary;
import static org.assertj.core.api.Assertions.assertThat;

class HttpFailureTests {

	@ParameterizedTest
	@CsvSource({ "400, permanent-technical, DOWNSTREAM_REJECTED", "401, permanent-technical, DOWNSTREAM_REJECTED",
			"403, permanent-technical, DOWNSTREAM_REJECTED", "404, permanent-technical, DOWNSTREAM_REJECTED",
			"408, transient, DOWNSTREAM_TIMEOUT", "409, contention, LOCK_CONFLICT",
			"412, contention, OPTIMISTIC_LOCK_CONFLICT", "422, permanent-technical, DOWNSTREAM_REJECTED",
			"423, contention, LOCK_CONFLICT", "425, transient, DOWNSTREAM_UNAVAILABLE", "429, contention, RATE_LIMITED",
			"500, transient, DOWNSTREAM_UNAVAILABLE", "501, permanent-technical, DOWNSTREAM_REJECTED",
			"502, transient, DOWNSTREAM_UNAVAILABLE", "503, transient, DOWNSTREAM_UNAVAILABLE",
			"504, transient, DOWNSTREAM_TIMEOUT", "505, permanent-technical, DOWNSTREAM_REJECTED",
			"599, transient, DOWNSTREAM_UNAVAILABLE", "302, unknown, UNKNOWN_FAILURE" })
	void aStatusDecides(int status, String failureClass, String reason) {
		FailureClassification classification = Failures.classify(answer(status, null));
		assertThat(classification.failureClass().label()).isEqualTo(failureClass);
		assertThat(classification.reason()).isEqualTo(reason);
		assertThat(classification.askedDelay()).isEmpty();
	}

	@Test
	void theExceptionsOfSpringsBlockingClientsAreRead() {
		assertThat(Failures.classify(new HttpServerErrorException(HttpStatusCode.valueOf(503))))
			.isEqualTo(Classifications.UNAVAILABLE);
		assertThat(Failures.classify(new HttpClientErrorException(HttpStatusCode.valueOf(404))))
			.isEqualTo(Classifications.DOWNSTREAM_REJECTED);
	}

	@ParameterizedTest
	@MethodSource
	void theExceptionsOfOtherClientsAreRead(Throwable failure) {
		FailureClassification classification = Failures.classify(failure);
		assertThat(classification.reason()).isEqualTo(Reasons.RATE_LIMITED);
		assertThat(classification.askedDelay()).contains(Duration.ofSeconds(30));
	}

	static Stream<Throwable> theExceptionsOfOtherClientsAreRead() {
		HttpHeaders springHeaders = new HttpHeaders();
		springHeaders.set("Retry-After", "30");
		Map<String, List<String>> feignHeaders = Map.of("retry-after", List.of("30"), "date", List.of("now"));
		Throwable feign = feign("feign.FeignException", 429, feignHeaders);
		return Stream.of(
				new WebClientResponseException(HttpStatusCode.valueOf(429), "", springHeaders, null, null, null), feign,
				feign("feign.RetryableException", 429, Map.of()).initCause(feign));
	}

	private static Throwable feign(String type, int status, Map<String, List<String>> headers) {
		return ofLibrary(type, Map.of("status", status, "responseHeaders", new FeignHeaders(headers)));
	}

	@Test
	void aStatusThatIsNoneIsSeenThrough() {
		Throwable failure = feign("feign.FeignException", -1, Map.of());
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN);
		assertThat(Failures.classify(failure.initCause(new java.net.ConnectException())))
			.isEqualTo(Classifications.UNAVAILABLE);
	}

	@Test
	void anUnforeseenVersionOfALibraryIsSeenThrough() {
		assertThat(Failures.classify(ofLibrary("feign.FeignException"))).isEqualTo(Classifications.UNKNOWN);
		assertThat(Failures.classify(ofLibrary("feign.FeignException", Map.of("status", 503))))
			.isEqualTo(Classifications.UNAVAILABLE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 408, 409, 425, 429, 500, 503, 504 })
	void aRetryableStatusMayAskForADelay(int status) {
		assertThat(Failures.classify(answer(status, "30")).askedDelay()).contains(Duration.ofSeconds(30));
	}

	@Test
	void aPermanentStatusMayNotAskForADelay() {
		assertThat(Failures.classify(answer(404, "30")).askedDelay()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "1, PT1S", "' 120 ', PT2M", "007, PT7S", "864000, PT240H", "864001, PT240H",
			"99999999999999999999999999, PT240H", "00000000000000000001, PT1S",
			"'Sun, 01 Mar 2026 12:00:30 GMT', PT30S", "'Sun, 1 Mar 2026 13:00:00 GMT', PT1H",
			"'Wed, 01 Mar 2090 12:00:00 GMT', PT240H" })
	void aDelayIsSecondsOrADateAndBounded(String value, Duration delay) {
		assertThat(Failures.classify(answer(503, value)).askedDelay()).contains(delay);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "0", "-5", "1.5", "+3", "1e3", "soon", "30s", "\u0663", "2026-03-01T12:00:30Z",
			"Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 11:59:59 GMT", "Mon, 01 Mar 2026 12:00:30 GMT",
			"Sunday, 01-Mar-26 12:00:30 GMT" })
	void aDelayThatMakesNoSenseIsIgnored(String value) {
		assertThat(Failures.classify(answer(503, value))).isEqualTo(Classifications.UNAVAILABLE);
	}

	@ParameterizedTest
	@CsvSource({ "UNAVAILABLE, DOWNSTREAM_UNAVAILABLE", "DEADLINE_EXCEEDED, DOWNSTREAM_TIMEOUT",
			"RESOURCE_EXHAUSTED, RATE_LIMITED", "ABORTED, LOCK_CONFLICT", "NOT_FOUND, DOWNSTREAM_REJECTED",
			"UNAUTHENTICATED, DOWNSTREAM_REJECTED", "INTERNAL, UNKNOWN_FAILURE", "UNKNOWN, UNKNOWN_FAILURE" })
	void aGrpcCodeDecides(String code, String reason) {
		Throwable failure = ofLibrary("io.grpc.StatusRuntimeException", Map.of("getStatus", new GrpcStatus(code)));
		assertThat(Failures.classify(failure).reason()).isEqualTo(reason);
	}

	private static RestClientResponseException answer(int status, String retryAfter) {
		HttpHeaders headers = new HttpHeaders();
		if (retryAfter != null) {
			headers.set("Retry-After", retryAfter);
		}
		return new RestClientResponseException("", HttpStatusCode.valueOf(status), "", headers, new byte[0],
				StandardCharsets.UTF_8);
	}

	public static final class FeignHeaders extends java.util.TreeMap<String, List<String>> {

		FeignHeaders(Map<String, List<String>> headers) {
			putAll(headers);
		}

	}

	public record GrpcStatus(String getCode) {
	}

}
