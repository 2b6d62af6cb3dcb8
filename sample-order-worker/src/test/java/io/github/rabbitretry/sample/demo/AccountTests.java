/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.sample.outside.ParkedOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AccountTests {

	private final Map<String, Kind> sent = new LinkedHashMap<>();

	private final Map<String, List<Integer>> handled = new HashMap<>();

	private final List<ParkedOrder> parked = new ArrayList<>();

	private final Map<String, Long> left = new HashMap<>();

	@BeforeEach
	void allIsWell() {
		this.sent.put("1", Kind.HEALTHY_ORDER);
		this.sent.put("2", Kind.TIMEOUT_2);
		this.sent.put("3", Kind.MALFORMED);
		this.handled.put("1", List.of(0));
		this.handled.put("2", List.of(2));
		this.parked.add(new ParkedOrder("3", "DESERIALIZATION_FAILED", 0, "PARKED"));
		this.left.put("order.command.create", 0L);
	}

	@Test
	void ordersThatMetTheirFateAreAnExactAccount() {
		Account account = account();
		assertThat(account.problems()).isEmpty();
		assertThat(account.exact()).isTrue();
		assertThat(account.total()).isEqualTo(new Account.Row("all", "", 3, 2, 1, 0, 0, 2));
	}

	@Test
	void aLostOrderIsTold() {
		this.handled.remove("1");
		assertThat(account().exact()).isFalse();
		assertThat(account().problems()).containsExactly("order 1 (healthy order) is lost instead of handled");
		assertThat(account().rows().get(0)).isEqualTo(new Account.Row("healthy order", "handled", 1, 0, 0, 0, 1, 0));
	}

	@Test
	void aParkedOrderThatIsGoneIsLost() {
		this.parked.clear();
		assertThat(account().problems())
			.containsExactly("order 3 (malformed JSON) is lost instead of parked DESERIALIZATION_FAILED");
	}

	@Test
	void aHealthyOrderThatIsParkedIsWrong() {
		this.handled.remove("1");
		this.parked.add(new ParkedOrder("1", "DELIVERY_LIMIT", 0, "PARKED"));
		assertThat(account().problems())
			.containsExactly("order 1 (healthy order) is parked DELIVERY_LIMIT instead of handled");
	}

	@Test
	void anOrderThatIsHandledAndParkedIsWrong() {
		this.parked.add(new ParkedOrder("1", "DELIVERY_LIMIT", 0, "PARKED"));
		assertThat(account().problems())
			.containsExactly("order 1 (healthy order) is handled and parked DELIVERY_LIMIT instead of handled");
	}

	@Test
	void anOrderThatIsParkedForAnotherReasonIsWrong() {
		this.parked.set(0, new ParkedOrder("3", "UNKNOWN_FAILURE", 0, "PARKED"));
		assertThat(account().problems()).containsExactly(
				"order 3 (malformed JSON) is parked UNKNOWN_FAILURE instead of parked DESERIALIZATION_FAILED");
	}

	@Test
	void aBrokenOrderThatIsHandledIsWrong() {
		this.parked.clear();
		this.handled.put("3", List.of(0));
		assertThat(account().exact()).isFalse();
	}

	@Test
	void anOrderThatIsHandledBeforeItCanHaveHealedIsWrong() {
		this.handled.put("2", List.of(1));
		assertThat(account().problems())
			.containsExactly("order 2 (gateway timeout, heals after 2) is handled after 1 retries instead of 2");
	}

	@Test
	void meetingTheSameFateTwiceIsToldButNoLoss() {
		this.handled.put("1", List.of(0, 0, 0));
		this.parked.add(this.parked.get(0));
		Account account = account();
		assertThat(account.exact()).isTrue();
		assertThat(account.repeatedEvents()).isEqualTo(2);
		assertThat(account.repeatedParkings()).isOne();
		assertThat(account.total().handled()).isEqualTo(2);
		assertThat(account.total().parked()).isOne();
	}

	@Test
	void aMessageLeftInAQueueIsWrong() {
		this.left.put("order.command.create.retry.1s", 1L);
		assertThat(account().problems()).containsExactly("1 messages are left in order.command.create.retry.1s");
	}

	@Test
	void ordersOfAnotherRunAreNobodysBusiness() {
		this.handled.put("another-1", List.of(0));
		this.parked.add(new ParkedOrder("another-2", "DELIVERY_LIMIT", 0, "PARKED"));
		assertThat(account().exact()).isTrue();
		assertThat(account().total().sent()).isEqualTo(3);
	}

	@Test
	void inTheEndWhatCanNeverSucceedIsDiscarded() {
		this.parked.set(0, new ParkedOrder("3", "DESERIALIZATION_FAILED", 0, "DISCARDED"));
		assertThat(account().problems()).containsExactly(
				"order 3 (malformed JSON) is discarded DESERIALIZATION_FAILED instead of parked DESERIALIZATION_FAILED");
		assertThat(inTheEnd().exact()).isTrue();
		assertThat(inTheEnd().total()).isEqualTo(new Account.Row("all", "", 3, 2, 0, 1, 0, 2));
	}

	@Test
	void inTheEndWhatWasReplayedIsHandled() {
		this.sent.put("4", Kind.UNSUPPORTED_SCHEMA);
		this.parked.set(0, new ParkedOrder("3", "DESERIALIZATION_FAILED", 0, "DISCARDED"));
		this.parked.add(new ParkedOrder("4", "UNSUPPORTED_SCHEMA_VERSION", 0, "REPLAYED"));
		assertThat(inTheEnd().problems()).containsExactly("order 4 (unsupported schema) is lost instead of handled");
		this.handled.put("4", List.of(0));
		assertThat(inTheEnd().exact()).isTrue();
	}

	private Account inTheEnd() {
		return Account.of(this.sent, Kind::inTheEnd, this.handled, this.parked, this.left);
	}

	private Account account() {
		return Account.of(this.sent, Kind::fate, this.handled, this.parked, this.left);
	}

}
