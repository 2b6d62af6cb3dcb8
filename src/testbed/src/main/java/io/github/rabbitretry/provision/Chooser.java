/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tries providers in their order and keeps why each was passed over.
 */
public final class Chooser {

	private final Map<String, String> reasons = new LinkedHashMap<>();

	/**
	 * Passes a provider over without a try.
	 * @param name the provider's name
	 * @param reason why
	 */
	public void passOver(String name, String reason) {
		this.reasons.put(name, reason);
	}

	/**
	 * Takes the first provider that works.
	 * @param <P> the kind of provider
	 * @param <T> what it provides
	 * @param providers in the order in which they are tried
	 * @param name returns a provider's name
	 * @param attempt has a provider provide
	 * @return what was provided, empty if all were passed over
	 */
	public <P, T> Optional<T> firstOf(List<? extends P> providers, Function<P, String> name, Attempt<P, T> attempt) {
		for (P provider : providers) {
			try {
				return Optional.of(attempt.with(provider));
			}
			catch (PassedOverException ex) {
				passOver(name.apply(provider), String.valueOf(ex.getMessage()));
			}
		}
		return Optional.empty();
	}

	/**
	 * The message if nothing can be provided.
	 * @param what what there is none of
	 * @param remedy what the user can do
	 * @return lists each provider and why it was passed over
	 */
	public String message(String what, String remedy) {
		return this.reasons.entrySet()
			.stream()
			.map((reason) -> "  " + reason.getKey() + ": " + reason.getValue().strip().replace("\n", "\n    "))
			.collect(Collectors.joining("\n", what + ". Each way was passed over:\n", "\n" + remedy));
	}

	/**
	 * One try.
	 *
	 * @param <P> the kind of provider
	 * @param <T> what it provides
	 */
	public interface Attempt<P, T> {

		/**
		 * Has the provider provide.
		 * @param provider the provider
		 * @return what it provides
		 * @throws PassedOverException if it provides nothing here
		 */
		T with(P provider) throws PassedOverException;

	}

}
