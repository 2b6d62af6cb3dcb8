/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Finds what an expression names and no message can have, without evaluating it: what it
 * does with a header depends on the header.
 */
final class OrderingKeyCheck {

	private static final Set<String> KNOWN = Set.of("headers", "routingKey");

	private boolean reads;

	private OrderingKeyCheck() {
	}

	/**
	 * Checks an expression.
	 * @param expression on {@code headers} and {@code routingKey}
	 * @throws IllegalArgumentException if it can't give a key for any message
	 */
	static void check(SpelExpression expression) {
		OrderingKeyCheck check = new OrderingKeyCheck();
		check.ofMessage(expression.getAST());
		if (!check.reads) {
			throw new IllegalArgumentException("it reads neither headers nor routingKey");
		}
	}

	/** A part that is evaluated on the message. */
	private void ofMessage(SpelNode node) {
		possible(node);
		if (node instanceof PropertyOrFieldReference property) {
			if (!KNOWN.contains(property.getName())) {
				throw new IllegalArgumentException("'%s' is neither headers nor routingKey: a header is %s"
					.formatted(property.getName(), "headers['%s']".formatted(property.getName())));
			}
			this.reads = true;
		}
		else if (node instanceof MethodReference method) {
			if (Arrays.stream(Map.class.getMethods()).noneMatch((known) -> known.getName().equals(method.getName()))) {
				throw new IllegalArgumentException("there is no method '%s'".formatted(method.getName()));
			}
			this.reads = true;
		}
		if (node instanceof CompoundExpression) {
			ofMessage(node.getChild(0));
			for (int i = 1; i < node.getChildCount(); i++) {
				ofValue(node.getChild(i));
			}
		}
		else {
			ofValue(node);
		}
	}

	/** A part that is evaluated on what is left of it, and its arguments. */
	private void ofValue(SpelNode node) {
		possible(node);
		// these have names of their own: entries, keys and elements
		boolean own = node instanceof Indexer || node instanceof InlineMap || node instanceof Selection
				|| node instanceof Projection;
		for (int i = 0; i < node.getChildCount(); i++) {
			if (own) {
				possibleWithin(node.getChild(i));
			}
			else {
				ofMessage(node.getChild(i));
			}
		}
	}

	private void possibleWithin(SpelNode node) {
		possible(node);
		for (int i = 0; i < node.getChildCount(); i++) {
			possibleWithin(node.getChild(i));
		}
	}

	private void possible(SpelNode node) {
		if (node instanceof VariableReference) {
			String name = node.toStringAST();
			if (!name.equals("#root") && !name.equals("#this")) {
				throw new IllegalArgumentException("there is no variable " + name);
			}
			this.reads = true;
		}
		boolean never = node instanceof BeanReference || node instanceof FunctionReference
				|| node instanceof TypeReference || node instanceof ConstructorReference;
		if (never) {
			throw new IllegalArgumentException("'%s' is not accessible: only headers, routingKey and their methods are"
				.formatted(node.toStringAST()));
		}
		if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
			throw new IllegalArgumentException("'%s' would change the message".formatted(node.toStringAST()));
		}
	}

}
