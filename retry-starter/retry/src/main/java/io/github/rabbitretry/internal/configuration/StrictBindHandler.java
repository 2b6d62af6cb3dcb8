/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Rejects what Spring Boot would bind to something else than is meant, and adds a remedy
 * to what it can't bind.
 */
public final class StrictBindHandler extends AbstractBindHandler {

	static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("rabbit-retry");

	static final ConfigurationPropertyName POLICIES = PREFIX.append("message-policies");

	static final ConfigurationPropertyName DEFAULTS = PREFIX.append("defaults");

	private static final ConfigurationPropertyName FIRST_OF_LIST = POLICIES.append("[0]");

	private final Environment environment;

	private final Map<ConfigurationPropertyName, Set<String>> known = new HashMap<>();

	private final EnvironmentVariables variables = new EnvironmentVariables();

	/** Spring Boot never calls a system property unknown. */
	private final BindHandler systemProperties = new NoUnboundElementsBindHandler(BindHandler.DEFAULT,
			StrictBindHandler::areSystemProperties);

	/**
	 * Creates the handler for one binding.
	 * @param parent the handler to call next
	 * @param environment what resolves placeholders
	 */
	public StrictBindHandler(BindHandler parent, Environment environment) {
		super(parent);
		this.environment = environment;
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		if (PREFIX.isAncestorOf(name)) {
			this.known.computeIfAbsent(name.getParent(), (parent) -> new TreeSet<>())
				.add(name.getLastElement(Form.DASHED));
			this.variables.read(name);
			if (target.getType().resolve(Object.class) == Map.class && !POLICIES.equals(name)) {
				this.variables.readElsewhere(name);
			}
			if (FIRST_OF_LIST.equals(name)) {
				listOfPolicies(context);
			}
			check(name, target.getType().resolve(Object.class), context);
		}
		this.systemProperties.onStart(name, target, context);
		return super.onStart(name, target, context);
	}

	/** YAML gives numbers as keys in brackets too, but no message type is 0. */
	private static void listOfPolicies(BindContext context) {
		for (ConfigurationPropertySource source : context.getSources()) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(FIRST_OF_LIST::isAncestorOf).findFirst().ifPresent((name) -> {
					throw new InvalidConfigurationException(property(name),
							Objects.requireNonNull(iterable.getConfigurationProperty(name)).getValue(),
							"is an element of a list, where message types with their keys are expected",
							"Write the message type in place of the dash, message-policies.CreateOrderCommand.queue.");
				});
			}
		}
	}

	private void check(ConfigurationPropertyName name, Class<?> type, BindContext context) {
		for (ConfigurationPropertySource source : context.getSources()) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				if (DEFAULTS.isAncestorOf(name) && !isListed(name, source)) {
					throw new InvalidConfigurationException(property(name), property.getValue(),
							"is in a property source that can't list its keys, so that no policy would inherit it",
							"Set it in a file, in each policy or by the environment variable %s."
								.formatted(EnvironmentVariables.documented(name)));
				}
				ValueCheck.of(property, this.environment).check(type, context);
			}
			else if (ClassUtils.isSimpleValueType(type) || type == Duration.class || type == DataSize.class) {
				list(name, source);
			}
			boolean elements = Collection.class.isAssignableFrom(type)
					&& source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT;
			if (property != null || elements) {
				return;
			}
		}
	}

	/** An environment variable that keeps a key's dashes as underscores is not. */
	private static boolean isListed(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		return source instanceof IterableConfigurationPropertySource iterable
				&& iterable.stream().anyMatch(name::equals);
	}

	private static void list(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		if (source instanceof IterableConfigurationPropertySource iterable) {
			List<Object> elements = iterable.stream()
				.filter((element) -> name.isParentOf(element) && element.isLastElementIndexed())
				.map((element) -> Objects.requireNonNull(iterable.getConfigurationProperty(element)).getValue())
				.toList();
			if (!elements.isEmpty()) {
				throw new ValueCheck(name, elements.toString(), "").invalid("is a list, where one value is expected",
						"Write one value, without brackets or dashes.");
			}
		}
	}

	@Override
	public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Object result) {
		this.systemProperties.onSuccess(name, target, context, result);
		if (POLICIES.equals(name) && result instanceof Map<?, ?> policies) {
			Map<Object, Object> spelled = new LinkedHashMap<>(policies);
			spelled.keySet().retainAll(PolicyNames.in(context.getSources()).keySet());
			return super.onSuccess(name, target, context, spelled);
		}
		return super.onSuccess(name, target, context, result);
	}

	@Override
	public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			@Nullable Object result) throws Exception {
		try {
			super.onFinish(name, target, context, result);
			if (PREFIX.equals(name) || PREFIX.isAncestorOf(name)) {
				this.systemProperties.onFinish(name, target, context, result);
			}
		}
		catch (UnboundConfigurationPropertiesException ex) {
			if (!PREFIX.equals(name) && !PREFIX.isAncestorOf(name)) {
				throw ex;
			}
			unknown(ex);
		}
		if (context.getDepth() == 0) {
			this.variables.check(name, context.getSources());
		}
	}

	/** Unknown keys are found here if they are those of elements of lists. */
	@Override
	public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Exception error) throws Exception {
		if (PREFIX.isAncestorOf(name)) {
			ConfigurationProperty property = context.getConfigurationProperty();
			if (error instanceof UnboundConfigurationPropertiesException unbound) {
				unknown(unbound);
			}
			else if (error instanceof ConversionException && property != null && property.getName().equals(name)) {
				throw ValueCheck.of(property, this.environment).unreadable(target.getType().resolve(Object.class));
			}
		}
		return super.onFailure(name, target, context, error);
	}

	private void unknown(UnboundConfigurationPropertiesException unbound) {
		List<ConfigurationProperty> unknown = unbound.getUnboundProperties()
			.stream()
			.filter((property) -> !InheritedDefaults.has(property) && !EnvironmentVariables.isChecked(property)
					&& !AdoptedQueue.KEY.isAncestorOf(property.getName()) && !isOfOthers(property))
			.toList();
		if (unknown.isEmpty()) {
			return;
		}
		unknown.forEach((property) -> dots(property.getName()));
		ConfigurationProperty first = unknown.get(0);
		String others = unknown.stream()
			.skip(1)
			.map((property) -> ", nor is " + property(property.getName()))
			.collect(Collectors.joining());
		throw new InvalidConfigurationException(property(first.getName()), first.getValue(),
				"is not a key of Rabbit Retry" + others,
				unknown.stream()
					.map((property) -> remedy(property.getName()))
					.distinct()
					.collect(Collectors.joining(System.lineSeparator())));
	}

	private static boolean areSystemProperties(@Nullable ConfigurationPropertySource source) {
		return source != null && source.getUnderlyingSource() instanceof PropertySource<?> properties
				&& properties.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
	}

	/**
	 * As with environment variables, only the names below policies and defaults are ours.
	 */
	private static boolean isOfOthers(ConfigurationProperty property) {
		return areSystemProperties(property.getSource()) && !POLICIES.isAncestorOf(property.getName())
				&& !DEFAULTS.isAncestorOf(property.getName());
	}

	/** A message type whose dots end the key's elements. */
	private void dots(ConfigurationPropertyName name) {
		int policy = POLICIES.getNumberOfElements() + 1;
		for (int end = policy + 1; POLICIES.isAncestorOf(name) && end < name.getNumberOfElements(); end++) {
			if (isKnown(name.chop(policy), name.getElement(end, Form.DASHED))) {
				String type = property(name.chop(end)).substring(property(POLICIES).length() + 1);
				throw new InvalidConfigurationException(property(POLICIES) + "." + type, type,
						"has dots, which separate keys",
						"Write it in brackets, in YAML in quotes too: \"[%s]\".".formatted(type));
			}
		}
	}

	private boolean isKnown(ConfigurationPropertyName parent, String key) {
		return this.known.getOrDefault(parent, Set.of())
			.stream()
			.anyMatch((known) -> known.replace("-", "").equals(key.replace("-", "")));
	}

	private String remedy(ConfigurationPropertyName name) {
		int length = name.getNumberOfElements() - 1;
		while (length > 1 && !this.known.containsKey(name.chop(length))) {
			length--;
		}
		Set<String> keys = this.known.getOrDefault(name.chop(length), Set.of());
		Optional<String> suggestion = Suggestion.of(name.getElement(length, Form.DASHED), keys);
		return suggestion.map("Did you mean '%s'? "::formatted).orElse("")
				+ "The keys there are: %s.".formatted(String.join(", ", keys));
	}

	/**
	 * A key as people write it.
	 * @param name the key
	 * @return the key with its letters as they are written
	 */
	static String property(ConfigurationPropertyName name) {
		StringBuilder property = new StringBuilder();
		for (int index = 0; index < name.getNumberOfElements(); index++) {
			String element = name.getElement(index, Form.ORIGINAL);
			property.append(name.chop(index + 1).isLastElementIndexed() ? "[" + element + "]"
					: (index > 0) ? "." + element : element);
		}
		return property.toString();
	}

}
