/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;

/**
 * The starter with one message policy; everything else is its default.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@PropertySource("classpath:policy.properties")
class WithPolicy {

}
