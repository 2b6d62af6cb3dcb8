/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.awt.Desktop;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.LeastPrivilegeUsers;
import io.github.rabbitretry.sample.outside.OrderMessageType;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import io.github.rabbitretry.sample.outside.ProgressPrinter;
import io.github.rabbitretry.sample.outside.ShutdownHook;
import io.github.rabbitretry.sample.outside.Surroundings;
import io.github.rabbitretry.sample.outside.WorkerProcess;

/**
 * The demo's command: starts a broker and the worker, sends orders, reports what became
 * of them, deploys a fix and replays what was parked.
 */
public final class Demo {

	private static final int EXACT = 0;

	private static final int NOT_EXACT = 1;

	private static final int WRONG_USAGE = 2;

	private static final Mix TRICKLE = Mix.of(Mix.FEWEST);

	private static final Duration BETWEEN_TRICKLES = Duration.ofSeconds(5);

	private final DemoOptions options;

	private final boolean terminal;

	private final ProgressPrinter progress;

	private final CountDownLatch ended = new CountDownLatch(1);

	private Demo(DemoOptions options, boolean terminal, ProgressPrinter progress) {
		this.options = options;
		this.terminal = terminal;
		this.progress = progress;
	}

	/**
	 * Runs the demo.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		System.exit(run(Arrays.asList(arguments), System.out, Boolean.getBoolean("demo.terminal")));
	}

	static int run(List<String> arguments, PrintStream out, boolean terminal) {
		DemoOptions options;
		try {
			options = DemoOptions.parse(arguments);
		}
		catch (IllegalArgumentException ex) {
			out.println(ex.getMessage());
			out.print(DemoOptions.USAGE);
			return WRONG_USAGE;
		}
		if (options.help()) {
			out.print(DemoOptions.USAGE);
			return EXACT;
		}
		ProgressPrinter progress = new ProgressPrinter(out, terminal);
		try {
			return new Demo(options, terminal, progress).run();
		}
		catch (IOException | TimeoutException | IllegalStateException ex) {
			progress.line("");
			progress.line(String.valueOf((ex.getMessage() != null) ? ex.getMessage() : ex));
		}
		catch (ShutdownSignalException ex) {
			progress.line("");
			progress.line("The connection to the broker is gone: " + ex.getMessage());
		}
		return NOT_EXACT;
	}

	private int run() throws IOException, TimeoutException {
		Path jar = Surroundings.jar();
		Path data = Surroundings.emptyFolder("demo-data");
		this.progress.line("Starting a broker ...");
		try (Broker broker = Broker.start(); WorkerProcess worker = worker(jar, broker, arguments(data))) {
			// Ctrl-C: the worker first, or it looks for its broker until it is killed
			try (ShutdownHook hook = new ShutdownHook(() -> {
				this.progress.lastLine("Stopping the worker and the broker ...");
				this.ended.countDown();
				worker.close();
				broker.close();
			})) {
				return run(broker, worker);
			}
		}
	}

	private WorkerProcess worker(Path jar, Broker broker, List<String> arguments) throws IOException {
		Path log = Surroundings.target().resolve("demo-worker.log");
		if (!this.options.leastPrivilege()) {
			List<String> working = new ArrayList<>(arguments);
			broker.managementUri()
				.ifPresent((uri) -> working.add("--rabbit-retry.broker.management-url=" + withoutUser(uri)));
			return new WorkerProcess(jar, log, broker.amqpUri(), working);
		}
		this.progress.line("Making users with the exported permissions, and declaring as the one who may ...");
		LeastPrivilegeUsers users = LeastPrivilegeUsers.create(broker, arguments);
		try (WorkerProcess once = new WorkerProcess(jar, Surroundings.target().resolve("demo-topology.log"),
				users.topology(), arguments)) {
			once.start();
		}
		users.declared();
		List<String> working = new ArrayList<>(arguments);
		working.addAll(users.workersArguments());
		return new WorkerProcess(jar, log, users.worker(), working);
	}

	private static List<String> arguments(Path data) {
		List<String> arguments = new ArrayList<>(List.of("--order-worker.data=" + data));
		Arrays.stream(OrderMessageType.values()).flatMap(OrderMessageType::scaledDelays).forEach(arguments::add);
		return arguments;
	}

	private int run(Broker broker, WorkerProcess worker) throws IOException, TimeoutException {
		this.progress.line("  " + broker.description());
		Mix mix = Mix.of(this.options.orders());
		String name = "order-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
		try (Connection connection = Surroundings.connect(broker, "demo")) {
			Operator operator = new Operator(worker.address(), (line) -> this.progress.line("  " + line));
			DemoRun run = new DemoRun(this.progress, connection, worker, operator, mix.orders(name));
			this.progress.line("Starting the worker, with delays of 1 s, 2 s and so on instead of 5 s to 30 min ...");
			run.startWorker();
			this.progress.line("  %s, log in %s".formatted(worker.address(), worker.log()));
			this.progress.line("");
			DemoReport.mix(mix, this.options.orders()).forEach(this.progress::line);
			this.progress.line("");
			long began = System.nanoTime();
			run.untilSettled();
			worker.awaitHealthy();
			List<ParkedOrder> ledger = operator.ledger();
			worker.stop();
			Account account = run.account(Kind::fate, ledger);
			this.progress.line("");
			this.progress.line("What became of them, after %d s"
				.formatted(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)));
			DemoReport.account(account).forEach(this.progress::line);
			this.progress.line("");
			DemoReport.losses(account, worker.crashes()).forEach(this.progress::line);
			this.progress.line("");
			if (!account.exact()) {
				return NOT_EXACT;
			}
			if (this.options.handsOn()) {
				this.progress.line("The fix: a release that knows schema 3 and gives the gateway 5 s. Starting it ...");
				worker.start(FixAndReplay.NEXT_RELEASE);
				this.progress.line("");
				Map<String, Long> parked = ledger.stream()
					.collect(Collectors.groupingBy(ParkedOrder::reason, TreeMap::new, Collectors.counting()));
				long notFixed = parked.getOrDefault("ILLEGAL_BUSINESS_TRANSITION", 0L);
				parked.keySet().retainAll(FixAndReplay.FIXED_REASONS);
				lookAround(broker, worker, parked, notFixed);
				awaitEnd();
				return EXACT;
			}
			FixAndReplay fixAndReplay = new FixAndReplay(this.progress, worker, operator, run, ledger);
			boolean exact = fixAndReplay.run(this.options.keep());
			this.progress.line("");
			lookAround(broker, worker, Map.of(), fixAndReplay.stillParked());
			if (this.options.keep()) {
				trickle(connection, name);
			}
			return exact ? EXACT : NOT_EXACT;
		}
	}

	private void lookAround(Broker broker, WorkerProcess worker, Map<String, Long> fixed, long notFixed)
			throws IOException {
		this.progress.line(this.options.keep() ? "Where to look next, until Ctrl-C"
				: "Where to look next (with --keep, which leaves all running)");
		URI console = worker.address().resolve("/actuator/retryconsole");
		this.progress.line("  console          " + console);
		broker.managementUri()
			.ifPresent((uri) -> this.progress.line("  management page  %s  as %s / %s".formatted(withoutUser(uri),
					broker.username(), broker.password())));
		this.progress.line("  metrics          " + worker.address().resolve("/actuator/prometheus"));
		this.progress.line("  parked messages  " + worker.address().resolve("/actuator/parkinglot"));
		this.progress.line("  replays          " + worker.address().resolve("/actuator/replays"));
		this.progress.line("What to try on the command line");
		DemoReport.commands(worker.address(), fixed, notFixed).forEach(this.progress::line);
		if (this.options.keep() && this.terminal && Desktop.isDesktopSupported()
				&& Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
			Desktop.getDesktop().browse(console);
		}
	}

	private void awaitEnd() {
		try {
			this.ended.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Goes on with some orders, since the counters of a worker end with it, and the last
	 * one has nothing left to count.
	 */
	private void trickle(Connection connection, String name) throws IOException, TimeoutException {
		this.progress.line("  orders of all kinds but the killer and the illegal transition go on coming every %d s"
			.formatted(BETWEEN_TRICKLES.toSeconds()));
		try {
			for (int batch = 0; !this.ended.await(BETWEEN_TRICKLES.toMillis(), TimeUnit.MILLISECONDS); batch++) {
				Map<String, Kind> orders = TRICKLE.orders("%s-more-%d".formatted(name, batch));
				// the commands above expect as many illegal transitions as there are now
				orders.values().removeAll(Set.of(Kind.KILLER, Kind.ILLEGAL_TRANSITION));
				new OrderPublisher(connection).publish(orders);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static URI withoutUser(URI uri) {
		return URI.create("%s://%s:%d/".formatted(uri.getScheme(), uri.getHost(), uri.getPort()));
	}

}
