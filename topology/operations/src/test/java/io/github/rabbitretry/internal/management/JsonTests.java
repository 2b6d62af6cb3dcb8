/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JsonTests {

	@Test
	void readsWhatTheManagementApiSends() {
		assertThat(Json
			.read("""
					[ {"vhost":"/","name":"p \\"1\\"","pattern":"^a\\\\.b{1,2}\\u00e9[x]$","apply-to":"all",
					"definition":{"max-length":40,"overflow":"drop-head","on":true,"none":null},"priority":-1} , 1.5, []]"""))
			.isInstanceOfSatisfying(List.class, (list) -> {
				assertThat(list).hasSize(3).endsWith(1.5, List.of());
				assertThat(list.get(0)).isInstanceOfSatisfying(Map.class, (policy) -> {
					assertThat(policy).containsEntry("name", "p \"1\"")
						.containsEntry("pattern", "^a\\.b{1,2}é[x]$")
						.containsEntry("priority", -1L);
					assertThat(policy.get("definition"))
						.hasToString("{max-length=40, overflow=drop-head, on=true, none=null}");
				});
			});
	}

	@Test
	void theFirstOfTwoMembersOfOneNameIsWhatRabbitMqFound() {
		assertThat(Json.read("{\"state\":\"down\",\"q\":{\"n\":1,\"n\":2},\"state\":\"running\"}"))
			.hasToString("{state=down, q={n=1}}");
	}

	@Test
	void aNumberThatNoLongCanHoldDoesNotHideTheRest() {
		assertThat(Json.read("[{\"a\":99999999999999999999,\"b\":2,\"c\":4000000000}]"))
			.isEqualTo(List.of(Map.of("a", 1e20, "b", 2L, "c", 4_000_000_000L)));
	}

	@Test
	void writesWhatItReads() {
		String text = "{\"a\":[1,true,null,\"x\\\\y\\\"z\\u0001\"],\"b\":{}}";
		assertThat(Json.write(Json.read(text))).isEqualTo(text);
		assertThat(Json.write(Arrays.asList(1L, null))).isEqualTo("[1,null]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[1,", "[1 2]", "{\"a\"}", "\"a", "\"\\u12", "nothing", "<html>", "[] []" })
	void refusesWhatIsNoJson(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.read(text));
	}

	@Test
	void refusesDeepNesting() {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.read("[".repeat(100_000)))
			.withMessageContaining("depth");
	}

}
