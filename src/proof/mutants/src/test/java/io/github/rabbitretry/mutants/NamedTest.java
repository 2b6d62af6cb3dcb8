/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

/**
 * A test of the product's.
 *
 * @param source its class
 * @param method its method
 */
record NamedTest(SourceFile source, String method) {

	static NamedTest parse(String text) {
		String[] parts = text.split("\\.");
		return new NamedTest(SourceFile.ofTests(parts[0]), parts[1]);
	}

	/** What {@link TestMain} calls it. */
	String argument() {
		return "%s#%s".formatted(this.source.className(), this.method);
	}

	@Override
	public String toString() {
		return "%s.%s".formatted(this.source.name(), this.method);
	}

}
