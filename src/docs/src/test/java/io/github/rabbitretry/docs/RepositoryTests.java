/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What visitors of a repository look for besides its README.
 */
class RepositoryTests {

	@Test
	void theWorkflowRunsTheReadmesTestsOnTheOldestAndTheNewestJdk() {
		assertThat(Page.of("README.md").text()).contains("| `mvn verify` |");
		assertThat(Page.of(".github/workflows/verify.yml").text()).contains("run: mvn -B verify\n", "java: [17, 25]");
	}

	@Test
	void aBugReportAsksForTheStartupLineTheDoctorAndVersions() {
		assertThat(Page.of(".github/ISSUE_TEMPLATE/bug_report.yml").text()).contains("id: startup-line", "id: doctor",
				"`rabbit-retry doctor`", "id: versions");
	}

	@Test
	void thePolicyOnVulnerabilitiesSaysWhereToReportThem() {
		assertThat(Page.of("SECURITY.md").text()).contains("Report a vulnerability");
	}

}
