/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.github.rabbitretry.parking.message.PayloadState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JsonMaskingTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			$.card        | {"card":{"number":1},"total":7}   | {"card":"***","total":7}
			$.card.number | {"card":{"number":"4"},"n":1.10}  | {"card":{"number":"***"},"n":1.10}
			$..iban       | {"a":[{"iban":1},{"b":{"iban":2}}]} | {"a":[{"iban":"***"},{"b":{"iban":"***"}}]}
			$.items[*].id | {"items":[{"id":1},{"id":2,"x":3}]} | {"items":[{"id":"***"},{"id":"***","x":3}]}
			$.names[*]    | {"names":["a","b"]}               | {"names":["***","***"]}
			$[*].a        | [{"a":1},{"a":null}]              | [{"a":"***"},{"a":"***"}]
			$.*           | {"a":1,"b":[2]}                   | {"a":"***","b":"***"}
			$.*.pin       | {"a":{"pin":1},"b":{"pin":2}}     | {"a":{"pin":"***"},"b":{"pin":"***"}}
			""")
	void whatAPathLeadsToIsHiddenAndNothingElse(String path, String body, String stored) {
		Redaction.Stored result = new JsonMasking(List.of(path)).apply(body.getBytes(StandardCharsets.UTF_8));
		assertThat(result.body()).isNotNull().asString(StandardCharsets.UTF_8).isEqualTo(stored);
		assertThat(result.state()).isEqualTo(PayloadState.MASKED);
	}

	@Test
	void aBodyWithNothingToHideStaysAsItIsByteForByte() {
		byte[] body = "{ \"b\" : 1.0e2,  \"a\":null }".getBytes(StandardCharsets.UTF_8);
		Redaction.Stored result = new JsonMasking(List.of("$.card", "$..iban")).apply(body);
		assertThat(result.body()).isSameAs(body);
		assertThat(result.state().replayable()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no json", "{\"card\":1", "{\"card\":1} {\"card\":2}", "{\"card\":1,\"card\":2}",
			"{\"a\":{\"card\":1},\"a\":{}}", "\u001f\u008b\b" })
	void whatIsNoJsonIsNotStored(String body) {
		Redaction.Stored result = new JsonMasking(List.of("$.card")).apply(body.getBytes(StandardCharsets.UTF_8));
		assertThat(result.state()).isEqualTo(PayloadState.OMITTED);
		assertThat(result.body()).isNull();
	}

	@Test
	void aDocumentThatIsTooDeepIsNotStored() {
		assertThat(new JsonMasking(List.of("$..card")).apply("[".repeat(100_000).getBytes()).state())
			.isEqualTo(PayloadState.OMITTED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "$", "card", "$card", "$.", "$..", "$.a[0]", "$.a[", "$.a..", "$.a b[*]c" })
	void anotherPathIsRefused(String path) {
		assertThatIllegalArgumentException().isThrownBy(() -> new JsonMasking(List.of(path)));
	}

}
