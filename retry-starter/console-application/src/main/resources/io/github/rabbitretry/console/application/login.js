// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Keeps the view that was asked for, which the console shows after the login.

if (location.hash.length > 1) {
	sessionStorage.setItem('rabbit-retry.address', location.hash);
}
