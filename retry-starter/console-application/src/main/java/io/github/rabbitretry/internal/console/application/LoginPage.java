/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.security.Principal;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.HtmlUtils;

/**
 * The pages to log in and out at. Unlike Spring Security's own, the first one has a
 * script: the view that an address names is in its fragment, which no form sends, so the
 * script keeps it for the console.
 */
@RestController
class LoginPage implements WebMvcConfigurer {

	static final String PATH = "/login";

	/** Also for those whom no role lets in. */
	static final String LOGOUT = "/logout";

	static final String[] FILES = { "/login.js", "/login.css" };

	private static final String PAGE = """
			<!doctype html>
			<html lang="en">
			<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
			<title>%1$s – Rabbit Retry</title><link rel="icon" href="favicon.ico"><link rel="stylesheet" href="login.css"><script src="login.js"></script></head>
			<body><main><h1>Rabbit Retry</h1>
			%2$s
			</main></body>
			</html>
			""";

	private static final String FORM = """
			<form method="post" action="%s"><input type="hidden" name="%s" value="%s">
			%s<button type="submit">%s</button></form>
			""";

	private static final String FIELDS = """
			<label>User name <input name="username" autocomplete="username" required autofocus></label>
			<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
			""";

	private final Authentication authentication;

	private final Map<String, String> providers = new TreeMap<>();

	LoginPage(Authentication authentication, ObjectProvider<InMemoryClientRegistrationRepository> registrations) {
		this.authentication = authentication;
		registrations.ifAvailable((all) -> all.forEach((ClientRegistration provider) -> {
			if (provider.getAuthorizationGrantType().equals(AuthorizationGrantType.AUTHORIZATION_CODE)) {
				this.providers.put(provider.getRegistrationId(), provider.getClientName());
			}
		}));
	}

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		registry.addResourceHandler(FILES)
			.addResourceLocations("classpath:/io/github/rabbitretry/console/application/");
	}

	@GetMapping(path = PATH, produces = MediaType.TEXT_HTML_VALUE)
	String login(@Nullable CsrfToken token, @RequestParam(required = false) @Nullable String error,
			@RequestParam(required = false) @Nullable String wait,
			@RequestParam(required = false) @Nullable String logout) {
		CsrfToken required = required(token);
		StringBuilder content = new StringBuilder();
		if (error != null) {
			content.append("<p role=\"alert\">%s</p>\n".formatted(this.providers.isEmpty()
					? "Wrong user name or password." : "Wrong user name or password, or the provider refused."));
		}
		if (wait != null) {
			content.append("<p role=\"alert\">Too many logins failed. Wait %s minutes, or log in elsewhere.</p>\n"
				.formatted(LoginThrottle.WINDOW.toMinutes()));
		}
		if (logout != null) {
			content.append("<p role=\"status\">You have logged out.</p>\n");
		}
		if (this.authentication.password()) {
			content.append(form("login", required, FIELDS, "Log in"));
		}
		this.providers
			.forEach((id, name) -> content.append("<p><a href=\"oauth2/authorization/%s\">Log in with %s</a></p>\n"
				.formatted(HtmlUtils.htmlEscape(id), HtmlUtils.htmlEscape(name))));
		return PAGE.formatted("Log in", content);
	}

	@GetMapping(path = LOGOUT, produces = MediaType.TEXT_HTML_VALUE)
	String logout(@Nullable CsrfToken token, @Nullable Principal user) {
		CsrfToken required = required(token);
		String content = (user != null) ? "<p>Logged in as %s.</p>%s".formatted(HtmlUtils.htmlEscape(user.getName()),
				form("logout", required, "", "Log out")) : "<p>You are not logged in.</p>";
		return PAGE.formatted("Log out", content + "<p><a href=\"./\">Back to the console</a></p>");
	}

	/** Whether a request sends one of the forms. */
	static boolean isForm(HttpServletRequest request) {
		String path = request.getRequestURI().substring(request.getContextPath().length());
		return request.getMethod().equals("POST") && (path.equals(PATH) || path.equals(LOGOUT));
	}

	/** Without a login, there is no token. */
	private static CsrfToken required(@Nullable CsrfToken token) {
		if (token == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		return token;
	}

	private static String form(String action, CsrfToken token, String fields, String button) {
		return FORM.formatted(action, token.getParameterName(), HtmlUtils.htmlEscape(token.getToken()), fields, button);
	}

}
