/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.provision.Chooser;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;

/**
 * The programs of a browser and of what drives it.
 *
 * @param chromium Chromium, or Chrome
 * @param driver {@code chromedriver}
 * @param environment variables that both need
 */
public record ChromiumPrograms(Path chromium, Path driver, Map<String, String> environment) {

	private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome-stable",
			"google-chrome");

	/**
	 * Finds the programs: those that {@code RABBIT_RETRY_CHROMIUM} and
	 * {@code RABBIT_RETRY_CHROMEDRIVER} name, else those on the PATH, else unpacked from
	 * Debian's packages.
	 * @return the programs
	 * @throws NoChromiumException if there are none, with the reason of each way
	 */
	public static ChromiumPrograms find() {
		return find(Settings.ofThisProcess(), new UnpackedChromium(Path.of("/etc/apt")));
	}

	static ChromiumPrograms find(Settings settings, UnpackedChromium unpacked) {
		Optional<Path> chromium = settings.get(Setting.CHROMIUM).map(Path::of);
		Optional<Path> driver = settings.get(Setting.CHROMEDRIVER).map(Path::of);
		if (chromium.isPresent() || driver.isPresent()) {
			return named(chromium.orElse(Path.of("")), driver.orElse(Path.of("")));
		}
		chromium = NAMES.stream().flatMap(settings::onPath).findFirst();
		driver = settings.onPath("chromedriver").findFirst();
		if (chromium.isPresent() && driver.isPresent()) {
			return new ChromiumPrograms(chromium.get(), driver.get(), Map.of());
		}
		Chooser chooser = new Chooser();
		chooser.passOver("named", "%s and %s are not set".formatted(Setting.CHROMIUM, Setting.CHROMEDRIVER));
		chooser.passOver("installed", chromium.isPresent() ? "no chromedriver on PATH" : "no chromium on PATH");
		return chooser.firstOf(List.of(unpacked), (way) -> "unpacked", (way) -> way.unpack(settings))
			.orElseThrow(() -> new NoChromiumException(chooser.message("No browser to test with",
					"Install the packages chromium and chromium-driver, or name the programs with %s and %s"
						.formatted(Setting.CHROMIUM, Setting.CHROMEDRIVER))));
	}

	private static ChromiumPrograms named(Path chromium, Path driver) {
		ChromiumPrograms programs = new ChromiumPrograms(chromium, driver, Map.of());
		if (!programs.complete()) {
			throw new NoChromiumException(
					"%s and %s have to name programs, and are '%s' and '%s'. Correct them, or unset both to have the programs unpacked"
						.formatted(Setting.CHROMIUM, Setting.CHROMEDRIVER, chromium, driver));
		}
		return programs;
	}

	boolean complete() {
		return Files.isRegularFile(this.chromium) && Files.isExecutable(this.chromium)
				&& Files.isRegularFile(this.driver) && Files.isExecutable(this.driver);
	}

}
