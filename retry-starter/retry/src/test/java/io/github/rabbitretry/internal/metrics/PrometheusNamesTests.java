/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PrometheusNamesTests {

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final MicrometerDeliveryListener listener = new MicrometerDeliveryListener(this.registry, List.of("Order"),
			(messageType) -> 3);

	@ParameterizedTest
	@ValueSource(strings = { "rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"received\"} 0.0",
			"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"acked\"} 0.0",
			"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"retried\"} 0.0",
			"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"parked\"} 0.0",
			"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"discarded\"} 0.0",
			"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"returned\"} 0.0",
			"parking_lot_messages_total{message_type=\"Order\",reason=\"RETRY_AGE_EXCEEDED\"} 0.0",
			"parking_lot_messages_total{message_type=\"Order\",reason=\"RETRY_BUDGET_EXHAUSTED\"} 0.0",
			"rabbit_retry_handover_pending{message_type=\"Order\"} 3.0",
			"rabbit_retry_handover_seconds_count{message_type=\"Order\"} 0",
			"retry_age_seconds_count{message_type=\"Order\"} 0" })
	void whatIsKnownFromTheStartIsThereFromTheStart(String line) {
		assertThat(this.registry.scrape().lines()).contains(line);
	}

	@Test
	void whatCopiesWaitForIsThereFromTheStart() {
		new PolicyMetrics(List.of(TestPolicy.order().build()), (type) -> false,
				(type, cause) -> cause.equals("publisher-refused") ? 7 : 0, (type) -> 0, (type) -> false, (type) -> 0)
			.bindTo(this.registry);
		assertThat(this.registry.scrape().lines().filter((line) -> line.startsWith("rabbit_retry_handover_waiting{")))
			.contains("rabbit_retry_handover_waiting{cause=\"publisher-refused\",message_type=\"Order\"} 7.0",
					"rabbit_retry_handover_waiting{cause=\"publisher-blocked\",message_type=\"Order\"} 0.0")
			.hasSize(8);
	}

	@Test
	void aRetryIsCountedAndItsAgeMeasured() {
		this.listener.retried("Order", "DOWNSTREAM_TIMEOUT", FailureClass.TRANSIENT, Duration.ofSeconds(90));
		assertThat(this.registry.scrape().lines()).contains(
				"retry_attempts_total{failure_class=\"transient\",message_type=\"Order\",reason=\"DOWNSTREAM_TIMEOUT\"} 1.0",
				"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"retried\"} 1.0",
				"retry_age_seconds_count{message_type=\"Order\"} 1",
				"retry_age_seconds_sum{message_type=\"Order\"} 90.0",
				"retry_age_seconds_max{message_type=\"Order\"} 90.0");
	}

	@Test
	void aPostponementIsADeliveryButNoAttempt() {
		this.listener.postponed("Order");
		assertThat(this.registry.scrape()).contains("outcome=\"retried\"} 1.0").doesNotContain("retry_attempts_total{");
	}

	@Test
	void aParkedDeliveryIsNoBrokerMadeDeath() {
		this.listener.parked("Order", "VALIDATION_FAILED", FailureClass.PERMANENT_TECHNICAL);
		assertThat(this.registry.scrape())
			.contains("parking_lot_messages_total{message_type=\"Order\",reason=\"VALIDATION_FAILED\"} 1.0",
					"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"parked\"} 1.0")
			.doesNotContain("messages_dead_lettered_total{");
	}

	@Test
	void aBrokerMadeDeathIsParkedToo() {
		this.listener.deadLettered("Order", "DELIVERY_LIMIT", FailureClass.POISON);
		assertThat(this.registry.scrape()).contains(
				"messages_dead_lettered_total{message_type=\"Order\",reason=\"DELIVERY_LIMIT\"} 1.0",
				"parking_lot_messages_total{message_type=\"Order\",reason=\"DELIVERY_LIMIT\"} 1.0",
				"rabbit_retry_deliveries_total{message_type=\"Order\",outcome=\"parked\"} 0.0");
	}

	@Test
	void aRetryThrottledByTheRatioIsCounted() {
		this.listener.throttled("Order");
		assertThat(this.registry.scrape()).contains("rabbit_retry_throttled_total{message_type=\"Order\"} 1.0");
	}

	@Test
	void aQuarantinedMessageIsCounted() {
		this.listener.quarantined("Order");
		assertThat(this.registry.scrape()).contains("rabbit_retry_quarantined_total{message_type=\"Order\"} 1.0");
	}

	@Test
	void anEscalationIsCountedByTypeAndOwnerAndNeverByMessage() {
		this.listener.escalated(
				new EscalatedMessage("Order", "team-orders", "m-1", 3, Duration.ofMinutes(5), "DOWNSTREAM_TIMEOUT"));
		assertThat(this.registry.scrape())
			.contains("rabbit_retry_escalations_total{message_type=\"Order\",owner=\"team-orders\"} 1.0")
			.doesNotContain("m-1");
	}

	@Test
	void whatARuleInShadowModeWouldHaveDecidedIsCountedAndNothingElse() {
		this.listener.shadowMatched("Order", "PARTNER_DOWN", FailureClass.TRANSIENT);
		assertThat(this.registry.scrape()).contains(
				"rabbit_retry_shadow_matches_total{failure_class=\"transient\",message_type=\"Order\",reason=\"PARTNER_DOWN\"} 1.0")
			.doesNotContain("retry_attempts_total{");
	}

	@Test
	void aHandoverIsTimed() {
		this.listener.handedOver("Order", Duration.ofMillis(250));
		assertThat(this.registry.scrape().lines()).contains(
				"rabbit_retry_handover_seconds_count{message_type=\"Order\"} 1",
				"rabbit_retry_handover_seconds_sum{message_type=\"Order\"} 0.25",
				"rabbit_retry_handover_seconds_max{message_type=\"Order\"} 0.25");
	}

	@Test
	void everyOtherOutcomeIsCountedAsItself() {
		this.listener.received("Order");
		this.listener.acknowledged("Order");
		this.listener.discarded("Order", "STALE_COMMAND");
		this.listener.returned("Order");
		assertThat(this.registry.scrape()).contains("outcome=\"received\"} 1.0", "outcome=\"acked\"} 1.0",
				"outcome=\"discarded\"} 1.0", "outcome=\"returned\"} 1.0");
	}

	@Test
	void aRejectionIsCountedBesidesItsAcknowledgement() {
		this.listener.acknowledged("Order");
		this.listener.rejected("Order", "CREDIT_REFUSED");
		assertThat(this.registry.scrape()).contains(
				"rabbit_retry_rejections_total{message_type=\"Order\",reason=\"CREDIT_REFUSED\"} 1.0",
				"outcome=\"acked\"} 1.0");
	}

	@Test
	void anUnknownMessageTypeMakesNoNewSeries() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.listener.received("Refund"))
			.withMessage("message type 'Refund' has no policy");
		assertThat(this.registry.scrape()).doesNotContain("Refund");
	}

}
