/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Edits one message and replays it.
 */
@Command(name = "edit",
		footer = { "  rabbit-retry parked edit 17 --body-file order.json --because WRONG_SUM",
				"  rabbit-retry parked edit 17 --header x-tenant=acme --because WRONG_TENANT" },
		description = { "Replays one message with a new body or new headers, if the service allows it.",
				"The message gets a new message id." })
final class EditCommand extends ServiceCommand {

	@Parameters(paramLabel = "ID", description = "id of the message, as shown by 'parked list'")
	private long id;

	@Option(names = "--body-file", paramLabel = "FILE", description = "the new body")
	private @Nullable Path bodyFile;

	@Option(names = "--header", paramLabel = "NAME=VALUE", description = "sets a header; without a value, removes it")
	private Map<String, String> headers = Map.of();

	@Option(names = "--take-reserved",
			description = "take the message even if a replay has selected and not yet published it; the replay then skips it")
	private boolean takeReserved;

	@Mixin
	private final WaitOptions waiting = new WaitOptions();

	@Override
	ExitCode run() {
		Arguments arguments = session().signed(arguments(), false)
			.with("id", Long.toString(this.id))
			.with("takeReserved", this.takeReserved);
		this.headers.forEach((name, value) -> arguments.with("header." + name, value));
		if (this.bodyFile != null) {
			body(arguments, this.bodyFile);
		}
		try (Service service = session().open()) {
			return this.waiting.end(session(), service, service.ask(Request.write(arguments.map(), "replays", "edit")));
		}
	}

	private static void body(Arguments arguments, Path file) {
		try {
			byte[] body = Files.readAllBytes(file);
			try {
				arguments.with("body", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
			}
			catch (CharacterCodingException ex) {
				arguments.with("bodyBase64", Base64.getEncoder().encodeToString(body));
			}
		}
		catch (IOException ex) {
			throw ServiceException.usage("%s can't be read.".formatted(file));
		}
	}

}
