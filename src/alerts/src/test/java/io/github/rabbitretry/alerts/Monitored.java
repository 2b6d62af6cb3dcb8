/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.monitoring.Prometheus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A broker, a service and a Prometheus that scrapes both, as the runbook says.
 */
final class Monitored implements AutoCloseable {

	final Broker broker;

	final ConfigurableApplicationContext application;

	final Channel channel;

	private final Connection connection;

	final Prometheus prometheus;

	private Monitored(Broker broker, ConfigurableApplicationContext application, Connection connection, Channel channel,
			Prometheus prometheus) {
		this.broker = broker;
		this.application = application;
		this.connection = connection;
		this.channel = channel;
		this.prometheus = prometheus;
	}

	static Monitored start(Duration interval, Path rules, String... properties) throws Exception {
		Broker broker = Broker.start();
		try {
			ConfigurableApplicationContext application = AlertingApplication.start(broker, properties);
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			Connection connection = factory.newConnection("alerting-test");
			Channel channel = connection.createChannel();
			channel.confirmSelect();
			Map<String, URI> targets = new LinkedHashMap<>();
			targets.put("alerting", URI.create("http://127.0.0.1:%s/actuator/prometheus"
				.formatted(application.getEnvironment().getProperty("local.server.port"))));
			URI ofBroker = broker.prometheusUri().orElseThrow();
			targets.put("rabbitmq", ofBroker);
			targets.put("rabbitmq-queues", ofBroker.resolve("/metrics/detailed?family=queue_coarse_metrics"));
			return new Monitored(broker, application, connection, channel,
					Prometheus.start(interval, targets, List.of(rules)));
		}
		catch (Exception ex) {
			broker.close();
			throw ex;
		}
	}

	void send(String queue, String id, String what) throws Exception {
		this.channel.basicPublish("", queue,
				new BasicProperties.Builder().contentType("application/json")
					.deliveryMode(2)
					.messageId(id)
					.headers(Map.of("what", what))
					.build(),
				"{}".getBytes());
	}

	/**
	 * Others use the broker, too: a cache whose entries expire, a dead-letter queue that
	 * is read at times, an event that has no subscriber. One of their virtual hosts has
	 * queues with the names of ours.
	 */
	void othersUseTheBroker() throws Exception {
		this.broker.ctl("add_vhost", "others");
		this.broker.ctl("set_permissions", "-p", "others", this.broker.username(), ".*", ".*", ".*");
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(this.broker.amqpUri());
		factory.setVirtualHost("others");
		try (Connection others = factory.newConnection("others"); Channel channel = others.createChannel()) {
			channel.confirmSelect();
			for (String queue : List.of("billing.dlq", "alerting.healthy.dlq")) {
				channel.queueDeclare(queue, true, false, false, Map.of());
				channel.basicPublish("", queue, null, "{}".getBytes());
			}
			channel.queueDeclare("billing", true, false, false,
					Map.of("x-queue-type", "quorum", "x-message-ttl", 100, "x-dead-letter-exchange", "missing",
							"x-dead-letter-strategy", "at-least-once", "x-overflow", "reject-publish"));
			channel.basicPublish("", "billing", null, "{}".getBytes());
			channel.waitForConfirmsOrDie(10_000);
		}
		this.channel.queueDeclare("cache", true, false, false, Map.of("x-message-ttl", 100));
		send("cache", "entry", "");
		this.channel.exchangeDeclare("events", "fanout", true);
		this.channel.basicPublish("events", "", null, "{}".getBytes());
	}

	/** What an endpoint of the service answers. */
	HttpResponse<String> actuator(String path) throws Exception {
		URI uri = URI.create("http://127.0.0.1:%s/actuator/%s"
			.formatted(this.application.getEnvironment().getProperty("local.server.port"), path));
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

	/** The names of the alerts that fire, or have fired. */
	Set<String> fired() {
		return data(this.prometheus.query("sum by (alertname) (count_over_time(ALERTS{alertstate=\"firing\"}[15m]))"))
			.path("result")
			.valueStream()
			.map((alert) -> alert.path("metric").path("alertname").asString())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** How many series an expression has. */
	int series(String expression) {
		return data(this.prometheus.query(expression)).path("result").size();
	}

	/** The names of all metrics that were scraped. */
	Set<String> metrics() {
		return data(this.prometheus.get("/api/v1/label/__name__/values")).valueStream()
			.map(JsonNode::asString)
			.collect(Collectors.toSet());
	}

	static JsonNode data(String json) {
		return JsonMapper.shared().readTree(json).path("data");
	}

	@Override
	public void close() throws Exception {
		this.prometheus.close();
		this.connection.abort();
		this.application.close();
		this.broker.close();
	}

}
