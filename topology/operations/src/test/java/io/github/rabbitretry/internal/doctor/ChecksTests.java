/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UserSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.snapshot.RemedyCommands;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.TopologyNames;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a real broker of the tests can't be brought to, and what would take it long.
 */
class ChecksTests {

	private static final Map<String, Object> RETRY_30S = Map.of("x-message-ttl", 30_000, "x-dead-letter-strategy",
			"at-least-once", "x-dead-letter-exchange", "order.retry", "x-dead-letter-routing-key", "order");

	private static final String PAST_ALL = "*.".repeat(22);

	private static final List<TypeTopology> TYPES = BrokenBroker.types();

	private final LiveTestBroker broker = broker(true);

	private static LiveTestBroker broker(boolean declared) {
		return new LiveTestBroker(ExpectedTopology.of(TestTypes.application(TYPES, declared), LiveTestBroker.USER));
	}

	@Test
	void aHealthyTopologyHasNoFinding() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0,
				Map.of("x-dead-letter-exchange", "legacy.dlx", "x-dead-letter-routing-key", "legacy.dlq"));
		TopologyDoctor.CHECKS.stream()
			.filter((examination) -> !(examination instanceof ConsumerCheck))
			.forEach((examination) -> assertThat(this.broker.examine(examination))
				.as(examination.getClass().getSimpleName())
				.isEmpty());
	}

	// bindings

	@Test
	void aBindingThatCannotBeReadIsNotMissing() {
		this.broker.unbind("order.retry", "order");
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-missing");
		this.broker.bindUnreadably("order.retry", "order");
		assertThat(this.broker.examine(new BindingCheck())).isEmpty();
	}

	@Test
	void whereDeadLettersGoIsNotSaidIfABindingCannotBeRead() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0, Map.of("x-dead-letter-exchange", "theirs"));
		this.broker.exchange("theirs", "topic", Map.of());
		this.broker.exchange("further", "topic", Map.of());
		this.broker.bindings.add(new BindingSnapshot("theirs", "further", false, "#", "#", Map.of()));
		assertThat(this.broker.examine(new ExistingWorkQueueCheck())).extracting(Finding::code)
			.containsExactly("dead-letters-lost");
		this.broker.bindUnreadably("further", "legacy.dlq");
		assertThat(this.broker.examine(new ExistingWorkQueueCheck())).isEmpty();
	}

	@Test
	void nothingIsDeletedOfWhichABindingCannotBeRead() {
		this.broker.queue("order.retry.30s", "quorum", 0, Map.of());
		this.broker.exchange("order.delay", "topic", Map.of());
		this.broker.bindUnreadably("amq.topic", "order.retry.30s");
		this.broker.bindUnreadably("order.delay", "theirs");
		assertThat(this.broker.examine(new LeftoverCheck())).singleElement()
			.satisfies((finding) -> assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE")));
		this.broker.queue("order.parking-lot", "quorum", 0, Map.of());
		this.broker.bindUnreadably("amq.topic", "order.parking-lot");
		assertThat(this.broker.examine(new QueueCheck())).isNotEmpty()
			.allSatisfy((finding) -> assertNothingIsDeleted(finding));
		this.broker.exchange("order.dlx", "fanout", Map.of());
		this.broker.bindUnreadably("order.dlx", "theirs");
		assertThat(this.broker.examine(new ExchangeCheck())).singleElement()
			.satisfies((finding) -> assertNothingIsDeleted(finding));
	}

	@Test
	void nothingIsDeletedWhileOnlySomeBindingsAreKnown() {
		this.broker.allBindings = false;
		this.broker.queue("order.retry.30s", "quorum", 0, Map.of());
		this.broker.exchange("order.delay", "topic", Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).singleElement()
			.satisfies((finding) -> assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE")));
		this.broker.queue("order.parking-lot", "quorum", 0, Map.of());
		assertThat(this.broker.examine(new QueueCheck())).isNotEmpty()
			.allSatisfy((finding) -> assertNothingIsDeleted(finding));
		this.broker.exchange("order.dlx", "fanout", Map.of());
		assertThat(this.broker.examine(new ExchangeCheck())).singleElement()
			.satisfies((finding) -> assertNothingIsDeleted(finding));
	}

	@Test
	void nothingIsDeletedWhileItIsNotKnownWhatIsInIt() {
		this.broker.queue("order.retry.30s", "quorum", -1, Map.of());
		this.broker.queue("order.parking-lot", "quorum", -1, Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).isNotEmpty();
		for (DoctorCheck examination : List.of(new LeftoverCheck(), new QueueCheck())) {
			assertThat(this.broker.examine(examination)).allSatisfy((finding) -> {
				assertThat(finding.fact() + finding.remedy()).contains("an unknown number of messages");
				assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
			});
		}
	}

	@Test
	void anExchangeThatIsNotWhatWeDeclareIsNotDeleted() {
		this.broker.exchange("order.dlx", "fanout", Map.of());
		assertThat(this.broker.examine(new ExchangeCheck())).singleElement()
			.satisfies(ChecksTests::assertNothingIsDeleted);
	}

	@Test
	void anothersWayIntoAParkingLotThatServicesShareIsNotRemoved() {
		this.broker.exchange("theirs.dlx", "direct", Map.of());
		this.broker.bind("theirs.dlx", "order.parking-lot", "order.parking-lot");
		assertThat(this.broker.examine(new BindingCheck())).isEmpty();
		this.broker.exchange("theirs", "topic", Map.of());
		this.broker.bind("theirs", "#", "order.parking-lot");
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-unexpected");
	}

	@Test
	void whoListensInIsNotCutOff() {
		this.broker.queue("audit", "quorum", 0, Map.of());
		this.broker.bind("order.dlx", "order.parking-lot", "audit");
		assertThat(this.broker.examine(new BindingCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
			assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
		});
	}

	/** Each negative confirm leaves one more in our own queue. */
	@Test
	void whoListensInAndMayRefuseIsToldOf() {
		this.broker.queue("audit", "quorum", 0, Map.of("x-max-length", 1L));
		this.broker.policy("refuse", "^audit$", Map.of("overflow", "reject-publish"));
		this.broker.bind("order.retry", "order.retry.10s", "audit");
		assertThat(this.broker.examine(new BindingCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "order.retry.10s", "order.parking-lot", "order.quarantine", "order.dlq" })
	void whatProducersPublishAndOtherQueuesOfOursGetIsDoubled(String queue) {
		for (String key : List.of("order.*", "order.created", "#")) {
			this.broker.bind("orders", key, queue);
			assertThat(this.broker.examine(new BindingCheck())).singleElement().satisfies((finding) -> {
				assertThat(finding.code()).isEqualTo("binding-unexpected");
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
			});
			this.broker.unbind("orders", queue);
		}
		this.broker.bind("orders", "other", queue);
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-unexpected");
	}

	@Test
	void earlierRoutingKeysAndOtherWorkQueuesDoubleNothing() {
		this.broker.bind("orders", "former", "order");
		this.broker.bind("orders", "order.*", "shared");
		assertThat(this.broker.examine(new BindingCheck())).isEmpty();
	}

	@Test
	void onlyDeadLettersLeadToADeadLetterQueue() {
		this.broker.exchange("amq.topic", "topic", Map.of());
		this.broker.bind("amq.topic", "#", "legacy.dlq");
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-unexpected");
		this.broker.exchange("theirs", "direct", Map.of());
		this.broker.bindings.add(new BindingSnapshot("theirs", "amq.topic", false, "legacy", "legacy", Map.of()));
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0, Map.of("x-dead-letter-exchange", "theirs"));
		assertThat(this.broker.examine(new BindingCheck())).isEmpty();
	}

	private static void assertNothingIsDeleted(Finding finding) {
		assertThat(finding.commands()).noneMatch((command) -> command.contains("curl"));
		assertThat(finding.remedy()).startsWith("No command is printed");
	}

	// whose a queue is, and who else uses it

	@Test
	void aRetryQueueOfOursWithAWrongDelayIsUnboundFirstAndReplacedIfItStaysEmpty() {
		this.broker.queue("order.retry.10s", "quorum", 0, changed("order.retry.10s", "x-message-ttl", 60_000L));
		assertThat(this.broker.examine(new QueueCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.commands()).hasSize(3);
			assertThat(finding.commands().get(0)).contains("-X DELETE", "/bindings/",
					"/e/order.retry/q/order.retry.10s");
			assertThat(finding.commands().get(1)).startsWith("sleep 10 && ")
				.containsSubsequence("/order.retry.10s/bindings", "-X DELETE", "/queues/", "-X PUT");
			assertThat(finding.commands().get(2)).contains("-X POST", "/e/order.retry/q/order.retry.10s");
		});
	}

	@Test
	void aQueueThatOthersLeadMessagesIntoIsNotReplaced() {
		this.broker.queue("order.retry.10s", "quorum", 0, changed("order.retry.10s", "x-message-ttl", 60_000L));
		this.broker.bind("amq.topic", "#", "order.retry.10s");
		assertThat(this.broker.examine(new QueueCheck())).isNotEmpty().allSatisfy(ChecksTests::assertNothingIsDeleted);
	}

	@ParameterizedTest
	@ValueSource(strings = { "order", "order.dlq", "order.quarantine", "order.parking-lot", "order.retry.10s" })
	void aQueueThatHasOurNameAndNothingElseOfOursIsNotReplaced(String queue) {
		this.broker.queue(queue, "quorum", 0, Map.of());
		assertThat(this.broker.examine(new QueueCheck())).isNotEmpty().allSatisfy(ChecksTests::assertNothingIsDeleted);
	}

	@Test
	void whatHasANameOfAFormerQueueAloneIsNotDeleted() {
		for (String name : List.of("order.retry.30s", "order.delay.10s", "order.undeliverable", "shared.quarantine")) {
			this.broker.queue(name, "quorum", 0, Map.of());
		}
		this.broker.exchange("order.delay", "topic", Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).hasSize(5)
			.flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("DELETE"));
		this.broker.queue("order.retry.30s", "quorum", 0,
				Map.of("x-dead-letter-exchange", "order.retry", "x-dead-letter-routing-key", "order"));
		assertThat(this.broker.examine(new LeftoverCheck())).as("a partner's own ring")
			.flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("DELETE"));
		this.broker.queue("order.retry.30s", "quorum", 0, RETRY_30S);
		assertThat(this.broker.examine(new LeftoverCheck())).flatExtracting(Finding::commands)
			.filteredOn((command) -> command.toString().contains("DELETE"))
			.singleElement()
			.asString()
			.contains("/order.retry.30s'");
	}

	@Test
	void aFormerRetryQueueThatIsStillBoundMayBeAnotherConfigurations() {
		this.broker.queue("order.retry.30s", "quorum", 0, RETRY_30S);
		this.broker.bind("order.retry", "order.retry.30s", "order.retry.30s");
		assertThat(this.broker.examine(new LeftoverCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.remedy()).contains("configuration may still use it");
			assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "#", "*.payments" })
	void whatAnotherServiceBindsToTheEndOfTheLadderIsLeftToIt(String key) {
		this.broker.queue("payments", "quorum", 0, Map.of());
		this.broker.bind(DelayLadder.EXIT, key, "payments");
		assertThat(this.broker.examine(new BindingCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
			assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
		});
	}

	private Map<String, Object> changed(String queue, String key, Object value) {
		return with(this.broker.expected.queues().get(queue).arguments(), key, value);
	}

	@Test
	void whatLeadsPastARetryQueueThatIsNoMoreDoublesNothing() {
		this.broker.bind(DelayLadder.EXIT, PAST_ALL + "order.retry.30s", "order");
		assertThat(this.broker.examine(new BindingCheck())).isEmpty();
	}

	@Test
	void whatLeavesTheLadderTwiceIsDoubled() {
		this.broker.bind(DelayLadder.EXIT, PAST_ALL + "order", "order.retry.10s");
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-unexpected");
	}

	@ParameterizedTest
	@CsvSource({ "#", "*.#", "*.*.order" })
	void whatTakesMoreThanOneQueuesMessagesFromTheLadderDoublesThem(String key) {
		this.broker.bind(DelayLadder.EXIT, key, "order");
		assertThat(this.broker.examine(new BindingCheck())).extracting(Finding::code)
			.containsExactly("binding-unexpected");
	}

	// dead letters of existing queues

	@Test
	void aDeadLetterExchangeThatAQueuesArgumentNamesIsItsOwnersToDeclare() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0, Map.of("x-dead-letter-exchange", "legacy.dlx"));
		this.broker.exchanges.remove("legacy.dlx");
		this.broker.bindings.removeIf((binding) -> binding.source().equals("legacy.dlx"));
		assertThat(this.broker.examine(new ExistingWorkQueueCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("dead-letters-lost");
			assertThat(finding.remedy()).contains("as its owner does", "'legacy.dlq'");
			assertThat(finding.commands()).singleElement().asString().contains("list_bindings");
		});
	}

	// names

	@Test
	void commandsHaveAnyNameAsOneWordAndOnePart() {
		RemedyCommands commands = new RemedyCommands("http://127.0.0.1:15672", "prod/50%+~'");
		String name = "a /%+~'\"ä";
		BindingSnapshot binding = new BindingSnapshot("x", name, true, "k%+~ ", "k%25%2B%7E+", Map.of());
		assertThat(PrintedCommand.words(commands.unbind(binding))).element(7)
			.isEqualTo("http://127.0.0.1:15672/api/bindings/prod%2F50%25%2B%7E%27/e/x/q/a%20%2F%25%2B%7E%27%22%C3%A4"
					+ "/k%2525%252B%257E%2B");
		assertThat(PrintedCommand.words(commands.ctl("delete_queue", name))).containsExactly("rabbitmqctl",
				"delete_queue", "-p", "prod/50%+~'", name);
	}

	@Test
	void aQueueIsDeletedOnlyWithoutMessagesAndConsumers() {
		RemedyCommands commands = this.broker.live().commands();
		this.broker.queue("classic", "classic", 0, Map.of());
		assertThat(commands.deleteQueue(this.broker.queues.get("classic"))).contains("if-empty=true", "if-unused=true");
		assertThat(commands.deleteQueue(this.broker.queues.get("order")))
			.matches("sleep 10 && curl .*/bindings\\?columns=source' \\| grep -v '\"source\":\"\\[\\^\"\\]' "
					+ "&& curl .*columns=messages,consumers' \\| grep '\"consumers\":0\\[,}\\]' "
					+ "\\| grep '\"messages\":0\\[,}\\]' && curl .* -X DELETE .*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "{}", "{\"consumers\":0}", "{\"messages\":0}", "{\"consumers\":0,\"messages\":10}",
			"{\"consumers\":1,\"messages\":0}" })
	void aQueueIsNotDeletedIfNumbersAreLeftOutOrAreNotZero(String answer) throws Exception {
		assertThat(exitCode(answer)).isNotZero();
		assertThat(exitCode("{\"consumers\":0,\"messages\":0}")).isZero();
	}

	/** Of the part of the command that looks at what the management API answers. */
	private int exitCode(String answer) throws Exception {
		String command = this.broker.live().commands().deleteQueue(this.broker.queues.get("order"));
		String look = command.substring(command.indexOf("| grep '\"consumers"), command.lastIndexOf(" && curl"));
		return new ProcessBuilder("sh", "-c", "echo '%s' %s".formatted(answer, look)).start().waitFor();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "[{\"source\":\"\"}];true", "[{\"source\":\"\"},{\"source\":\"x\"}];false" })
	void aQueueIsNotDeletedWhileSomethingIsBoundToIt(String answer, boolean deleted) throws Exception {
		String command = this.broker.live().commands().deleteQueue(this.broker.queues.get("order"));
		String look = command.substring(command.indexOf("| grep -v"),
				command.indexOf(" && curl", command.indexOf("| grep")));
		int exit = new ProcessBuilder("sh", "-c", "echo '%s' %s".formatted(answer, look)).start().waitFor();
		assertThat(exit == 0).isEqualTo(deleted);
	}

	@Test
	void noCommandTakesTheTagOfWhatMayBeTheOnlyAdministrator() {
		this.broker.user = new UserSnapshot(LiveTestBroker.USER, List.of("administrator"), "^$", ".*", ".*");
		assertThat(this.broker.examine(new PermissionCheck())).extracting(Finding::code).contains("permission-broad");
		assertThat(this.broker.examine(new PermissionCheck())).flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("set_user_tags"));
	}

	private static Map<String, Object> with(Map<String, Object> definition, String key, Object value) {
		Map<String, Object> changed = new HashMap<>(definition);
		changed.put(key, value);
		return changed;
	}

	// policies

	@Test
	void whatAPolicyGivesIsNoArgument() {
		this.broker.policy("lengths", "\\.parking-lot$", Map.of("max-length", 1000L));
		assertThat(this.broker.examine(new QueueCheck())).isEmpty();
	}

	@Test
	void whatIsNoErrorIsNotGroundedLikeOne() {
		this.broker.policy("p", "^order$", Map.of("message-ttl", 60000L));
		assertThat(this.broker.examine(new BrokerPolicyCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
		});
	}

	/** Policies of one name replace each other. */
	@Test
	void onePolicyIsDisplacedAtOnceForAllThatIsWrongWithIt() {
		this.broker.policy("p", "^order\\.parking-lot$", new TreeMap<>(Map.of("max-length", 1000L, "max-length-bytes",
				1000L, "message-ttl", 60000L, "federation-upstream-set", "all", "queue-leader-locator", "x")));
		assertThat(this.broker.examine(new BrokerPolicyCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.fact()).contains("max-length", "max-length-bytes", "message-ttl",
					"federation-upstream-set");
			assertThat(finding.commands()).containsExactly(
					"rabbitmqctl set_policy -p '/' --priority 4 --apply-to queues 'rabbit-retry-p' '^order\\.parking-lot$' '%s'"
						.formatted(
								"{\"federation-upstream-set\":\"all\",\"queue-leader-locator\":\"x\",\"overflow\":\"reject-publish\"}"));
		});
	}

	@Test
	void twoPoliciesAreDisplacedByTwo() {
		this.broker.policy("p", "^order\\.parking-lot$", Map.of("message-ttl", 60000L));
		this.broker.policy("rabbit-retry-p", "^shared\\.parking-lot$", Map.of("message-ttl", 60000L));
		assertThat(this.broker.examine(new BrokerPolicyCheck())).hasSize(2)
			.flatExtracting(Finding::commands)
			.extracting((command) -> String.valueOf(command).replaceAll(".*queues ('[^']*').*", "$1"))
			.doesNotHaveDuplicates();
	}

	@Test
	void federationIsGoodToKnow() {
		this.broker.policy("federated", "^order$", Map.of("federation-upstream-set", "all"));
		assertThat(this.broker.examine(new BrokerPolicyCheck())).extracting(Finding::code)
			.containsExactly("policy-unsafe");
	}

	@Test
	void aPolicyThatCannotBeReadIsTold() {
		this.broker.unreadablePolicy("fancy");
		assertThat(this.broker.examine(new BrokerPolicyCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.fact()).contains("policy 'fancy'");
		});
	}

	@Test
	void delayedRetriesTakeOrderAway() {
		this.broker.policy("delayed", "^ordered$", Map.of("delayed-retry-type", "all"));
		assertThat(this.broker.examine(new BrokerPolicyCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("policy-unsafe");
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
		});
	}

	// cycles

	@Test
	void noCommandRemovesTheBindingThatMakesACycle() {
		this.broker.bind("order.dlx", "order.dlq", "order.retry.10s");
		assertThat(this.broker.examine(new CycleCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.affected()).containsExactlyInAnyOrder("order", "order.retry.10s");
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.remedy()).contains("remove a binding that no policy expects");
			assertThat(finding.commands()).hasSize(2).noneMatch((command) -> command.contains("DELETE"));
		});
	}

	@Test
	void theRingOfAnExistingQueuesOwnerIsGoodToKnow() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0,
				Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "legacy-waiting"));
		this.broker.queue("legacy-waiting", "quorum", 0,
				Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", BrokenBroker.LEGACY));
		assertThat(this.broker.examine(new CycleCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
			assertThat(finding.remedy()).contains("migrating an existing service");
		});
	}

	@Test
	void aCycleThatArgumentsMakeIsLeftToTheFindingsAboutThem() {
		Map<String, Object> arguments = with(this.broker.expected.queues().get("order").arguments(),
				"x-dead-letter-routing-key", "order.quarantine");
		this.broker.queue("order", "quorum", 0, new HashMap<>(arguments));
		this.broker.queue("order.quarantine", "quorum", 0,
				Map.of("x-dead-letter-exchange", "order.retry", "x-dead-letter-routing-key", "order"));
		assertThat(this.broker.examine(new CycleCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.remedy()).startsWith("See the other findings");
		});
	}

	/** The owner would get our messages, and lose them. */
	@ParameterizedTest
	@ValueSource(strings = { "order.retry.10s", "order.parking-lot" })
	void nothingIsBoundToAQueueThatMayBeAnothers(String queue) {
		this.broker.queue(queue, "quorum", 0, Map.of());
		this.broker.bindings.removeIf((binding) -> binding.destination().equals(queue));
		assertThat(this.broker.examine(new BindingCheck())).isNotEmpty().allSatisfy((finding) -> {
			assertThat(finding.remedy()).contains("may be another's");
			assertThat(finding.commands()).noneMatch((command) -> command.contains("-X POST"));
		});
		this.broker.exchanges.remove("order.retry");
		assertThat(this.broker.examine(new ExchangeCheck())).flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("/q/" + queue));
	}

	@Test
	void aQueueThatMayBeAnothersIsNotToBeEmptied() {
		this.broker.queue("order.parking-lot", "quorum", 3, Map.of());
		assertThat(this.broker.examine(new QueueCheck())).isNotEmpty().allSatisfy((finding) -> {
			assertThat(finding.remedy()).contains("not certain", "has 3 messages").doesNotContain("let the ledger");
			assertNothingIsDeleted(finding);
		});
	}

	@Test
	void aStreamInThePlaceOfAQueueIsOneFindingWithAWayOut() {
		this.broker.queue("order.parking-lot", "stream", 3, Map.of());
		assertThat(this.broker.examine(new QueueCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.fact()).contains("is a stream");
			assertThat(finding.remedy()).contains("another name");
		});
	}

	@Test
	void noCommandClosesAConnectionOfOthers() {
		this.broker.consume("theirs", "stranger", "order.retry.10s");
		assertThat(this.broker.examine(new ConsumerCheck())).filteredOn("code", "consumer-unexpected")
			.singleElement()
			.satisfies(
					(finding) -> assertThat(finding.commands()).containsExactly("rabbitmqctl list_consumers -p '/'"));
	}

	// leftovers

	@Test
	void aLeftoverThatIsUsedIsNotDeleted() {
		for (String use : List.of("consumer", "binding", "dead letters")) {
			LiveTestBroker used = broker(true);
			used.queue("order.retry.30s", "quorum", 0, Map.of());
			switch (use) {
				case "consumer" -> used.consume("c", "somebody", "order.retry.30s");
				case "binding" -> used.bind("amq.topic", "k", "order.retry.30s");
				default -> used.queue("other", "quorum", 0,
						Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "order.retry.30s"));
			}
			assertThat(used.examine(new LeftoverCheck())).as(use)
				.singleElement()
				.satisfies(
						(finding) -> assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE")));
		}
	}

	@Test
	void aLeftoverWithMessagesIsNotDeleted() {
		this.broker.queue("shared.quarantine", "quorum", 3, Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).hasSize(1)
			.allSatisfy((finding) -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
			.flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("shared.quarantine"));
	}

	@Test
	void messagesOfAnEarlierDeadLetterQueueCanBeAdopted() {
		LiveTestBroker renamed = broker(MessageTopology.of("legacy")
			.names(new TopologyNames(null, null, null, "legacy.broker-dlq", "legacy.parked", null))
			.build());
		renamed.queue("legacy.dlq", "classic", 3, Map.of());
		renamed.queue("legacy.parking-lot", "quorum", 3, Map.of());
		assertThat(renamed.examine(new LeftoverCheck())).hasSize(2)
			.allSatisfy((finding) -> assertThat(finding.remedy()).contains("Find out who uses it.",
					"name it in rabbit-retry.ledger.adopt"));
		renamed.queue("legacy.dlq", "classic", 0, Map.of());
		renamed.queue("legacy.parking-lot", "quorum", 0, Map.of());
		renamed.queue("legacy.quarantine", "quorum", 3, Map.of());
		assertThat(renamed.examine(new LeftoverCheck())).hasSize(3)
			.noneSatisfy((finding) -> assertThat(finding.remedy()).contains("adopt"));
	}

	@Test
	void whatARemovedPolicyLeftMessagesInIsReportedWithTheirNumber() {
		Map<String, Object> parked = Map.of("x-overflow", "reject-publish", "x-delivery-limit", -1);
		this.broker.queue("billing.parking-lot", "quorum", 1, new HashMap<>(parked));
		this.broker.queue("billing.retry.10s", "quorum", 2,
				Map.of("x-dead-letter-exchange", "billing.retry", "x-dead-letter-routing-key", "billing"));
		this.broker.queue("partner.parking-lot", "quorum", 3, Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.subject()).isEqualTo("billing");
			assertThat(finding.fact()).contains("'billing.parking-lot' has 1 messages",
					"'billing.retry.10s' has 2 messages");
			assertThat(finding.remedy())
				.contains("If a policy has another queue now, set its former-queues: [billing].");
			assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE"));
		});
		this.broker.queue("billing.dlq", "quorum", 0, Map.of());
		this.broker.consume("c", "billing service", "billing.dlq");
		assertThat(this.broker.examine(new LeftoverCheck())).as("of another service that runs").isEmpty();
	}

	@Test
	void whatCameBackToAWorkQueueWithoutPolicyIsReportedUnlessItIsConsumed() {
		this.broker.queue("billing", "quorum", 3,
				Map.of("x-overflow", "reject-publish", "x-dead-letter-exchange", "billing.dlx"));
		this.broker.queue("partner", "quorum", 3, Map.of("x-dead-letter-exchange", "partner.dlx"));
		assertThat(this.broker.examine(new LeftoverCheck())).singleElement()
			.satisfies((finding) -> assertThat(finding.fact()).contains("'billing' has 3 messages"));
		this.broker.consume("c", "billing service", "billing");
		assertThat(this.broker.examine(new LeftoverCheck())).isEmpty();
	}

	private void declareFormer() {
		TopologyParts parts = TopologyParts.of(List.of(BrokenBroker.FORMER));
		parts.queues().forEach((queue) -> this.broker.queue(queue.name(), "quorum", 0, queue.arguments()));
		parts.exchanges().forEach((exchange) -> this.broker.exchange(exchange.name(), exchange.type(), Map.of()));
		parts.bindings().forEach(this.broker::bind);
	}

	private Finding former() {
		assertThat(this.broker.examine(new LeftoverCheck())).isEmpty();
		List<Finding> findings = this.broker.examine(new FormerQueueCheck());
		assertThat(findings).singleElement()
			.satisfies((finding) -> assertThat(finding.subject()).isEqualTo("order.v0"));
		return findings.get(0);
	}

	@Test
	void formerQueuesAreDeletedOnceTheyAreEmptyAndUnbound() {
		declareFormer();
		this.broker.bind("order.v0.dlx", "order.v0.undeliverable", DelayLadder.UNROUTABLE);
		this.broker.consume("c", "service", "order.v0");
		Finding finding = former();
		assertThat(finding.severity()).isEqualTo(Severity.INFO);
		assertThat(finding.fact()).contains("'order.v0' of 'Order' and its retry queues are empty");
		assertThat(finding.remedy()).contains("save this command",
				"Replay or discard the parked messages of 'order.v0' that are in the ledger");
		assertThat(finding.commands()).as(finding.remedy()).singleElement().asString().satisfies((command) -> {
			assertThat(command).startsWith("sleep 10 && ");
			for (String name : List.of("order.v0", "order.v0.dlq", "order.v0.parking-lot", "order.v0.retry.30s")) {
				String queue = "/api/queues/%2F/" + name;
				assertThat(command).contains(queue + "?columns=messages,consumers' | grep '\"consumers\":0[,}]'",
						"-X DELETE 'http://127.0.0.1:15672" + queue + "'");
			}
			assertThat(command).contains(
					"-X DELETE 'http://127.0.0.1:15672/api/bindings/%2F/e/order.v0.dlx/q/" + DelayLadder.UNROUTABLE,
					"/exchanges/%2F/order.v0.retry?if-unused=true'", "/exchanges/%2F/order.v0.dlx?if-unused=true'");
			assertThat(command.lastIndexOf("grep")).as("all are looked at before one is deleted")
				.isLessThan(command.indexOf("DELETE"));
		});
	}

	@Test
	void whatIsLeftInFormerQueuesIsReportedWithItsNumbers() {
		declareFormer();
		for (String name : List.of("order.v0", "order.v0.dlq", "order.v0.parking-lot", "order.v0.retry.30s")) {
			QueueSnapshot empty = this.broker.queues.get(name);
			for (long messages : List.of(3L, -1L)) {
				this.broker.queue(name, "quorum", messages, empty.arguments());
				assertThat(former()).satisfies((finding) -> {
					assertThat(finding.fact()).contains(
							"'%s' has %s messages".formatted(name, (messages < 0) ? "an unknown number of" : messages));
					assertThat(finding.commands()).isEmpty();
				});
			}
			this.broker.queues.put(name, empty);
		}
	}

	@Test
	void onlyALedgerConsumesAFormerParkingLot() {
		declareFormer();
		this.broker.queue("order.v0.parking-lot", "quorum", 3,
				this.broker.queues.get("order.v0.parking-lot").arguments());
		assertThat(former().remedy())
			.startsWith("This service has no ledger, so nothing consumes 'order.v0.parking-lot'")
			.doesNotContain("The service consumes");
		this.broker.queue("order.v0", "quorum", 2, this.broker.queues.get("order.v0").arguments());
		assertThat(former().remedy()).startsWith("The service consumes the others; ").contains("has no ledger");
	}

	@Test
	void formerQueuesOfAnExchangeThatThePolicyNamesAreDeletedToo() {
		TopologyNames names = new TopologyNames(null, "work", "dead", null, null, null);
		MessageTopology former = MessageTopology.of("old").names(names).build();
		LiveTestBroker named = broker(MessageTopology.of("new").names(names).formerQueues(List.of("old")).build());
		TopologyParts parts = TopologyParts.of(List.of(former));
		parts.queues().forEach((queue) -> named.queue(queue.name(), "quorum", 0, new HashMap<>(queue.arguments())));
		parts.bindings().forEach(named::bind);
		assertThat(named.examine(new FormerQueueCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.fact()).endsWith("'old' of 'Small' and its retry queues are empty.");
			assertThat(finding.commands()).singleElement()
				.asString()
				.contains("/queues/%2F/old'", "/queues/%2F/old.parking-lot'")
				.doesNotContain("/exchanges/");
		});
		named.queue("old.dlq", "quorum", 0, Map.of());
		assertThat(named.examine(new FormerQueueCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.remedy()).contains("whether 'old.dlq' is this service's");
			assertThat(finding.commands()).isEmpty();
		});
	}

	@Test
	void bindingsOfOthersOnAFormerQueueAreListedAndStayTheirs() {
		declareFormer();
		this.broker.exchange("billing", "topic", Map.of());
		this.broker.bind("billing", "order.*", "order.v0");
		assertThat(former()).satisfies((finding) -> {
			assertThat(finding.fact())
				.contains("there is a binding of queue 'order.v0' to exchange 'billing' with key 'order.*'");
			assertThat(finding.remedy()).contains("Bind 'order' where 'order.v0' is bound, then remove these bindings");
			assertThat(finding.commands()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "another's parking lot", "dead letters", "exchange", "ladder", "unread bindings" })
	void nothingUncertainOfAFormerQueueIsDeleted(String uncertain) {
		declareFormer();
		switch (uncertain) {
			case "another's parking lot" -> this.broker.queue("order.v0.parking-lot", "quorum", 0, Map.of());
			case "dead letters" -> this.broker.queue("other", "quorum", 0,
					Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "order.v0"));
			case "exchange" -> this.broker.bind("order.v0.dlx", "k", "other");
			case "ladder" -> {
				this.broker.bind(DelayLadder.EXIT, PAST_ALL + "order.v0", "order.v0");
				QueueSnapshot level = this.broker.queues.values()
					.stream()
					.filter((queue) -> DelayLadder.hasLevel(queue.name()))
					.findFirst()
					.orElseThrow();
				this.broker.queue(level.name(), "quorum", 1, level.arguments());
			}
			default -> this.broker.allBindings = false;
		}
		assertThat(former()).satisfies((finding) -> {
			assertThat(finding.remedy()).startsWith("No command is printed, since ");
			assertThat(finding.commands()).isEmpty();
		});
	}

	@Test
	void aFormerQueueThatIsNotThereIsNoFinding() {
		assertThat(this.broker.examine(new FormerQueueCheck())).isEmpty();
	}

	@Test
	void aQueueThatTheLedgerAdoptsIsNoLeftoverAndItsDeadLettersAreParked() {
		this.broker.queue("legacy.errors", "classic", 4, Map.of());
		this.broker.exchange("legacy.old", "fanout", Map.of());
		this.broker.bind("legacy.old", "", "legacy.errors");
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0, Map.of("x-dead-letter-exchange", "legacy.old"));
		assertThat(this.broker.examine(new ExistingWorkQueueCheck())).isEmpty();
		this.broker.bind("legacy.old", "", "legacy.others");
		this.broker.unbind("legacy.old", "legacy.errors");
		this.broker.queue("legacy.others", "classic", 4, Map.of());
		assertThat(this.broker.examine(new ExistingWorkQueueCheck())).extracting(Finding::code)
			.containsExactly("dead-letters-elsewhere");
	}

	@Test
	void anExchangeThatQueuesDeadLetterToIsNoLeftover() {
		this.broker.exchange("order.delay", "topic", Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).extracting(Finding::code).containsExactly("leftover");
		this.broker.queue("order.delay.1s", "quorum", 1, Map.of("x-dead-letter-exchange", "order.delay"));
		assertThat(this.broker.examine(new LeftoverCheck())).extracting(Finding::code).containsExactly("leftover");
	}

	@Test
	void queuesOfOtherServicesOnTheLadderAreNoLeftovers() {
		this.broker.queue("payments", "quorum", 0, Map.of());
		this.broker.queue("payments.dlq", "quorum", 0, Map.of());
		this.broker.queue("payments.retry.5s", "quorum", 0, Map.of());
		assertThat(this.broker.examine(new LeftoverCheck())).isEmpty();
	}

	// permissions

	@Test
	void aUserWhoMayConfigureAnythingIsTooStrong() {
		permit(".*");
		assertThat(permissions(this.broker)).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("permission-broad");
			assertThat(finding.commands()).isEmpty();
		});
	}

	@Test
	void anOperatorWhoOnlyAsksIsNotTooStrong() {
		LiveTestBroker asked = broker(false);
		asked.user = new UserSnapshot(LiveTestBroker.USER, List.of("administrator"), ".*", ".*", ".*");
		asked.consume("c", "worker", "order");
		assertThat(permissions(asked)).isEmpty();
		asked.consume("d", LiveTestBroker.USER, "order");
		assertThat(permissions(asked)).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("permission-broad");
			assertThat(finding.fact())
				.contains("may configure what no policy needs ('.*') and has the tag administrator");
		});
	}

	@Test
	void whoGrantsAPermissionTakesNoneAway() {
		for (boolean declared : List.of(true, false)) {
			LiveTestBroker asked = broker(declared);
			asked.user = new UserSnapshot(LiveTestBroker.USER, List.of(), ".*", "^nothing$", ".*");
			asked.consume("c", LiveTestBroker.USER, "order");
			assertThat(permissions(asked)).filteredOn((finding) -> finding.code().equals("permission-missing"))
				.singleElement()
				.satisfies((finding) -> assertThat(finding.commands()).singleElement()
					.asString()
					.contains("'.*' '^nothing$|"));
		}
	}

	private void permit(String configure) {
		this.broker.user = new UserSnapshot(LiveTestBroker.USER, List.of(), configure, ".*", ".*");
	}

	private static List<Finding> permissions(LiveTestBroker broker) {
		return broker.examine(new PermissionCheck());
	}

	// queues that do not work

	@Test
	void aQueueWithoutItsNodesIsUnavailableAndOneWithoutSomeIsAtRisk() {
		QueueSnapshot order = this.broker.queues.get("order");
		this.broker.queues.put("order", replicated(order, "minority", List.of("rabbit@a")));
		assertThat(this.broker.examine(new QueueStateCheck())).extracting(Finding::code)
			.containsExactly("queue-unavailable");
		this.broker.queues.put("order", replicated(order, "running", List.of("rabbit@a", "rabbit@b")));
		assertThat(this.broker.examine(new QueueStateCheck())).extracting(Finding::code)
			.containsExactly("queue-unavailable");
	}

	/** RabbitMQ knows no shovels without the plugin. */
	@Test
	void thePluginThatMovesUnroutableMessagesIsEnabledFirst() {
		this.broker.queue(DelayLadder.UNROUTABLE, "quorum", 2, Map.of());
		assertThat(this.broker.examine(new QueueStateCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("messages-unroutable");
			assertThat(finding.commands()).hasSize(2);
			assertThat(finding.commands().get(0)).isEqualTo("rabbitmq-plugins enable rabbitmq_shovel");
			assertThat(finding.commands().get(1)).startsWith("rabbitmqctl set_parameter -p '/' 'shovel' 'bring-back' ");
		});
	}

	@Test
	void whatNoConsumerCouldReceiveIsToldWhereThereIsNoLadder() {
		LiveTestBroker small = withoutLadder();
		small.queue(DelayLadder.UNROUTABLE, "quorum", 1, Map.of());
		assertThat(small.examine(new QueueStateCheck())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("messages-unroutable");
			assertThat(finding.commands()).singleElement().asString().contains("list_queues");
		});
	}

	@Test
	void theLastQueueAndTheLadderOfOthersAreNoFindingsWhereThereIsNoLadder() {
		LiveTestBroker small = withoutLadder();
		withLadder(small);
		small.bind(DelayLadder.EXIT, PAST_ALL + "small", "small");
		small.bind(DelayLadder.EXIT, PAST_ALL + "small.retry.5s", "small.retry.5s");
		small.bind("small.dlx", "small.undeliverable", DelayLadder.UNROUTABLE);
		for (DoctorCheck check : List.of(new BindingCheck(), new LeftoverCheck(), new QueueStateCheck())) {
			assertThat(small.examine(check)).as(check.getClass().getSimpleName()).isEmpty();
		}
	}

	@Test
	void aHigherLadderThanThisServiceNeedsIsNoFinding() {
		LiveTestBroker small = broker(
				MessageTopology.of("small").ring(RetryQueueScope.SHARED).longestDelay(Duration.ofMinutes(10)).build());
		withLadder(small);
		for (DoctorCheck check : List.of(new BindingCheck(), new LeftoverCheck())) {
			assertThat(small.examine(check)).as(check.getClass().getSimpleName()).isEmpty();
		}
	}

	private static LiveTestBroker withoutLadder() {
		return broker(MessageTopology.of("small")
			.delays(List.of(Duration.ofSeconds(5)))
			.longestDelay(Duration.ofMinutes(10))
			.build());
	}

	private static LiveTestBroker broker(MessageTopology topology) {
		List<TypeTopology> types = List.of(new TypeTopology("Small", "team", topology, false, null));
		return new LiveTestBroker(ExpectedTopology.of(TestTypes.application(types, true), LiveTestBroker.USER));
	}

	/** As another service declares it, for ten days. */
	private static void withLadder(LiveTestBroker broker) {
		TopologyParts parts = TopologyParts
			.of(List.of(MessageTopology.of("other").ring(RetryQueueScope.SHARED).build()));
		parts.queues().forEach((queue) -> broker.queue(queue.name(), "quorum", 0, new HashMap<>(queue.arguments())));
		parts.exchanges()
			.forEach((exchange) -> broker.exchange(exchange.name(), exchange.type(),
					new HashMap<>(exchange.arguments())));
		parts.bindings()
			.stream()
			.filter((binding) -> !broker.expected.bindings().contains(binding))
			.forEach(broker::bind);
	}

	private static QueueSnapshot replicated(QueueSnapshot queue, String state, List<String> online) {
		return new QueueSnapshot(queue.name(), queue.type(), true, false, queue.arguments(), 0, 0, 0, state, "rabbit@a",
				List.of("rabbit@a", "rabbit@b", "rabbit@c"), online);
	}

	// versions

	@ParameterizedTest
	@CsvSource({ "3.13.7, 1", "4.0.5, 0", "4.3.6, 0", "4.4.0, 1", "5.0.0, 1" })
	void versionsThatNobodyTestedAreToldOf(String version, int findings) {
		this.broker.version = version;
		assertThat(facts()).filteredOn((fact) -> fact.startsWith("The broker is RabbitMQ")).hasSize(findings);
	}

	private List<String> facts() {
		return this.broker.examine(new BrokerCheck()).stream().map(Finding::fact).toList();
	}

}
