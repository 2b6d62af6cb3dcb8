/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Prometheus that scrapes a service and a broker in all kinds of trouble. A minute of
 * the alerts is two seconds here.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AlertsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(150);

	private static final Pattern OURS = Pattern
		.compile("(rabbit_retry|retry|parking_lot|messages_dead_lettered|replay)_");

	private static final String NOT_SCRAPED = "RabbitRetryNotScraped";

	@TempDir
	static Path folder;

	private static Monitored monitored;

	@BeforeAll
	static void makeTrouble() throws Exception {
		monitored = Monitored.start(Duration.ofSeconds(1), RuleFile.shortened(folder, 2),
				AlertingApplication.troubles());
		assertThat(monitored.fired()).isEmpty();
		failALittle();
		// a counter that begins above zero has not increased
		Awaitility.await()
			.atMost(LONG)
			.until(() -> monitored.series("parking_lot_messages_total{message_type=\"Parking\"} > 0") > 0
					&& monitored.series("rabbitmq_global_messages_unroutable_dropped_total") > 0
					&& monitored.series("count_over_time(retry_attempts_total[10s]) > 2") > 0);
		monitored.othersUseTheBroker();
		failALot();
		breakTheTopology();
		replay();
		awaitAlerts(Set.of("RabbitRetryPublisherBlocked", NOT_SCRAPED));
		monitored.broker.memoryAlarm(true);
		awaitAlerts(Set.of(NOT_SCRAPED));
		monitored.broker.memoryAlarm(false);
	}

	private static void failALittle() throws Exception {
		for (int i = 0; i < 30; i++) {
			monitored.send("alerting.healthy", "h-" + i, (i % 10 == 0) ? "once" : (i % 10 == 1) ? "reject" : "ok");
		}
		// handled before
		monitored.send("alerting.healthy", "h-2", "ok");
		for (int i = 0; i < 3; i++) {
			monitored.send("alerting.parking", "p-" + i, "park");
			monitored.send("alerting.calling", "c-" + i, "fail");
		}
		monitored.send("alerting.aging", "a", "fail");
		monitored.send("alerting.inorder", "o", "fail");
		monitored.send("alerting.unowned", "u", "park");
		tellOfWhatHasNoTroubleHere();
	}

	/** A delivery that is not there is a gap; the others are rare and alert nobody. */
	private static void tellOfWhatHasNoTroubleHere() {
		DeliveryListener listeners = monitored.application.getBean("rabbitRetryDeliveryListeners",
				DeliveryListener.class);
		listeners.received("Lost");
		listeners.throttled("Healthy");
		listeners.quarantined("Healthy");
		listeners.undeliverable("Healthy");
		listeners.deadLettered("Healthy", "DELIVERY_LIMIT", FailureClass.POISON);
		listeners.shadowMatched("Healthy", "PARTNER_DOWN", FailureClass.TRANSIENT);
	}

	private static void failALot() throws Exception {
		for (int i = 0; i < 200; i++) {
			monitored.send("alerting.parking", "more-" + i, "park");
		}
	}

	private static void breakTheTopology() throws Exception {
		monitored.channel.exchangeDelete("alerting.lost.dlx");
		monitored.send("alerting.lost", "l", "park");
		monitored.send(DelayLadder.UNROUTABLE, "unroutable", "");
		monitored.channel.queueDeclare("dropping", true, false, false, Map.of("x-message-ttl", 100));
		monitored.channel.exchangeDelete("alerting.lost.retry");
		monitored.send("alerting.lost.retry.1s", "s", "");
		for (int i = 0; i < 20; i++) {
			// as a handler's failure that is beyond the application's control would
			monitored.send("alerting.healthy.dlq", "dead-" + i, "");
		}
		monitored.broker.ctl("set_policy", "drop", "^alerting\\.healthy", "{\"overflow\":\"drop-head\"}", "--apply-to",
				"queues");
	}

	private static void replay() {
		Selection parked = Selection.of(ParkedFilter.ALL.withReason("NO_SUCH_ORDER"));
		Awaitility.await()
			.atMost(LONG)
			.until(() -> monitored.series("sum(parking_lot_depth{message_type=\"Parking\"}) > 150") > 0);
		monitored.application.getBean(ReplayService.class)
			.start(new ReplayRequest(parked, ReplayOptions.careful(20).withCanary(0, Duration.ofSeconds(10)),
					new OperatorAction("test", "NOTHING_MENDED")));
	}

	private static void awaitAlerts(Set<String> later) {
		Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
			// these alert only if they go on
			monitored.send("dropping", "d", "");
			monitored.send("alerting.nowhere", "n", "");
			monitored.send("alerting.idle", "i", "");
			assertThat(monitored.fired())
				.containsAll(RuleFile.alerts().stream().filter((alert) -> !later.contains(alert)).toList());
		});
	}

	@AfterAll
	static void stop() throws Exception {
		if (monitored != null) {
			monitored.close();
		}
	}

	@ParameterizedTest
	@MethodSource("alerts")
	void anAlertFires(String alert) {
		assertThat(monitored.fired()).contains(alert);
	}

	@Test
	void noAlertIsAboutQueuesOfOthers() {
		assertThat(monitored.series("ALERTS{vhost=\"/\"}")).isPositive();
		assertThat(monitored.series("last_over_time(ALERTS{queue!=\"\",vhost!=\"/\"}[15m])")).isZero();
		assertThat(monitored.series("last_over_time(ALERTS{queue=~\"billing.*|cache\"}[15m])")).isZero();
	}

	static List<String> alerts() {
		return RuleFile.alerts().stream().filter((alert) -> !alert.equals(NOT_SCRAPED)).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "prometheus", "waitingretries", "retrytopology", "retryexplain", "parkinglot", "replays",
			"health/liveness" })
	void theServiceAnswersWhatTheRunbookAsksIt(String endpoint) throws Exception {
		assertThat(monitored.actuator(endpoint).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "health", "health/readiness" })
	void aServiceInTroubleIsNotReadyAndSaysWhy(String endpoint) throws Exception {
		HttpResponse<String> answer = monitored.actuator(endpoint);
		assertThat(answer.statusCode()).isEqualTo(503);
		assertThat(answer.body()).contains("\"rabbitRetry\"", "publisher-no-exchange", "unsafe-policy",
				"ordering-blocked");
	}

	@Test
	void theBrokerUnderstandsTheCommandsOfTheRunbook() {
		assertThat(Runbook.commands("/")).hasSizeGreaterThan(4)
			.allSatisfy((command) -> assertThat(monitored.broker.ctl(command)).isNotEmpty());
	}

	@Test
	void eachQueryOfTheDashboardFindsSeries() {
		assertThat(Dashboard.queries()).isNotEmpty()
			.allSatisfy((panel, query) -> assertThat(monitored.series(query)).as("%s: %s", panel, query).isPositive());
	}

	@Test
	void eachMetricAndAlertThatTheDocumentationNamesIsThere() throws IOException {
		Set<String> scraped = monitored.metrics();
		Map<String, String> texts = DocumentedNames.pages();
		texts.put("alerts", RuleFile.text());
		texts.put("dashboard", Dashboard.text());
		assertThat(texts).allSatisfy(
				(page, text) -> assertThat(DocumentedNames.wrong(text, scraped, RuleFile.alerts())).as(page).isEmpty());
	}

	@Test
	void eachMetricThatWasScrapedIsDocumented() throws IOException {
		String page = Files.readString(DocumentedNames.ROOT.resolve("src/docs/observability.md"));
		assertThat(monitored.metrics().stream().filter((metric) -> OURS.matcher(metric).lookingAt())).isNotEmpty()
			.allSatisfy(
					(metric) -> assertThat(page).contains("`" + metric.replaceFirst("_(count|sum|max)$", "") + "`"));
	}

	@Test
	void eachQueryInTheDocumentationFindsSeries() throws IOException {
		assertThat(DocumentedNames.pages())
			.allSatisfy((page, text) -> assertThat(DocumentedNames.queries(text)).as(page)
				.allSatisfy((query) -> assertThat(monitored.series(query)).as(query).isPositive()));
	}

	/** With {@code -Ddocs.write=true} they are those of the runbook from then on. */
	@ParameterizedTest
	@CsvSource({ "Retries by reason, retries.svg", "'Parked, by owner', parked.svg",
			"Age of retried messages, age.svg" })
	void aPictureOfAPanelShowsWhatItsQueriesFound(String panel, String file) throws IOException {
		String svg = Dashboard
			.chart(panel,
					(query) -> Monitored
						.data(monitored.prometheus.queryRange(query, Duration.ofSeconds(90), Duration.ofSeconds(1))))
			.svg();
		assertThat(svg).contains("<polyline", panel);
		if (Boolean.getBoolean("docs.write")) {
			Files.writeString(Files.createDirectories(DocumentedNames.ROOT.resolve("src/docs/pictures")).resolve(file),
					svg);
		}
	}

	/** The last one: the dashboard shows nothing from then on. */
	@Test
	@Order(Integer.MAX_VALUE)
	void anAlertFiresWhenTheServiceIsNotScrapedAnyMore() {
		monitored.application.close();
		awaitAlerts(Set.of());
	}

}
