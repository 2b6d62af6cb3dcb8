/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.logging.Level;

import io.github.rabbitretry.browser.ChromiumPrograms;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Chromium as a person uses it: by the words on links and buttons, one click after the
 * other, which are counted. It reaches nothing but this machine.
 */
final class Browser {

	/** What the page did that its headers forbid. */
	private static final String VIOLATIONS = """
			window.violations = [];
			addEventListener('securitypolicyviolation',
				(event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
			""";

	private static final ConditionFactory SOON = Awaitility.with()
		.pollInterval(Duration.ofMillis(50))
		.await()
		.atMost(Duration.ofSeconds(60))
		.ignoreExceptionsMatching(
				(failure) -> failure instanceof NotFoundException || failure instanceof StaleElementReferenceException
						|| failure instanceof ElementNotInteractableException);

	private final ChromeDriver driver;

	private int clicks;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	static Browser shared() {
		return Shared.INSTANCE;
	}

	private static ChromeDriver start() {
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
		ChromeDriver driver = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(programs.driver().toFile())
					.usingAnyFreePort()
					.withEnvironment(programs.environment())
					.withLogFile(new File("target/chromedriver.log"))
					.build(),
				options);
		driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", VIOLATIONS));
		return driver;
	}

	/** As a person would who has just opened it, and who prefers a bright screen. */
	void forgetAll() {
		this.driver.get("about:blank");
		this.driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
		this.driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
		prefer("light");
		this.driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
		this.driver.manage().logs().get(LogType.BROWSER);
		this.clicks = 0;
	}

	/** As a phone does, or a page that is enlarged. */
	void narrow(int width) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", 740, "deviceScaleFactor", 1, "mobile", false));
	}

	void prefer(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	void open(String address) {
		this.driver.get(address);
	}

	/** The part of the address that says what is shown. */
	String fragment() {
		return String.valueOf(run("return location.hash"));
	}

	/** Opens another view of the page that is shown, as a bookmark does. */
	void view(String fragment) {
		run("location.hash = arguments[0]", fragment);
		awaitQuiet();
	}

	/** Waits until nothing is being asked for. */
	void awaitQuiet() {
		SOON.until(() -> run("return document.querySelector('[aria-busy]')?.getAttribute('aria-busy')"),
				"false"::equals);
	}

	int clicks() {
		return this.clicks;
	}

	/** Clicks a link or button, once it is there. */
	void click(String name) {
		with(acting(
				"%1$s=\"%2$s\" or (not(@aria-label) and normalize-space()=\"%2$s\")".formatted("@aria-label", name)),
				WebElement::click);
		this.clicks++;
	}

	/** Clicks a link or button whose name begins so. */
	void clickFirst(String beginning) {
		with(acting(
				"starts-with(@aria-label, \"%1$s\") or (not(@aria-label) and starts-with(normalize-space(), \"%1$s\"))"
					.formatted(beginning)),
				WebElement::click);
		this.clicks++;
	}

	/** Clicks into a field and writes. */
	void write(String label, String text) {
		with(By.xpath(
				"//label[starts-with(normalize-space(), \"%s\")]//*[self::input or self::textarea]".formatted(label)),
				(field) -> {
					field.click();
					field.clear();
					field.sendKeys(text);
				});
		this.clicks++;
	}

	/** Chooses from a list, as a click on it does. */
	void choose(String field, String value) {
		with(By.cssSelector("select[name=%s] option[value=%s]".formatted(field, value)), WebElement::click);
		this.clicks++;
	}

	boolean has(String name) {
		return !this.driver.findElements(acting("normalize-space()=\"%s\"".formatted(name))).isEmpty();
	}

	boolean hasField(String label) {
		return !this.driver
			.findElements(By.xpath("//label[starts-with(normalize-space(), \"%s\")]//input".formatted(label)))
			.isEmpty();
	}

	private static By acting(String condition) {
		return By.xpath("//*[self::a or self::button or self::summary][%s]".formatted(condition));
	}

	private void with(By element, Consumer<WebElement> action) {
		try {
			SOON.until(() -> {
				action.accept(this.driver.findElement(element));
				return true;
			});
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("There is no %s in:%n%s".formatted(element, text()), ex);
		}
	}

	/** Logs in at the form of Spring Security. */
	void logIn(String user, String password) {
		with(By.name("username"), (field) -> field.sendKeys(user));
		this.driver.findElement(By.name("password")).sendKeys(password);
		this.driver.findElement(By.cssSelector("button[type=submit]")).click();
	}

	/** The text that a person reads. */
	String text() {
		return this.driver.findElement(By.tagName("body")).getText();
	}

	void awaitText(String... parts) {
		await((text) -> List.of(parts).stream().allMatch(text::contains));
	}

	void await(Predicate<String> text) {
		SOON.alias("the text of the page").until(this::text, text);
	}

	/**
	 * Takes a picture for the docs, if the system property {@code console.images} names a
	 * folder.
	 */
	void picture(String name) {
		String folder = System.getProperty("console.images");
		if (folder == null) {
			return;
		}
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", 1200, "height", 750, "deviceScaleFactor", 1, "mobile", false));
		this.driver.executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
		Object image = this.driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png")).get("data");
		this.driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
		byte[] png = Base64.getDecoder().decode(String.valueOf(image));
		assertThat(png).hasSizeLessThan(150_000);
		try {
			Files.write(Path.of(folder, name + ".png"), png);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The text of a picture, once it has a part. */
	String title(String selector, String part) {
		return SOON.until(
				() -> String
					.valueOf(run("return document.querySelector(arguments[0] + ' title').textContent", selector)),
				(title) -> title.contains(part));
	}

	int count(String selector) {
		return this.driver.findElements(By.cssSelector(selector)).size();
	}

	Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	Object runAsync(String script, Object... arguments) {
		return this.driver.executeAsyncScript(script, arguments);
	}

	/** What the page should not have done since this was asked last. */
	List<String> mistakes() {
		List<String> mistakes = new ArrayList<>();
		for (LogEntry entry : this.driver.manage().logs().get(LogType.BROWSER)) {
			if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
				mistakes.add(entry.getLevel() + " " + entry.getMessage());
			}
		}
		if (run("return window.violations ?? []") instanceof List<?> violations) {
			violations.forEach((violation) -> mistakes.add(String.valueOf(violation)));
		}
		return mistakes;
	}

	/** Ends with the JVM. */
	private static final class Shared {

		static final Browser INSTANCE = new Browser(start());

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE.driver::quit));
		}

	}

}
