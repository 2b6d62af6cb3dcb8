/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.EnumSet;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PublicationFailureTests {

	@ParameterizedTest
	@CsvSource({ "320, LOST", "530, LOST", "501, SUSPECT", "541, SUSPECT" })
	void aConnectionThatTheBrokerClosesForItsOwnReasonsMakesNoMessageSuspect(int code, PublicationFailure why) {
		assertThat(PublicationFailure.of(end(false, close(code)))).isEqualTo(why);
	}

	@Test
	void whatTheClientEndsOrLosesIsLost() {
		assertThat(PublicationFailure.of(end(true, close(541)))).isEqualTo(PublicationFailure.LOST);
		assertThat(PublicationFailure.of(end(false, null))).isEqualTo(PublicationFailure.LOST);
	}

	@Test
	void eachTellsWhatIsToBlame() {
		EnumSet<PublicationFailure> all = EnumSet.allOf(PublicationFailure.class);
		assertThat(all).filteredOn(PublicationFailure::ofTheExchange)
			.containsExactly(PublicationFailure.NO_EXCHANGE, PublicationFailure.FORBIDDEN);
		assertThat(all).filteredOn(PublicationFailure::accepted)
			.containsExactlyInAnyOrder(PublicationFailure.REFUSED, PublicationFailure.RETURNED);
		assertThat(all).filteredOn(PublicationFailure::ofTheChannel)
			.containsExactly(PublicationFailure.LOST, PublicationFailure.UNSENT);
	}

	private static AMQP.Connection.Close close(int code) {
		return new AMQP.Connection.Close.Builder().replyCode(code).replyText("").classId(0).methodId(0).build();
	}

	private static ShutdownSignalException end(boolean byApplication, @Nullable Method reason) {
		return new ShutdownSignalException(true, byApplication, reason, new Object());
	}

}
