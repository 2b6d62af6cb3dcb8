/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Kinds whose methods are Kotlin functions that suspend. They are compiled for the proof
 * alone.
 */
final class KotlinKinds {

	private static final String LISTENERS = KotlinKinds.class.getPackageName() + ".SuspendingListeners";

	private KotlinKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(new ListenerKind("Kotlin suspend", AnnotatedApplication.APPLICATION) {

			@Override
			boolean possible() {
				return compiled();
			}

		}, new ReplyKinds.Requested("Kotlin suspend with a reply") {

			@Override
			boolean possible() {
				return compiled();
			}

		});
	}

	private static boolean compiled() {
		return ClassUtils.isPresent(LISTENERS, KotlinKinds.class.getClassLoader());
	}

	static class Listeners implements ImportSelector {

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return compiled() ? new String[] { LISTENERS } : new String[0];
		}

	}

}
