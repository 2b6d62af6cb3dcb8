/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.IOException;
import java.util.Set;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.security.autoconfigure.SecurityProperties;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.SimpleUrlAuthenticationSuccessHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.security.web.util.matcher.NegatedRequestMatcher;

/**
 * Who may do what. Endpoints check the roles for actions and payloads themselves, as in a
 * service.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ConsoleUsers.class)
class SecurityConfiguration {

	/** Of the login page; the console has its own. */
	private static final String CONTENT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
			+ "form-action 'self'; frame-ancestors 'none'";

	private static final AccessDeniedHandler DENIED = new AccessDeniedHandlerImpl();

	private static final RelativeRedirects REDIRECTS = RelativeRedirects.INSTANCE;

	private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]", "::1", "0:0:0:0:0:0:0:1",
			"[0:0:0:0:0:0:0:1]");

	@Bean
	static BoundAddresses boundAddresses(Environment environment) {
		return new BoundAddresses(environment);
	}

	@Bean
	Authentication authentication(Environment environment) {
		return Authentication.of(environment);
	}

	@Bean
	AuthenticationProvider passwords(ConsoleUsers users, SecurityProperties security) {
		return new LoginThrottle(new InMemoryUserDetailsManager(users.details(security.getUser())), System::nanoTime);
	}

	@Bean
	GrantedAuthoritiesMapper rolesClaim(ConsoleUsers users) {
		return new RolesClaim(users.rolesClaim());
	}

	/**
	 * Without a login, pages of other sites must not get here by a name of theirs that
	 * resolves to this machine.
	 */
	@Bean
	StrictHttpFirewall firewall(Authentication authentication) {
		StrictHttpFirewall firewall = new StrictHttpFirewall();
		if (!authentication.required()) {
			firewall.setAllowedHostnames(THIS_MACHINE::contains);
		}
		return firewall;
	}

	@Bean
	SecurityFilterChain console(HttpSecurity http, Authentication authentication) {
		http.headers((headers) -> headers.contentSecurityPolicy((content) -> content.policyDirectives(CONTENT)));
		if (!authentication.required()) {
			// the console's own filter refuses what other sites send
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf(AbstractHttpConfigurer::disable)
				.logout(AbstractHttpConfigurer::disable)
				.build();
		}
		http.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
			.permitAll()
			.requestMatchers(EndpointRequest.to(HealthEndpoint.class))
			.permitAll()
			.requestMatchers(HomePage.ICON, LoginPage.PATH, LoginPage.LOGOUT)
			.permitAll()
			.requestMatchers(LoginPage.FILES)
			.permitAll()
			.anyRequest()
			.hasAnyRole(Role.names()))
			.exceptionHandling((failures) -> failures
				.defaultAuthenticationEntryPointFor(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED),
						new NegatedRequestMatcher(page()))
				.defaultAuthenticationEntryPointFor(
						(request, response, failure) -> REDIRECTS.sendRedirect(request, response, LoginPage.PATH),
						page())
				.accessDeniedHandler(SecurityConfiguration::denied))
			.logout((logout) -> logout.logoutSuccessHandler((request, response, login) -> REDIRECTS
				.sendRedirect(request, response, LoginPage.PATH + "?logout")))
			// there is one page only, which no login has to remember
			.requestCache(AbstractHttpConfigurer::disable)
			.csrf((csrf) -> csrf.ignoringRequestMatchers(SecurityConfiguration::isProgram));
		if (authentication.password()) {
			// no challenge, or browsers would ask for a password and keep it
			http.formLogin((form) -> form.loginPage(LoginPage.PATH)
				.successHandler(succeeded())
				.failureHandler(SecurityConfiguration::failed))
				.httpBasic((basic) -> basic.authenticationEntryPoint((request, response, failure) -> response.setStatus(
						(isThrottled(failure) ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.UNAUTHORIZED).value())));
		}
		if (authentication.oauth2()) {
			http.oauth2Login((login) -> login.loginPage(LoginPage.PATH)
				.successHandler(succeeded())
				.failureHandler(SecurityConfiguration::failed));
		}
		return http.build();
	}

	/** The form of a session that has ended leads to the root, and so to the login. */
	private static void denied(HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
			throws IOException, ServletException {
		if (LoginPage.isForm(request)) {
			REDIRECTS.sendRedirect(request, response, HomePage.PATH);
		}
		else {
			DENIED.handle(request, response, failure);
		}
	}

	private static AuthenticationSuccessHandler succeeded() {
		SimpleUrlAuthenticationSuccessHandler handler = new SimpleUrlAuthenticationSuccessHandler(HomePage.PATH);
		handler.setRedirectStrategy(REDIRECTS);
		return handler;
	}

	private static void failed(HttpServletRequest request, HttpServletResponse response,
			AuthenticationException failure) {
		REDIRECTS.sendRedirect(request, response, LoginPage.PATH + (isThrottled(failure) ? "?wait" : "?error"));
	}

	private static boolean isThrottled(AuthenticationException failure) {
		return failure instanceof LockedException;
	}

	private static MediaTypeRequestMatcher page() {
		MediaTypeRequestMatcher page = new MediaTypeRequestMatcher(MediaType.TEXT_HTML);
		page.setIgnoredMediaTypes(Set.of(MediaType.ALL));
		return page;
	}

	/** No browser sends such a login by itself, as it never got a challenge. */
	private static boolean isProgram(HttpServletRequest request) {
		String login = request.getHeader(HttpHeaders.AUTHORIZATION);
		return login != null && login.regionMatches(true, 0, "Basic ", 0, 6) && request.getRequestedSessionId() == null;
	}

}
