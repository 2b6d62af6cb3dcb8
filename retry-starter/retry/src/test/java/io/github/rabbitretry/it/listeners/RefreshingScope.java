/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;

/**
 * A scope as Spring Cloud's {@code refresh}: its beans are made when the application is
 * ready, and anew by their next use after a refresh.
 */
final class RefreshingScope implements Scope {

	static final String NAME = "refresh";

	private final Map<String, Object> beans = new ConcurrentHashMap<>();

	/** Forgets all beans. */
	void refresh() {
		this.beans.clear();
	}

	@Override
	public synchronized Object get(String name, ObjectFactory<?> factory) {
		Object bean = this.beans.get(name);
		if (bean == null) {
			bean = factory.getObject();
			this.beans.put(name, bean);
		}
		return bean;
	}

	@Override
	public @Nullable Object remove(String name) {
		return this.beans.remove(name);
	}

	@Override
	public void registerDestructionCallback(String name, Runnable callback) {
	}

	/** Makes the beans of the scope when the application has been refreshed. */
	static class Eager {

		@EventListener
		void refreshed(ContextRefreshedEvent event) {
			ConfigurableListableBeanFactory beans = ((ConfigurableApplicationContext) event.getApplicationContext())
				.getBeanFactory();
			for (String name : beans.getBeanDefinitionNames()) {
				if (NAME.equals(beans.getBeanDefinition(name).getScope())) {
					beans.getBean(name);
				}
			}
		}

	}

}
