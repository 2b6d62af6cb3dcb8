-- Messages that a replay has selected are reserved for it, version 5 of the ledger, for H2.

-- Whoever selects messages to do something with them updates the one row first: of two, the second sees what the first selected.
create table rabbit_retry_selection (
	id int primary key,
	selections bigint not null
);
insert into rabbit_retry_selection (id, selections) values (1, 0);

insert into rabbit_retry_schema (version) values (5);
