/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.crm;

/**
 * Asks for a customer to be synchronized to the CRM.
 *
 * @param orderId the order that made it necessary
 * @param customerId identifies the customer
 * @param email where the customer reads
 */
record SyncCustomerToCrmCommand(String orderId, String customerId, String email) {
}
