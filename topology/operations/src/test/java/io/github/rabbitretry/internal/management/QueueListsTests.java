/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueListsTests {

	@Test
	void asksInDigitsThatTheBrokerReadsWhateverTheLocale() throws IOException {
		BlockingQueue<String> asked = new LinkedBlockingQueue<>();
		HttpServer broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		broker.createContext("/", (exchange) -> {
			asked.add(exchange.getRequestURI().toString());
			byte[] answer = "{\"items\":[]}".getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		broker.start();
		Locale before = Locale.getDefault();
		Locale.setDefault(new Locale.Builder().setLanguage("ar").setRegion("EG").build());
		try {
			new QueueLists(
					new ManagementClient(new ManagementSettings("http://localhost:" + broker.getAddress().getPort(),
							"guest", "guest", "/", null)))
				.find(List.of("orders"), QueueLists.ALL, "name");
		}
		finally {
			Locale.setDefault(before);
			broker.stop(0);
		}
		assertThat(asked).singleElement()
			.asString()
			.isEqualTo("/api/queues/%2F?page=1&page_size=500&use_regex=true&name=%5E%28orders%29%24"
					+ "&disable_stats=true&columns=name");
	}

}
