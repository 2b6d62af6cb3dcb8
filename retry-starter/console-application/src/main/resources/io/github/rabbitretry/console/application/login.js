// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Keeps the view that was asked for, which the console shows after the login.

try {
	// a login that failed leads here again, with an argument and without the view
	if (location.hash || !location.search) {
		sessionStorage.setItem('rabbit-retry.address', location.hash);
	}
}
catch {
	// a browser may forbid it
}
