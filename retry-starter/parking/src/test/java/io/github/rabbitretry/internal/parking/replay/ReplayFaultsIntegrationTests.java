/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.logging.FailingLog;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.parking.publication.BatchPublisher;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A replay is aborted while the broker refuses or is away: each message is parked, with
 * the broker, or known to be uncertain, and whatever is uncertain can be replayed.
 */
class ReplayFaultsIntegrationTests {

	private static final int MESSAGES = 400;

	private static final Duration LEASE = Duration.ofSeconds(4);

	private static final OperatorAction ACT = new OperatorAction("ops", "fixed");

	private static Broker node;

	private final MessageTopology topology = TestPolicy.order().build().topology();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(Database.shared().createDatabase(),
			Database.shared().username(), Database.shared().password());

	private final JdbcClient jdbc = JdbcClient.create(this.dataSource);

	private CutBetween between;

	private ReplayProcess replays;

	@BeforeAll
	static void startBroker() {
		node = Broker.start();
	}

	@AfterAll
	static void stopBroker() {
		node.close();
	}

	@BeforeEach
	void start() throws Exception {
		new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS).prepare();
		ParkedTable.fill(this.jdbc, MESSAGES);
		delete();
		this.between = new CutBetween(node.host(), node.port());
		URI uri = node.amqpUri();
		URI through = new URI(uri.getScheme(), uri.getUserInfo(), uri.getHost(), this.between.port(), uri.getPath(),
				null, null);
		this.replays = new ReplayProcess(through.toString(), String.valueOf(this.dataSource.getUrl()),
				Database.shared().username(), Database.shared().password(), LEASE);
	}

	@AfterEach
	void stop() {
		this.replays.close();
		this.between.close();
	}

	private void declare(Map<String, Object> more) throws Exception {
		Map<String, Object> arguments = new HashMap<>(more);
		arguments.put("x-queue-type", "quorum");
		arguments.put("x-overflow", "reject-publish");
		onBroker((channel) -> {
			channel.exchangeDeclare(this.topology.ringExchange(), "direct", true);
			channel.queueDeclare("order", true, false, false, arguments);
			channel.queueBind("order", this.topology.ringExchange(), "order");
			return true;
		});
	}

	private void delete() throws Exception {
		onBroker((channel) -> {
			channel.queueDelete("order");
			channel.exchangeDelete(this.topology.ringExchange());
			return true;
		});
	}

	private static <T> T onBroker(OnChannel<T> work) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(node.amqpUri());
		try (Connection connection = factory.newConnection("test")) {
			return work.on(connection.createChannel());
		}
	}

	private interface OnChannel<T> {

		T on(Channel channel) throws IOException;

	}

	private static long ready() throws Exception {
		return onBroker((channel) -> channel.messageCount("order"));
	}

	private static Map<String, Integer> drained() throws Exception {
		return onBroker((channel) -> {
			Map<String, Integer> bodies = new HashMap<>();
			GetResponse message = channel.basicGet("order", true);
			while (message != null) {
				bodies.merge(new String(message.getBody()), 1, Integer::sum);
				message = channel.basicGet("order", true);
			}
			return bodies;
		});
	}

	private ReplayJob begin(ReplayOptions options) {
		ReplayJob job = this.replays.service().start(new ReplayRequest(Selection.of(ParkedFilter.ALL), options, ACT));
		this.replays.start();
		return job;
	}

	private ReplayJob awaitStall(ReplayJob job, String cause) {
		return Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> job(job), (now) -> now.stalled() != null && now.stalled().contains(cause));
	}

	private ReplayJob job(ReplayJob job) {
		return this.replays.service().job(job.id());
	}

	private ReplayJob await(ReplayJob job, ReplayJob.State state) {
		return Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> job(job), (now) -> now.state() == state);
	}

	private ReplayJob abort(ReplayJob job) {
		this.replays.service().abort(job.id(), ACT);
		return awaitIdle(job);
	}

	private long parked() {
		return this.jdbc.sql("select count(*) from rabbit_retry_parked where state = 'PARKED'")
			.query(Long.class)
			.single();
	}

	private void nobodyIsStranded(ReplayJob ended) {
		ReplayJob.Counts counts = ended.counts();
		assertThat(counts.waiting() + counts.undecided() + counts.uncertain() + counts.failed())
			.as("sum over states: " + counts)
			.isEqualTo(MESSAGES);
		assertThat(parked()).isEqualTo(counts.waiting() + counts.failed());
	}

	/** Whatever is uncertain is replayed, then the rest. */
	private void replayTheRest(ReplayJob ended) throws Exception {
		if (ended.counts().uncertain() > 0) {
			ReplayJob uncertain = this.replays.service()
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(MESSAGES), ACT,
						ended.id()));
			assertThat(uncertain.counts().selected()).isEqualTo(ended.counts().uncertain());
			await(uncertain, ReplayJob.State.FINISHED);
		}
		if (parked() > 0) {
			await(this.replays.service()
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(MESSAGES), ACT)),
					ReplayJob.State.FINISHED);
		}
		assertThat(parked()).isZero();
	}

	@Test
	void aFullWorkQueueIsToldAndAnAbortLeavesNothingUncertain() throws Exception {
		declare(Map.of("x-max-length", 50));
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES));
		ReplayJob stalled = awaitStall(job, "basic.nack");
		assertThat(stalled.state()).isEqualTo(ReplayJob.State.RUNNING);
		assertThat(stalled.stalledSince()).isNotNull();
		ReplayJob aborted = abort(job);
		assertThat(aborted.stalled()).isNull();
		assertThat(aborted.counts().uncertain()).isZero();
		assertThat(aborted.counts().undecided()).isEqualTo(ready());
		nobodyIsStranded(aborted);
	}

	@Test
	void replaysThatStallKeepNoOthersFromRunning() throws Exception {
		declare(Map.of("x-max-length", 20));
		List<ReplayJob> full = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			full.add(this.replays.service()
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(90), ACT)));
		}
		this.replays.start();
		full.forEach((job) -> awaitStall(job, "basic.nack"));
		String elsewhere = onBroker((channel) -> channel.queueDeclare("elsewhere", true, false, false, Map.of()))
			.getQueue();
		ReplayJob other = this.replays.service()
			.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
					ReplayOptions.unthrottled(10).withTarget(elsewhere), ACT));
		await(other, ReplayJob.State.FINISHED);
		onBroker((channel) -> channel.queueDelete(elsewhere));
	}

	@Test
	void aReplayGoesOnOnceTheQueueHasRoomAgain() throws Exception {
		declare(Map.of("x-max-length", 50));
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES));
		awaitStall(job, "basic.nack");
		Set<String> replayed = new HashSet<>();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
			drained().forEach((body, count) -> assertThat(count == 1 && replayed.add(body)).isTrue());
			return job(job).state() == ReplayJob.State.FINISHED;
		});
		replayed.addAll(drained().keySet());
		assertThat(replayed).hasSize(MESSAGES);
		assertThat(job(job).stalled()).isNull();
	}

	@Test
	void withoutTheExchangeNothingIsUncertain() throws Exception {
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES));
		assertThat(await(job, ReplayJob.State.PAUSED).why()).isEqualTo(ReplayJob.StopReason.UNROUTABLE);
		ReplayJob aborted = abort(job);
		assertThat(aborted.counts().waiting()).isEqualTo(MESSAGES);
		nobodyIsStranded(aborted);
	}

	@Test
	void anExchangeThatVanishesStrandsNothing() throws Exception {
		declare(Map.of());
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES).withRate(400.0, Duration.ZERO));
		Awaitility.await().until(() -> ready() > 20);
		onBroker((channel) -> channel.exchangeDelete(this.topology.ringExchange()));
		await(job, ReplayJob.State.PAUSED);
		ReplayJob aborted = abort(job);
		nobodyIsStranded(aborted);
		declare(Map.of());
		replayTheRest(aborted);
		assertThat(drained()).hasSize(MESSAGES);
	}

	@Test
	void aBrokerThatIsAwayStrandsNothing() throws Exception {
		assumeTrue(node.canControl(), node::description);
		declare(Map.of());
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES).withRate(80.0, Duration.ZERO));
		// a node that is killed forgets what was declared less than seconds before
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> ready() > 300);
		node.kill();
		try {
			awaitStall(job, "");
			ReplayJob aborted = abort(job);
			nobodyIsStranded(aborted);
			assertThat(aborted.counts().uncertain()).isLessThanOrEqualTo(ReplayProcess.IN_FLIGHT);
		}
		finally {
			node.startAgain();
		}
		replayTheRest(job(job));
		assertThat(drained()).hasSize(MESSAGES);
	}

	@Test
	void whatWasPublishedAndNeverConfirmedIsUncertainAndCanBeReplayed() throws Exception {
		declare(Map.of());
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES).withRate(200.0, Duration.ZERO));
		Awaitility.await().until(() -> ready() > 20);
		this.between.keepAnswers();
		Awaitility.await().until(() -> ready() > job(job).counts().undecided());
		ReplayJob aborted = abort(job);
		this.between.cut();
		assertThat(aborted.counts().uncertain()).isBetween(1L, (long) ReplayProcess.IN_FLIGHT);
		nobodyIsStranded(aborted);
		replayTheRest(aborted);
		Map<String, Integer> replayed = drained();
		assertThat(replayed).hasSize(MESSAGES);
		assertThat(replayed.values().stream().mapToInt((count) -> count - 1).sum())
			.isLessThanOrEqualTo((int) aborted.counts().uncertain());
	}

	@Test
	void aStopWhileConfirmsAreMissingGivesTheReplayBack() throws Exception {
		declare(Map.of());
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES).withRate(200.0, Duration.ZERO));
		Awaitility.await().until(() -> ready() > 20);
		this.between.keepAnswers();
		Awaitility.await().until(() -> ready() > job(job).counts().undecided());
		this.replays.stop();
		this.between.cut();
		ReplayJob stopped = job(job);
		assertThat(stopped.worker()).as("who would settle its last batch").isNull();
		assertThat(stopped.counts().inFlight()).isPositive();
	}

	@Test
	void nothingIsPublishedTwiceWhereTheBrokerReadsNothingForLongerThanALease() throws Exception {
		declare(Map.of());
		this.jdbc.sql("update rabbit_retry_parked_content set payload = :payload where parked_id = 41")
			.param("payload", new byte[15_000_000])
			.update();
		this.between.readOnly(5_000_000);
		ReplayJob job = begin(ReplayOptions.unthrottled(60).withRate(50.0, Duration.ZERO));
		Awaitility.await().until(this.between::readsNothing);
		Awaitility.await().during(LEASE.multipliedBy(2)).until(this.between::readsNothing);
		this.between.readAgain();
		await(job, ReplayJob.State.FINISHED);
		assertThat(drained().values()).hasSize(60).containsOnly(1);
	}

	private ReplayJob awaitIdle(ReplayJob job) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> job(job), (now) -> now.worker() == null && now.counts().inFlight() == 0);
	}

	@Test
	void aBrokerThatConfirmsNothingGetsFewCopies() throws Exception {
		declare(Map.of());
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES).withRate(200.0, Duration.ZERO));
		Awaitility.await().until(() -> ready() > 20);
		this.between.keepAnswers();
		awaitStall(job, "confirms are missing");
		this.between.cut();
		await(job, ReplayJob.State.FINISHED);
		Map<String, Integer> replayed = drained();
		assertThat(replayed).hasSize(MESSAGES);
		assertThat(replayed.values()).allSatisfy((count) -> assertThat(count).isLessThanOrEqualTo(3));
		assertThat(replayed.values().stream().mapToInt((count) -> count - 1).sum())
			.isLessThanOrEqualTo(2 * ReplayProcess.IN_FLIGHT);
	}

	@Test
	void messagesThatTheBrokerRefusesOneByOneCostNoOther() throws Exception {
		assumeTrue(node.canControl(), node::description);
		declare(Map.of());
		for (int id : List.of(1, 60, 61, 399)) {
			this.jdbc.sql("update rabbit_retry_parked_content set payload = :payload where parked_id = :id")
				.param("id", id)
				.param("payload", new byte[3_000])
				.update();
		}
		// the broker closes the channel of whoever publishes a larger one
		node.ctl("eval", "persistent_term:put(max_message_size, 2000).");
		// never sent
		this.jdbc.sql("update rabbit_retry_parked_content set properties = :properties where parked_id = 70")
			.param("properties", AmqpPropertiesCodec
				.encode(TestBroker.json("m").replyTo("amq.rabbitmq.reply-to").headers(ParkedLot.envelope()).build()))
			.update();
		ReplayJob job = begin(ReplayOptions.unthrottled(MESSAGES));
		ReplayJob finished;
		try (FailingLog full = new FailingLog(BatchPublisher.class.getPackageName())) {
			finished = await(job, ReplayJob.State.FINISHED);
		}
		finally {
			node.ctl("eval", "persistent_term:put(max_message_size, 16777216).");
		}
		nobodyIsStranded(finished);
		assertThat(finished.detail()).isEqualTo("5 of 400 messages could not be published and stayed parked");
		List<ReplayItem> failed = this.replays.service().items(job.id(), ReplayItem.State.FAILED, 0, 10);
		assertThat(failed).extracting(ReplayItem::parkedId).containsExactly(1L, 60L, 61L, 70L, 399L);
		assertThat(failed.get(0).detail()).contains("the broker refuses it: 406");
		assertThat(failed.get(3).detail()).contains("reply-to");
		Map<String, Integer> replayed = drained();
		assertThat(replayed).hasSize(MESSAGES - 5).doesNotContainKeys("1", "60", "61", "70", "399");
		assertThat(replayed.values().stream().mapToInt((count) -> count - 1).sum())
			.as("only of batches with which the channel was closed")
			.isLessThanOrEqualTo(3 * ReplayProcess.IN_FLIGHT);
	}

}
