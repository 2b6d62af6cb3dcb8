/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class AptSourcesTests {

	@TempDir
	Path apt;

	@Test
	void readsTheOneLineFormat() {
		assertThat(AptSources.parseLines("""
				# deb http://commented.example/debian bookworm main
				deb http://plain.example/debian bookworm main contrib # a remark
				deb [arch=amd64 signed-by=/k.gpg] https://options.example/debian bookworm-updates main
				deb-src http://source.example/debian bookworm main
				""")).containsExactly(
				new AptSource("http://plain.example/debian", "bookworm", Set.of("main", "contrib")),
				new AptSource("https://options.example/debian", "bookworm-updates", Set.of("main")));
	}

	@Test
	void readsTheStanzaFormat() {
		assertThat(AptSources.parseStanzas("""
				# a remark
				Types: deb deb-src
				URIs: http://one.example/debian
				# a remark inside
				Suites: trixie
				  trixie-updates
				Components: main

				Enabled: no
				Types: deb
				URIs: http://disabled.example/debian
				Suites: trixie
				Components: main

				types: deb-src
				uris: http://source.example/debian
				suites: trixie
				components: main
				""")).containsExactly(new AptSource("http://one.example/debian", "trixie", Set.of("main")),
				new AptSource("http://one.example/debian", "trixie-updates", Set.of("main")));
	}

	@Test
	void prefersDebiansOwnArchiveOverThirdPartiesThatUseItsNames() throws IOException {
		write("sources.list", "deb http://tools.example/ bookworm main\n");
		write("sources.list.d/debian.sources", """
				Types: deb
				URIs: http://security.example/debian-security
				Suites: bookworm-security
				Components: main

				Types: deb
				URIs: http://mirror.example/debian/
				Suites: bookworm
				Components: main
				""");
		assertThat(AptSources.debianMirror(this.apt)).contains("http://mirror.example/debian/");
	}

	@Test
	void takesAMirrorList() throws IOException {
		write("sources.list.d/debian.sources", """
				Types: deb
				URIs: mirror+file:///etc/apt/mirrors/debian.list
				Suites: trixie
				Components: main
				""");
		assertThat(AptSources.debianMirror(this.apt)).contains("mirror+file:///etc/apt/mirrors/debian.list");
	}

	@Test
	void findsNoneOnUbuntuOrWhereFilesAreSwitchedOff() throws IOException {
		write("sources.list", "deb http://ubuntu.example/ubuntu noble main universe\n");
		write("sources.list.d/debian.sources.off", "URIs: http://mirror.example/debian\n");
		write("sources.list.d/docker.list", "deb http://third.example/linux/debian bookworm stable\n");
		assertThat(AptSources.debianMirror(this.apt)).isEmpty();
	}

	@Test
	void findsNoneWhereThereIsNoApt() {
		assertThat(AptSources.debianMirror(this.apt.resolve("absent"))).isEmpty();
	}

	private void write(String name, String text) throws IOException {
		Path file = this.apt.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

}
