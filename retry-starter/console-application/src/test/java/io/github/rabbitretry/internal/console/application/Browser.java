/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Level;

import io.github.rabbitretry.browser.ChromiumPrograms;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium that reaches nothing but this machine.
 */
final class Browser implements AutoCloseable {

	/** What a page did that its headers forbid; kept over pages by the console's log. */
	private static final String VIOLATIONS = """
			addEventListener('securitypolicyviolation',
				(event) => console.error('securitypolicyviolation ' + event.violatedDirective + ' ' + event.blockedURI));
			""";

	private final ChromeDriver driver;

	Browser() {
		ChromiumPrograms programs = ChromiumPrograms.find();
		ChromeOptions options = new ChromeOptions().setBinary(programs.chromium().toFile());
		options.addArguments("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--window-size=1280,1000",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
		if ("root".equals(System.getProperty("user.name"))) {
			// Chromium's sandbox is made for other users
			options.addArguments("--no-sandbox");
		}
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		// with both paths given, Selenium looks for no program and downloads none
		this.driver = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(programs.driver().toFile())
					.usingAnyFreePort()
					.withEnvironment(programs.environment())
					.withLogFile(new File("target/chromedriver.log"))
					.build(),
				options);
		this.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", VIOLATIONS));
	}

	void open(String address) {
		this.driver.get(address);
	}

	void back() {
		this.driver.navigate().back();
	}

	String path() {
		return String.valueOf(this.driver.executeScript("return location.pathname"));
	}

	void logIn(String user) {
		this.driver.findElement(By.name("username")).sendKeys(user);
		this.driver.findElement(By.name("password")).sendKeys(RunningConsole.PASSWORD);
		this.driver.findElement(By.cssSelector("button[type=submit]")).click();
	}

	/** As if the session had ended. */
	void endSession() {
		this.driver.manage().deleteAllCookies();
	}

	/** In the tab that a link opens, which is closed then. */
	void logInInTheOtherTab(String user, String awaited) {
		String tab = this.driver.getWindowHandle();
		Awaitility.await().until(() -> this.driver.getWindowHandles().size() == 2);
		this.driver.getWindowHandles()
			.stream()
			.filter((other) -> !other.equals(tab))
			.forEach(this.driver.switchTo()::window);
		awaitText("User name");
		logIn(user);
		awaitText(awaited);
		this.driver.close();
		this.driver.switchTo().window(tab);
	}

	void click(String name) {
		soon(By.xpath(
				"//*[self::a or self::button][@aria-label=\"%1$s\" or (not(@aria-label) and normalize-space()=\"%1$s\")]"
					.formatted(name)),
				WebElement::click);
	}

	void write(String label, String text) {
		soon(By.xpath("//label[starts-with(normalize-space(), \"%s\")]//input".formatted(label)), (field) -> {
			field.clear();
			field.sendKeys(text);
		});
	}

	private void soon(By element, Consumer<WebElement> action) {
		Awaitility.await(element.toString())
			.atMost(Duration.ofSeconds(60))
			.ignoreExceptionsInstanceOf(WebDriverException.class)
			.until(() -> {
				action.accept(this.driver.findElement(element));
				return true;
			});
	}

	void awaitText(String... parts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.ignoreExceptionsInstanceOf(WebDriverException.class)
			.until(() -> this.driver.findElement(By.tagName("body")).getText(),
					(text) -> List.of(parts).stream().allMatch(text::contains));
	}

	/** What should not have happened since the start. */
	List<String> mistakes() {
		List<String> mistakes = new ArrayList<>();
		this.driver.manage().logs().get(LogType.BROWSER).forEach((entry) -> {
			if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
				mistakes.add(entry.getLevel() + " " + entry.getMessage());
			}
		});
		return mistakes;
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
