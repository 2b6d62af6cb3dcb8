/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;

import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

class DatabaseIntegrationTests {

	@Test
	void aCrashKeepsWhatWasCommittedAndTheAddress() throws Exception {
		try (Database database = Database.start()) {
			assumeThat(database.canControl()).isTrue();
			String url = database.createDatabase();
			execute(database, url, "create table kept (number int)");
			execute(database, url, "insert into kept values (7)");
			database.kill();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> execute(database, url, "select 1"));
			database.startAgain();
			assertThat(kept(database, url)).isEqualTo(7);
			database.stop();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> execute(database, url, "select 1"));
			database.startAgain();
			assertThat(kept(database, url)).isEqualTo(7);
		}
	}

	@Test
	void aFrozenServerKeepsItsClientsWaiting() throws Exception {
		try (Database database = Database.start()) {
			assumeThat(database.canControl()).isTrue();
			try (Connection connection = DriverManager.getConnection(database.url() + "?socketTimeout=1",
					database.username(), database.password()); Statement statement = connection.createStatement()) {
				database.freeze();
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute("select 1"))
					.withRootCauseInstanceOf(SocketTimeoutException.class);
			}
			database.unfreeze();
			execute(database, database.url(), "select 1");
			database.freeze();
		}
	}

	@Test
	void aStandbyHasWhatThePrimaryHadAndTakesItsPlace() throws Exception {
		try (Database primary = Database.start()) {
			assumeThat(primary.canControl()).isTrue();
			try (Database standby = primary.standby()) {
				execute(primary, primary.url(), "create table kept (number int)");
				execute(primary, primary.url(), "insert into kept values (7)");
				standby.follow(primary);
				assertThat(kept(standby, standby.url())).isEqualTo(7);
				assertThatExceptionOfType(SQLException.class)
					.isThrownBy(() -> execute(standby, standby.url(), "update kept set number = 8"));
				primary.kill();
				execute(standby, standby.url(), "select pg_promote()");
				execute(standby, standby.url(), "update kept set number = 8");
				primary.follow(standby);
				assertThat(kept(primary, primary.url())).isEqualTo(8);
			}
		}
	}

	@Test
	void aNamedServerIsUsedAndNotControlled() {
		try (Database server = Database.start()) {
			Database named = DatabaseChooser
				.start(named("%s?user=%s&password=%s".formatted(server.url(), server.username(), server.password())));
			assertThat(named.canControl()).isFalse();
			assertThat(named.createDatabase()).startsWith("jdbc:postgresql://");
			named.close();
			assertThat(server.createDatabase()).isNotBlank();
		}
	}

	@Test
	void aNamedServerThatDoesNotAnswerIsAnError() {
		assertThatExceptionOfType(NoDatabaseException.class)
			.isThrownBy(() -> DatabaseChooser.start(named("jdbc:postgresql://127.0.0.1:1/nothing?user=a&password=b")))
			.withMessageContaining("RABBIT_RETRY_DATABASE");
		assertThatIllegalArgumentException().isThrownBy(() -> DatabaseChooser.start(named("postgres://somewhere")))
			.withMessageContaining("RABBIT_RETRY_DATABASE");
	}

	private static int kept(Database database, String url) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url, database.username(), database.password());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select max(number) from kept")) {
			rows.next();
			return rows.getInt(1);
		}
	}

	private static Settings named(String url) {
		return new Settings(Map.of("RABBIT_RETRY_DATABASE", url), new Properties());
	}

	private static void execute(Database database, String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url, database.username(), database.password());
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
