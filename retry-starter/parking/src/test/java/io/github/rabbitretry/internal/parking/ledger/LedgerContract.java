/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.depth.ParkedDepth;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What every database has to do.
 */
abstract class LedgerContract {

	private static final Instant NOON = Parking.NOW.minusSeconds(3600);

	private DataSource dataSource;

	private LedgerStore store;

	private Ledger ledger;

	/** An empty database. */
	abstract DataSource newDatabase();

	@BeforeEach
	void emptyLedger() {
		this.dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		this.store = new LedgerStore(schema);
		this.ledger = new JdbcLedger(schema);
	}

	private void save(ParkedRecord... rows) {
		List<ParkedRecord> delivered = Arrays.stream(rows).map(ParkedRecord::ofItsOwn).toList();
		assertThat(this.store.save(delivered)).isEmpty();
		// as after a failure that leaves open whether they are committed
		assertThat(this.store.save(delivered)).isEmpty();
	}

	private List<String> ids(ParkedFilter filter) {
		return this.ledger.search(filter, null, 100).messages().stream().map(ParkedSummary::messageId).toList();
	}

	private ParkedSummary only() {
		List<ParkedSummary> all = this.ledger.search(ParkedFilter.ALL, null, 100).messages();
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	@Test
	void aParkedMessageAnswersTheQuestionsOfItsEnvelope() {
		save(Parking.of("m-1")
			.correlationId("corr-214")
			.header("x-causation-id", "cmd-883")
			.header("aggregate-id", "order-771")
			.header("x-schema-version", "2026-07-01")
			.header("x-producer", "checkout-api")
			.header("x-app-consumer", "order-worker")
			.header("x-app-failure-reason", "RATE_LIMITED")
			.header("x-app-exception", "com.acme.Gone <- java.io.IOException")
			.header("x-app-exception-message", "gone")
			.header("x-replay-id", "replay-1")
			.row());
		ParkedSummary summary = only();
		assertThat(summary).isEqualTo(new ParkedSummary(summary.id(), ParkedState.PARKED, "order", "Order",
				"team-orders", "DOWNSTREAM_TIMEOUT", "RATE_LIMITED", "transient", "f1",
				"com.acme.Gone <- java.io.IOException", "gone", "worker:1", "order-worker", "m-1", "corr-214",
				"cmd-883", "order-771", "2026-07-01", "checkout-api", 5, Instant.parse("2026-07-01T09:10:00Z"),
				Instant.parse("2026-07-01T09:43:00Z"), Parking.NOW.minusSeconds(60), "replay-1", PayloadState.WHOLE,
				"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
				new FailureCause(summary.cause().id(), "java.io.IOException", null), null));
	}

	@Test
	void bodyPropertiesAndHeadersComeBackWithTheirTypes() {
		byte[] body = new byte[3_000_000];
		body[2_999_999] = -1;
		Map<String, @Nullable Object> headers = new HashMap<>(Map.of("byte", (byte) 1, "short", (short) 2, "int", 3,
				"long", 4L, "float", 1.5f, "double", 2.5, "decimal", new BigDecimal("12.34"), "bytes",
				new byte[] { 0, 1 }, "date", new Date(1_000), "list", List.of(1, 2L)));
		headers.put("table", Map.of("nested", true));
		headers.put("nothing", null);
		BasicProperties properties = new BasicProperties.Builder().contentType("image/png")
			.contentEncoding("gzip")
			.deliveryMode(1)
			.priority(7)
			.type("Order")
			.timestamp(new Date(2_000))
			.replyTo("reply")
			.headers(headers)
			.build();
		save(new ParkedRecordMapper(Parking.NAMES, () -> Parking.NOW).read(Parking.policy("order"), properties, body));
		ParkedMessage message = this.ledger.find(only().id()).orElseThrow();
		assertThat(message.body()).isEqualTo(body);
		assertThat(message.headers()).usingRecursiveComparison().isEqualTo(headers);
		assertThat(AmqpPropertiesCodec.properties(message).builder().headers(null).build())
			.isEqualTo(properties.builder().headers(null).build());
	}

	@Test
	void theSameParkingDeliveredAgainIsNoSecondRow() {
		save(Parking.of("m-1").row(), Parking.of("m-2").row());
		save(Parking.of("m-2").row(), Parking.of("m-1").header("x-delivery-count", 1L).row(), Parking.of("m-3").row(),
				Parking.of("m-3").row());
		assertThat(ids(ParkedFilter.ALL)).containsExactlyInAnyOrder("m-1", "m-2", "m-3");
	}

	@Test
	void aMessageThatIsParkedAgainIsAnotherParking() {
		save(Parking.of("m-1").at(NOON).row());
		save(Parking.of("m-1").at(NOON.plusSeconds(1)).header("x-replay-id", "replay-1").row());
		assertThat(ids(ParkedFilter.ALL)).containsExactly("m-1", "m-1");
		assertThat(ids(ParkedFilter.ALL.withReplayId("replay-1"))).hasSize(1);
	}

	@Test
	void equalMessagesThatNothingIdentifiesAreRowsOfTheirOwn() {
		ParkedRecord twin = Parking.of("x").noHeaders().id(null).row();
		save(twin, Parking.of("x").noHeaders().id(null).row());
		save(Parking.of("x").noHeaders().id(null).row());
		assertThat(this.ledger.count(ParkedFilter.ALL)).isEqualTo(3);
		// two that were given back while a stop went on, and come in one batch
		save(Parking.of("x").noHeaders().id(null).header("x-delivery-count", 1L).row(),
				Parking.of("x").noHeaders().id(null).header("x-delivery-count", 1L).row());
		assertThat(this.ledger.count(ParkedFilter.ALL)).isEqualTo(5);
	}

	@Test
	void aForeignMessageIsThereWithWhatItHas() {
		save(Parking.of("x").noHeaders().id(null).body("no json").row());
		ParkedSummary summary = only();
		assertThat(summary.messageType()).isEqualTo("Order");
		assertThat(summary.owner()).isEqualTo("team-orders");
		assertThat(summary.reason()).isEqualTo("UNKNOWN_FAILURE");
		assertThat(summary.failureClass()).isEqualTo("unknown");
		assertThat(summary.fingerprint()).isEqualTo("none");
		assertThat(summary.messageId()).isNull();
		assertThat(summary.parkedAt()).isEqualTo(Parking.NOW);
	}

	@Test
	void noHostileHeaderKeepsAMessageOut() {
		List<String> names = List.of("x-app-parked-at", "x-app-first-failure-at", "x-app-retry-attempt",
				"x-app-retry-reason", "x-app-retry-class", "x-app-failure-fingerprint", "x-app-handler-version",
				"x-app-message-type", "x-app-owner", "x-app-exception", "x-app-exception-message", "aggregate-id",
				"x-replay-id");
		List<@Nullable Object> values = new ArrayList<>(List.of("a\u0000b", "\u0000", "", "x".repeat(70_000),
				"'; drop table rabbit_retry_parked; --", "+1000000000-12-31T23:59:59Z", "-1000000-01-01T00:00:00Z",
				"\uD83D\uDE00".repeat(300), -1, Long.MAX_VALUE, new byte[] { 0, 1 }, List.of(1, "two"),
				Map.of("a", List.of()), new Date(0), Float.NaN, true));
		values.add(null);
		List<ParkedRecord> rows = new ArrayList<>();
		for (String name : names) {
			for (@Nullable
			Object value : values) {
				rows.add(Parking.of("m-" + rows.size()).header(name, value).row());
			}
		}
		assertThat(this.store.save(rows)).isEmpty();
		assertThat(this.ledger.search(ParkedFilter.ALL, null, 1000).messages()).extracting(ParkedSummary::messageId)
			.containsExactlyInAnyOrderElementsOf(rows.stream().map(ParkedRecord::messageId).toList());
		assertThat(this.ledger.groups(ParkedFilter.ALL, 100)).isNotEmpty();
		assertThat(this.ledger.find(this.ledger.search(ParkedFilter.ALL, null, 1).messages().get(0).id())).isPresent();
	}

	@Test
	void aTextThatTheDatabaseDoesNotTakeIsLeftOutAndTheMessageIsNot() {
		ParkedRecord good = Parking.of("m-1").row();
		ParkedRecord bad = Parking.of("m-2").row();
		// as if the check of texts had a hole
		ParkedRecord tooLong = new ParkedRecord(bad.key(), true, bad.kind(), "x".repeat(300), null, null, null, null,
				null, null, null, 0, bad.firstSeenAt(), bad.lastFailedAt(), bad.parkedAt(), bad.payloadHash(), null,
				bad.properties(), bad.body());
		save(good, tooLong, Parking.of("m-3").row());
		assertThat(ids(ParkedFilter.ALL)).containsExactlyInAnyOrder("m-1", null, "m-3");
		ParkedSummary bare = this.ledger.search(ParkedFilter.ALL.withFingerprint("none"), null, 1).messages().get(0);
		assertThat(this.ledger.find(bare.id()).orElseThrow().properties().messageId()).isEqualTo("m-2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0000b", "'; drop table rabbit_retry_parked; --", "%", "Ord_r", "' or '1'='1" })
	void aFilterIsDataAndNeverSql(String text) {
		save(Parking.of("m-1").row());
		List<BiFunction<ParkedFilter, String, ParkedFilter>> texts = List.of(ParkedFilter::withQueue,
				ParkedFilter::withMessageType, ParkedFilter::withReason, ParkedFilter::withFailureClass,
				ParkedFilter::withFingerprint, ParkedFilter::withOwner, ParkedFilter::withHandlerVersion,
				ParkedFilter::withCorrelationId, ParkedFilter::withAggregateId, ParkedFilter::withMessageId,
				ParkedFilter::withReplayId, ParkedFilter::withText);
		texts.forEach((field) -> {
			ParkedFilter filter = field.apply(ParkedFilter.ALL, text);
			assertThat(ids(filter)).isEmpty();
			assertThat(this.ledger.count(filter)).isZero();
			assertThat(this.ledger.groups(filter, 10)).isEmpty();
		});
		assertThat(this.ledger.groupsNewSince(ParkedFilter.ALL, text, 10)).isEmpty();
		assertThat(ids(ParkedFilter.ALL)).containsExactly("m-1");
	}

	@Test
	void searchesFindExactlyWhatMatches() {
		save(Parking.of("m-1").correlationId("c-1").header("x-aggregate-id", "a-1").row("order"),
				Parking.of("m-2")
					.at(NOON)
					.header("x-app-retry-reason", "GONE")
					.header("x-app-retry-class", "permanent-business")
					.header("x-app-failure-fingerprint", "f2")
					.header("x-app-handler-version", "worker:2")
					.header("x-app-owner", "team-refunds")
					.header("x-app-message-type", "Refund")
					.row("refund"));
		assertThat(ids(ParkedFilter.ALL)).containsExactly("m-1", "m-2");
		assertThat(ids(ParkedFilter.ALL.withQueue("order"))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withMessageType("Refund"))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withReason("GONE"))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withFailureClass("permanent-business"))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withFingerprint("f1"))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withOwner("team-refunds"))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withHandlerVersion("worker:1"))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withCorrelationId("c-1"))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withAggregateId("a-1"))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withMessageId("m-2"))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withParkedFrom(NOON.plusSeconds(1)))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withParkedBefore(NOON.plusSeconds(1)))).containsExactly("m-2");
		assertThat(ids(ParkedFilter.ALL.withParkedFrom(NOON).withParkedBefore(NOON))).isEmpty();
		assertThat(ids(ParkedFilter.ALL.withQueue("order").withReason("GONE"))).isEmpty();
		assertThat(ids(ParkedFilter.ALL.withCorrelationId("c-1").withOwner("team-refunds"))).isEmpty();
		assertThat(ids(ParkedFilter.ALL.withState(ParkedState.PARKED))).hasSize(2);
		assertThat(ids(ParkedFilter.ALL.withState(ParkedState.DISCARDED))).isEmpty();
		assertThat(ids(ParkedFilter.ALL.withPayload(PayloadState.MASKED))).isEmpty();
		assertThat(this.ledger.count(ParkedFilter.ALL.withOwner("team-refunds"))).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "order, 1 2 3", "REFUND, 2", "READ TIMED OUT AFTER, 1", "socketTIME, 1", "acme.paymentexc, 1",
			"budget, 1", "_TIMEOUT, 1 2 3", "überzogen, 3", "ÜBERZOGEN, 3", "als # %, 3", "a_b\\c, 3", "transient, ''",
			"worker, ''", "team, ''", "limit, 3", "timed_out, ''", "read timed out after 17 ms, 1",
			"SocketTimeoutException: Read timed, 1",
			"Caused by: java.net.SocketTimeoutException: Read timed out after 17 ms, 1",
			"SocketTimeoutException: timed out, ''", "um mehr als 'zehn' %, 3", "17, ''" })
	void aPartOfATextOfTheFailureIsFoundInUpperAndLowerCase(String part, String found) {
		save(timeout("1", "Read timed out after 501 ms").header("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED").row(),
				Parking.of("2").header("x-app-message-type", "Refund").row(),
				Parking.of("3")
					.header("x-app-root-exception", "com.acme.Limit")
					.header("x-app-root-exception-message", "überzogen um mehr als 100 %: a_b\\c")
					.row());
		ParkedFilter filter = ParkedFilter.ALL.withText(part);
		List<String> ids = Stream.of(found.split(" ")).filter((id) -> !id.isEmpty()).toList();
		assertThat(ids(filter)).containsExactlyInAnyOrderElementsOf(ids);
		assertThat(ids(filter.withState(ParkedState.PARKED).withParkedFrom(NOON))).hasSameSizeAs(ids);
		assertThat(this.ledger.count(filter)).isEqualTo(ids.size());
		assertThat(this.ledger.groups(filter, 10).stream().mapToLong(FailureGroup::count).sum()).isEqualTo(ids.size());
	}

	@ParameterizedTest
	@CsvSource({ "read timed out after 17 ms, 0", "SocketTimeoutException: Read timed, 0",
			"READ TIMED OUT AFTER #, 1" })
	void whatIsSelectedToBeActedOnHasTheTextAsItIsAskedFor(String part, long selected) {
		save(timeout("1", "Read timed out after 501 ms").row(), Parking.of("2").row());
		assertThat(ids(ParkedFilter.ALL.withText(part))).containsExactly("1");
		ParkedSelection selection = new ParkedSelection(ParkedFilter.ALL.withText(part));
		assertThat(new LedgerTransactions(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER)).jdbc()
			.queryForObject("select count(*)" + selection.from(), selection.parameters(), Long.class))
			.isEqualTo(selected);
	}

	@Test
	void aRowIsFoundByWhereItStands() {
		save(Parking.of("m-1").row(), Parking.of("m-2").row());
		JdbcClient.create(this.dataSource)
			.sql("update rabbit_retry_parked set state = 'REPLAYED' where message_id = 'm-1'")
			.update();
		assertThat(ids(ParkedFilter.ALL.withState(ParkedState.REPLAYED))).containsExactly("m-1");
		assertThat(ids(ParkedFilter.ALL.withState(ParkedState.PARKED).withOwner("team-orders"))).containsExactly("m-2");
		assertThat(this.ledger.groups(ParkedFilter.ALL.withState(ParkedState.REPLAYED), 10))
			.extracting(FailureGroup::count)
			.containsExactly(1L);
	}

	@Test
	void theOldestComeFirstIfThatIsAskedFor() {
		save(IntStream.range(0, 25)
			.mapToObj((number) -> Parking.of("m-" + number).at(NOON.plusSeconds(number / 10)).row())
			.toArray(ParkedRecord[]::new));
		List<String> newestFirst = new ArrayList<>(ids(ParkedFilter.ALL));
		Collections.reverse(newestFirst);
		for (ParkedFilter filter : List.of(ParkedFilter.ALL, ParkedFilter.ALL.withOwner("team-orders"),
				ParkedFilter.ALL.withParkedFrom(NOON))) {
			List<String> seen = new ArrayList<>();
			ParkedPage.@Nullable PageKey after = null;
			do {
				ParkedPage page = this.ledger.search(filter, ParkedPage.Order.OLDEST_FIRST, after, 10);
				page.messages().forEach((message) -> seen.add(String.valueOf(message.messageId())));
				after = page.next();
			}
			while (after != null);
			assertThat(seen).isEqualTo(newestFirst);
		}
	}

	@Test
	void pagesShowEachMessageOnceAlsoWhileOthersAreParked() {
		// twenty at the same instant: the order must not depend on time alone
		save(IntStream.range(0, 50)
			.mapToObj((number) -> Parking.of("m-" + number).at(NOON.plusSeconds(number / 20)).row())
			.toArray(ParkedRecord[]::new));
		List<String> seen = new ArrayList<>();
		ParkedPage.@Nullable PageKey after = null;
		int pages = 0;
		do {
			ParkedPage page = this.ledger.search(ParkedFilter.ALL.withOwner("team-orders"), after, 10);
			page.messages().forEach((message) -> seen.add(String.valueOf(message.messageId())));
			after = (page.next() != null) ? ParkedPage.PageKey.parse(page.next().toString()) : null;
			save(Parking.of("new-" + pages++).at(NOON.plusSeconds(600)).row());
		}
		while (after != null);
		Set<String> first = new HashSet<>(IntStream.range(0, 50).mapToObj((number) -> "m-" + number).toList());
		assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(first);
		assertThat(pages).isEqualTo(5);
	}

	@Test
	void aPageIsBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.ledger.search(ParkedFilter.ALL, null, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.ledger.search(ParkedFilter.ALL, null, 1001));
		assertThatIllegalArgumentException().isThrownBy(() -> this.ledger.groups(ParkedFilter.ALL, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> ParkedPage.PageKey.parse("yesterday"));
		assertThatIllegalArgumentException().isThrownBy(() -> ParkedPage.PageKey.parse("2026-07-01T12:00:00Z_x"));
	}

	@Test
	void failuresWithoutAnExceptionAreGroupedByFingerprint() {
		save(Parking.of("m-1").at(NOON).row(),
				Parking.of("m-2").at(NOON.plusSeconds(5)).header("x-app-handler-version", "worker:2").row(),
				Parking.of("m-3").at(NOON.plusSeconds(9)).header("x-app-failure-fingerprint", "f2").row());
		List<FailureGroup> groups = this.ledger.groups(ParkedFilter.ALL, 10);
		assertThat(groups).hasSize(2);
		assertThat(groups.get(0))
			.isEqualTo(new FailureGroup(groups.get(0).cause(), 2, 0, NOON, NOON.plusSeconds(5), "order", "Order",
					"team-orders", "DOWNSTREAM_TIMEOUT", "transient", null, "f1", List.of("worker:1", "worker:2")));
		assertThat(groups.get(1).fingerprint()).isEqualTo("f2");
		assertThat(this.ledger.groups(ParkedFilter.ALL, 1)).hasSize(1);
		assertThat(this.ledger.groups(ParkedFilter.ALL.withHandlerVersion("worker:2"), 10))
			.extracting(FailureGroup::count)
			.containsExactly(1L);
	}

	@Test
	void failuresAreGroupedByInnermostExceptionTextAndReason() {
		save(timeout("m-1", "Read timed out after 501 ms, order 4711").row(),
				timeout("m-2", "Read timed out after 30 ms, order \"a b\"").header("x-app-failure-fingerprint", "f2")
					.row(),
				timeout("m-3", "Read timed out after 7 ms, order 9").header("x-app-retry-reason", "DOWNSTREAM_TIMEOUT")
					.row(),
				timeout("m-4", "Connection reset").row(),
				timeout("m-5", "Connection reset").header("x-app-failure-reason", "DOWNSTREAM_UNAVAILABLE").row(),
				timeout("m-6", "Connection reset").row("refund"));
		List<FailureGroup> groups = this.ledger.groups(ParkedFilter.ALL, 10);
		assertThat(groups).hasSize(4);
		FailureGroup first = groups.get(0);
		assertThat(first.count()).isEqualTo(3);
		assertThat(first.budgetExhausted()).isEqualTo(2);
		assertThat(first.reason()).isEqualTo("DOWNSTREAM_TIMEOUT");
		assertThat(first.cause().exception()).isEqualTo("java.net.SocketTimeoutException");
		assertThat(first.cause().text()).isEqualTo("Read timed out after # ms, order #");
		assertThat(this.ledger.count(ParkedFilter.ALL.withCause(first.cause().id()))).isEqualTo(3);
		ParkedFilter two = ParkedFilter.ALL.withCause(first.cause().id() + ", " + groups.get(1).cause().id());
		assertThat(this.ledger.groups(two, 10)).containsExactlyElementsOf(groups.subList(0, 2));
		assertThat(this.ledger.count(two)).isEqualTo(3 + groups.get(1).count());
		assertThat(this.ledger.search(two, null, 10).messages()).hasSize(3 + (int) groups.get(1).count());
		assertThatIllegalArgumentException().isThrownBy(() -> ParkedFilter.ALL.withCause("a, "))
			.withMessage("'cause' has a blank id. Give ids as a,b.");
		assertThat(this.ledger.count(ParkedFilter.ALL.withReason("DOWNSTREAM_TIMEOUT"))).isEqualTo(5);
		assertThat(this.ledger.count(ParkedFilter.ALL.withReason("RETRY_BUDGET_EXHAUSTED"))).isEqualTo(5);
		assertThat(this.ledger.search(ParkedFilter.ALL.withCause(first.cause().id()), null, 10).messages())
			.allSatisfy((message) -> assertThat(message.cause()).isEqualTo(first.cause()));
	}

	private static Parking timeout(String id, String text) {
		return Parking.of(id)
			.header("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.header("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
			.header("x-app-exception", "com.acme.PaymentException <- java.net.SocketTimeoutException")
			.header("x-app-exception-message", "payment failed")
			.header("x-app-root-exception", "java.net.SocketTimeoutException")
			.header("x-app-root-exception-message", text);
	}

	@Test
	void aGroupIsNewSinceAVersionIfNoneOfItWasParkedBefore() {
		save(Parking.of("m-1").at(NOON).row(),
				Parking.of("m-2").at(NOON.plusSeconds(5)).header("x-app-handler-version", "worker:2").row(),
				Parking.of("m-3")
					.at(NOON.plusSeconds(6))
					.header("x-app-failure-fingerprint", "f2")
					.header("x-app-handler-version", "worker:2")
					.row());
		assertThat(this.ledger.groupsNewSince(ParkedFilter.ALL, "worker:2", 10)).extracting(FailureGroup::fingerprint)
			.containsExactly("f2");
		assertThat(this.ledger.groupsNewSince(ParkedFilter.ALL, "worker:1", 10)).hasSize(2);
		assertThat(this.ledger.groupsNewSince(ParkedFilter.ALL, "worker:3", 10)).isEmpty();
		JdbcClient.create(this.dataSource)
			.sql("update rabbit_retry_parked set state = 'DISCARDED' where message_id = 'm-1'")
			.update();
		assertThat(this.ledger.groupsNewSince(ParkedFilter.ALL.withState(ParkedState.PARKED), "worker:2", 10))
			.as("discarded ones were seen too")
			.extracting(FailureGroup::fingerprint)
			.containsExactly("f2");
	}

	@Test
	void aBodyThatIsNotStoredWholeCannotBeReplayed() {
		ParkedRecord omitted = Parking.of("m-1").row(Parking.policy("order", Redaction.OMIT));
		ParkedRecord masked = Parking.of("m-2")
			.body("{\"card\":{\"number\":\"4111\"},\"total\":7}")
			.row(Parking.policy("order", Redaction.masking(List.of("$.card.number"))));
		save(omitted, masked, Parking.of("m-3").row());
		ParkedMessage first = this.ledger
			.find(this.ledger.search(ParkedFilter.ALL.withMessageId("m-1"), null, 1).messages().get(0).id())
			.orElseThrow();
		assertThat(first.body()).isNull();
		assertThat(first.summary().payload().replayable()).isFalse();
		ParkedMessage second = this.ledger
			.find(this.ledger.search(ParkedFilter.ALL.withMessageId("m-2"), null, 1).messages().get(0).id())
			.orElseThrow();
		assertThat(new String(second.body())).isEqualTo("{\"card\":{\"number\":\"***\"},\"total\":7}");
		assertThat(second.summary().payload()).isEqualTo(PayloadState.MASKED);
		assertThat(ids(ParkedFilter.ALL.withPayload(PayloadState.WHOLE))).containsExactly("m-3");
	}

	@Test
	void whatIsStoredWasParkedByTheClockOfTheDatabase() {
		InstantSource ahead = () -> Instant.now().plus(Duration.ofMinutes(10));
		Parking parking = Parking.of("m-1")
			.at(ahead.instant())
			.header("x-app-first-failure-at", ahead.instant().toString())
			.header("x-app-last-failure-at", ahead.instant().toString());
		save(new ParkedRecordMapper(Parking.NAMES, ahead).read(Parking.policy("order"), parking.properties(),
				parking.bytes()));
		LedgerTransactions transactions = new LedgerTransactions(
				new LedgerSchema(this.dataSource, SchemaInitialization.NEVER));
		Instant now = transactions.now();
		ParkedSelection selection = new ParkedSelection(ParkedFilter.ALL).storedBy(now);
		assertThat(transactions.jdbc()
			.queryForObject("select count(*)" + selection.from(), selection.parameters(), Long.class)).isEqualTo(1);
		assertThat(only().parkedAt()).isBeforeOrEqualTo(now);
		assertThat(only().firstSeenAt()).isBefore(ahead.instant().minusSeconds(300));
		assertThat(only().lastFailedAt()).isBefore(ahead.instant().minusSeconds(300));
	}

	@Test
	void theFirstDeletionGoesByTheClockOfTheDatabase() {
		Parking young = Parking.of("young").at(Instant.now());
		save(new ParkedRecordMapper(Parking.NAMES, Instant::now).read(Parking.policy("order"), young.properties(),
				young.bytes()));
		LedgerSchema ahead = new LedgerSchema(this.dataSource, SchemaInitialization.NEVER, true,
				() -> Instant.now().plus(Duration.ofMinutes(10)), new DiskSpace(DiskSpace::usable));
		LedgerRetention retention = new LedgerRetention(ahead, List.of(keptFor(Duration.ofMinutes(9))), ahead.clock());
		assertThat(retention.deleteOld()).isZero();
		assertThat(ids(ParkedFilter.ALL)).containsExactly("young");
	}

	@Test
	void whatIsStoredIsKeptForAsLongAsTheRetentionHoweverOldItIs() {
		Parking behind = Parking.of("behind").at(Instant.now().minus(Duration.ofMinutes(10)));
		LedgerPolicy policy = keptFor(Duration.ofMinutes(9));
		LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.NEVER);
		save(new ParkedRecordMapper(Parking.NAMES, schema.clock()).read(policy, behind.properties(), behind.bytes()));
		LedgerRetention retention = new LedgerRetention(schema, List.of(policy), schema.clock());
		assertThat(retention.deleteOld()).isZero();
		assertThat(ids(ParkedFilter.ALL)).containsExactly("behind");
		ParkedSummary kept = new JdbcLedger(schema, () -> LedgerRetention.byQueue(List.of(policy)))
			.search(ParkedFilter.ALL, null, 1)
			.messages()
			.get(0);
		assertThat(kept.deletedAt()).isBetween(Instant.now().plusSeconds(8 * 60), Instant.now().plusSeconds(9 * 60));
		assertThat(only().deletedAt()).isNull();
		JdbcClient.create(this.dataSource)
			.sql("update rabbit_retry_parked set stored_at = :then")
			.param("then", Instant.now().minus(Duration.ofMinutes(10)).atOffset(ZoneOffset.UTC))
			.update();
		assertThat(retention.deleteOld()).isOne();
	}

	private static LedgerPolicy keptFor(Duration retention) {
		return new LedgerPolicy("Order", "o", "order", "order.parking-lot", retention, Redaction.NONE,
				ExceptionTexts.FULL, Map.of());
	}

	@Test
	void retentionDeletesWhatIsOldAndNothingElse() {
		save(Parking.of("old").at(NOON).row("order"), Parking.of("former").at(NOON).row("order.v0"),
				Parking.of("new").at(NOON.plusSeconds(10)).row("order"), Parking.of("other").at(NOON).row("refund"));
		JdbcClient.create(this.dataSource).sql("update rabbit_retry_parked set stored_at = parked_at").update();
		LedgerRetention retention = new LedgerRetention(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER),
				List.of(new LedgerPolicy("Order", "o", "order", "order.parking-lot", Duration.ofMinutes(1),
						Redaction.NONE, ExceptionTexts.FULL, Map.of("order.v0", "order.v0.parking-lot"))),
				() -> NOON.plusSeconds(65));
		assertThat(retention.deleteOld()).isEqualTo(2);
		assertThat(ids(ParkedFilter.ALL)).containsExactlyInAnyOrder("new", "other");
		assertThat(retention.deleteOld()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "CANARY", "RUNNING", "PAUSED" })
	void retentionKeepsWhatAReplayHasSelectedUntilItEnds(String state) {
		save(Parking.of("selected").at(NOON).row(), Parking.of("other").at(NOON).row());
		JdbcClient sql = JdbcClient.create(this.dataSource);
		sql.sql("update rabbit_retry_parked set stored_at = parked_at").update();
		sql.sql("""
				insert into rabbit_retry_replay_job (replay_id, application, state, selection, user_name, reason, edited, cut_off,
					started_at, maximum, ramp_millis, canary, canary_millis, abort_percent, abort_minimum, lease_token)
				values ('replay-1', 'orders', :state, 'all', 'ops', 'TEST', false, current_timestamp,
					current_timestamp, 1, 0, 0, 0, 100, 1, 0)""")
			.param("state", state)
			.update();
		sql.sql("insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at) select j.id, 1, p.id,"
				+ " 'SELECTED', current_timestamp from rabbit_retry_replay_job j, rabbit_retry_parked p"
				+ " where p.message_id = 'selected'")
			.update();
		LedgerRetention retention = retention(NOON.plusSeconds(65));
		assertThat(retention.deleteOld()).isOne();
		assertThat(ids(ParkedFilter.ALL)).containsExactly("selected");
		sql.sql("update rabbit_retry_replay_job set state = 'ABORTED'").update();
		assertThat(retention.deleteOld()).isOne();
		assertThat(ids(ParkedFilter.ALL)).isEmpty();
	}

	private LedgerRetention retention(Instant now) {
		return new LedgerRetention(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER),
				List.of(keptFor(Duration.ofMinutes(1))), () -> now);
	}

	@Test
	void aTrendCountsWhatMatchesInEqualPartsSinceTheFirst() {
		Instant first = Parking.NOW.minus(Duration.ofHours(24));
		save(Parking.of("first").at(first).row("order"), Parking.of("second").at(first.plusSeconds(10)).row("order"),
				Parking.of("half").at(first.plus(Duration.ofMinutes(12 * 60 + 30))).row("order"),
				Parking.of("last").at(Parking.NOW).row("order"), Parking.of("other").at(first).row("refund"));
		List<FailureGroup> groups = this.ledger.groups(ParkedFilter.ALL, 10);
		assertThat(trend(ParkedFilter.ALL, groups, "order")).containsOnly(entry(0, 2L), entry(12, 1L), entry(23, 1L));
		assertThat(trend(ParkedFilter.ALL, groups, "refund")).containsOnly(entry(0, 1L));
		ParkedFilter later = ParkedFilter.ALL.withParkedFrom(first.plusSeconds(5));
		assertThat(trend(later, this.ledger.groups(later, 10), "order")).containsOnly(entry(0, 1L), entry(12, 1L),
				entry(23, 1L));
		assertThat(this.ledger.trends(ParkedFilter.ALL, List.of())).isEmpty();
	}

	private Map<Integer, Long> trend(ParkedFilter filter, List<FailureGroup> groups, String queue) {
		FailureGroup group = groups.stream().filter((other) -> other.queue().equals(queue)).findFirst().orElseThrow();
		assertThat(this.ledger.trends(filter, groups)).hasSameSizeAs(groups);
		FailureGroup.Trend trend = new LedgerTrends(new NamedParameterJdbcTemplate(this.dataSource))
			.of(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER).ready(), filter, groups, Parking.NOW)
			.stream()
			.filter((other) -> other.cause().equals(group.cause().id()))
			.findFirst()
			.orElseThrow();
		assertThat(trend.from()).isEqualTo(group.firstParkedAt());
		assertThat(trend.counts()).hasSize(FailureGroup.Trend.PARTS);
		return IntStream.range(0, FailureGroup.Trend.PARTS)
			.filter((part) -> trend.counts().get(part) > 0)
			.boxed()
			.collect(Collectors.toMap((part) -> part, (part) -> trend.counts().get(part)));
	}

	@Test
	void noTextOfAnExceptionOutlivesTheMessagesThatItWasOf() {
		Parking parking = Parking.of("m-1")
			.at(NOON)
			.header("x-app-root-exception", "com.acme.Unknown")
			.header("x-app-root-exception-message", "Jane Doe is unknown");
		save(parking.row(), Parking.of("other").at(NOON).row("refund"));
		JdbcClient sql = JdbcClient.create(this.dataSource);
		sql.sql("update rabbit_retry_parked set stored_at = parked_at").update();
		assertThat(kinds()).containsExactlyInAnyOrder("order", "refund");
		assertThat(retention(NOON.plusSeconds(65)).deleteOld()).isOne();
		assertThat(kinds()).containsExactly("refund");
		save(parking.row());
		assertThat(kinds()).as("made anew, though its id is remembered").containsExactlyInAnyOrder("order", "refund");
		assertThat(this.ledger.count(ParkedFilter.ALL.withQueue("order"))).isOne();
		assertThat(retention(NOON.plusSeconds(65)).deleteOld()).isZero();
		assertThat(kinds()).as("one that is used").containsExactlyInAnyOrder("order", "refund");
	}

	private List<String> kinds() {
		return JdbcClient.create(this.dataSource)
			.sql("select queue from rabbit_retry_failure_kind")
			.query(String.class)
			.list();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void whateverIsParkedMovedAndDeletedCountsAndGroupsAreThoseOfTheRows(long seed) {
		Random random = new Random(seed);
		JdbcClient sql = JdbcClient.create(this.dataSource);
		LedgerCounts counts = new LedgerCounts(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER));
		for (int step = 0; step < 30; step++) {
			switch (random.nextInt(5)) {
				case 0, 1 -> save(IntStream.range(0, 1 + random.nextInt(450))
					.mapToObj((number) -> Parking.of("m-" + random.nextLong())
						.at(NOON.plusSeconds(random.nextInt(1000)))
						.header("x-app-failure-fingerprint", "f" + random.nextInt(4))
						.row(random.nextBoolean() ? "order" : "refund"))
					.toArray(ParkedRecord[]::new));
				case 2 -> sql.sql("update rabbit_retry_parked set state = :state where mod(id, 7) = :part")
					.param("state", ParkedState.values()[random.nextInt(3)].name())
					.param("part", random.nextInt(7))
					.update();
				case 3 -> sql.sql("delete from rabbit_retry_parked where mod(id, 11) = :part")
					.param("part", random.nextInt(11))
					.update();
				default -> counts.sumUp();
			}
			assertThatCountsAreThoseOfTheRows(sql, counts);
		}
	}

	private void assertThatCountsAreThoseOfTheRows(JdbcClient sql, LedgerCounts counts) {
		Map<String, Long> rows = sql
			.sql("select fingerprint, count(*) from rabbit_retry_ledger where queue = 'order'"
					+ " and state = 'PARKED' group by fingerprint")
			.query((row) -> {
				Map<String, Long> found = new HashMap<>();
				while (row.next()) {
					found.put(row.getString(1), row.getLong(2));
				}
				return found;
			});
		ParkedFilter parkedOrders = ParkedFilter.ALL.withQueue("order").withState(ParkedState.PARKED);
		List<FailureGroup> groups = this.ledger.groups(parkedOrders, 10);
		assertThat(groups.stream().collect(Collectors.toMap(FailureGroup::fingerprint, FailureGroup::count)))
			.isEqualTo(rows);
		assertThat(groups).allSatisfy((group) -> {
			ParkedFilter same = parkedOrders.withFingerprint(group.fingerprint());
			List<ParkedSummary> all = this.ledger.search(same, null, 1).messages();
			assertThat(group.lastParkedAt()).isEqualTo(all.get(0).parkedAt());
			assertThat(this.ledger.count(same.withParkedBefore(group.firstParkedAt()))).isZero();
			assertThat(this.ledger.count(same.withParkedBefore(group.firstParkedAt().plusSeconds(1)))).isPositive();
		});
		assertThat(this.ledger.totals(parkedOrders, FailureGroup.Attribute.OWNER, 10))
			.isEqualTo(this.ledger.totals(parkedOrders.withParkedFrom(NOON), FailureGroup.Attribute.OWNER, 10));
		assertThat(this.ledger.count(parkedOrders)).isEqualTo(rows.values().stream().mapToLong(Long::longValue).sum());
		assertThat(this.ledger.count(ParkedFilter.ALL))
			.isEqualTo(sql.sql("select count(*) from rabbit_retry_parked").query(Long.class).single());
		Map<String, ParkedDepth> depths = new HashMap<>();
		sql.sql("select message_type, count(*), min(parked_at) from rabbit_retry_ledger where state = 'PARKED'"
				+ " group by message_type")
			.query((row) -> {
				depths.put(row.getString(1),
						new ParkedDepth(row.getLong(2), row.getObject(3, OffsetDateTime.class).toInstant()));
			});
		assertThat(counts.parked()).isEqualTo(depths);
	}

	@Test
	void totalsCountByAnAttributeWhateverTheCauses() {
		save(Parking.of("m-1").at(NOON).header("x-schema-version", "2").row("order"),
				Parking.of("m-2")
					.at(NOON.plusSeconds(5))
					.header("x-schema-version", "2")
					.header("x-app-failure-fingerprint", "f2")
					.row("order"),
				Parking.of("m-3").at(NOON.plusSeconds(9)).header("x-app-handler-version", "worker:2").row("refund"),
				Parking.of("m-4").at(NOON.plusSeconds(7)).header("x-app-handler-version", null).row("refund"),
				Parking.of("m-5").at(NOON.plusSeconds(11)).header("x-schema-version", "1").row("refund"));
		assertThat(this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.QUEUE, 10)).containsExactly(
				new FailureGroup.Total("refund", 3, 1, NOON.plusSeconds(7), NOON.plusSeconds(11)),
				new FailureGroup.Total("order", 2, 2, NOON, NOON.plusSeconds(5)));
		assertThat(this.ledger.totals(ParkedFilter.ALL.withState(ParkedState.PARKED),
				FailureGroup.Attribute.SCHEMA_VERSION, 10))
			.containsExactly(new FailureGroup.Total("2", 2, 2, NOON, NOON.plusSeconds(5)),
					new FailureGroup.Total(null, 2, 1, NOON.plusSeconds(7), NOON.plusSeconds(9)),
					new FailureGroup.Total("1", 1, 1, NOON.plusSeconds(11), NOON.plusSeconds(11)));
		assertThat(this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.HANDLER_VERSION, 10))
			.extracting(FailureGroup.Total::value, FailureGroup.Total::count)
			.containsExactly(tuple("worker:1", 3L), tuple("worker:2", 1L), tuple(null, 1L));
		assertThat(this.ledger.totals(ParkedFilter.ALL.withQueue("refund"), FailureGroup.Attribute.OWNER, 10))
			.singleElement()
			.satisfies((total) -> assertThat(total.count()).isEqualTo(3));
		assertThat(this.ledger.totals(ParkedFilter.ALL.withSchemaVersion("1"), FailureGroup.Attribute.MESSAGE_TYPE, 10))
			.singleElement()
			.satisfies((total) -> assertThat(total.count()).isEqualTo(1));
		assertThat(this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.QUEUE, 1)).hasSize(1);
		assertThat(
				this.ledger.totals(ParkedFilter.ALL.withState(ParkedState.DISCARDED), FailureGroup.Attribute.QUEUE, 1))
			.isEmpty();
		assertThat(ids(ParkedFilter.ALL.withSchemaVersion("2"))).containsExactlyInAnyOrder("m-1", "m-2");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.ledger.totals(ParkedFilter.ALL, FailureGroup.Attribute.OWNER, 1001));
	}

	@Test
	void aGroupOfSomeRowsTellsOfTheirKindsOnly() {
		save(Parking.of("m-1").at(NOON).header("x-schema-version", "1").row(),
				Parking.of("m-2")
					.at(NOON.plusSeconds(5))
					.header("x-schema-version", "2")
					.header("x-app-handler-version", "worker:2")
					.row());
		assertThat(this.ledger.groups(ParkedFilter.ALL, 10)).singleElement()
			.satisfies((group) -> assertThat(group.handlerVersions()).containsExactly("worker:1", "worker:2"));
		assertThat(this.ledger.groups(ParkedFilter.ALL.withSchemaVersion("2"), 10)).singleElement()
			.satisfies((group) -> assertThat(group.handlerVersions()).containsExactly("worker:2"));
		assertThat(this.ledger.groups(ParkedFilter.ALL.withParkedBefore(NOON.plusSeconds(1)), 10)).singleElement()
			.satisfies((group) -> assertThat(group.handlerVersions()).containsExactly("worker:1"));
	}

	@Test
	void aGroupTellsOfNothingButWhatWasAskedFor() {
		save(Parking.of("m-1").at(NOON).row("order"), Parking.of("m-2").at(NOON.plusSeconds(5)).row("refund"));
		assertThat(this.ledger.groups(ParkedFilter.ALL.withQueue("order"), 10)).singleElement().satisfies((group) -> {
			assertThat(group.queue()).isEqualTo("order");
			assertThat(group.count()).isEqualTo(1);
			assertThat(group.lastParkedAt()).isEqualTo(NOON);
		});
	}

	@Test
	void theTablesAreMadeOnceAndFoundAgain() {
		save(Parking.of("m-1").row());
		new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS).prepare();
		new LedgerSchema(this.dataSource, SchemaInitialization.NEVER).prepare();
		assertThat(ids(ParkedFilter.ALL)).containsExactly("m-1");
		assertThat(JdbcClient.create(this.dataSource)
			.sql("select message_id, owner_team, last_reason, attempt_count from rabbit_retry_ledger")
			.query()
			.singleRow()
			.values()).containsExactlyInAnyOrder("m-1", "team-orders", "DOWNSTREAM_TIMEOUT", 5);
	}

	@Test
	void missingTablesThatMayNotBeCreatedFailStartup() {
		LedgerSchema schema = new LedgerSchema(newDatabase(), SchemaInitialization.NEVER);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(schema::prepare)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rabbit-retry.ledger.initialize-schema"))
			.satisfies((ex) -> assertThat(ex.value()).isEqualTo("never"))
			.withMessageContaining("expects version 1 of the ledger's tables and finds none")
			.withMessageContaining("/V1__rabbit_retry_ledger.sql")
			.withMessageContaining("by Flyway with the location classpath:io/github/rabbitretry/parking/schema");
	}

	@ParameterizedTest
	@EnumSource(SchemaInitialization.class)
	void tablesOfALaterVersionFailStartup(SchemaInitialization mode) {
		JdbcClient.create(this.dataSource).sql("insert into rabbit_retry_schema (version) values (2)").update();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(this.dataSource, mode)::prepare)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rabbit-retry.ledger.initialize-schema"))
			.withMessageContaining("expects version 1 of the ledger's tables and finds version 2");
	}

}
