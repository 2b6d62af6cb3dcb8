-- The ledger of Rabbit Retry, version 1: what PostgreSQL has besides, indexes of ids, and counts by kind and state.

-- H2 writes a row into each index again when any column of it changes, and a page for each random key: its file would grow twice
-- as much with a replay. The operator class is that of prefixes, whatever the collation; it serves whole ids too.
create index if not exists rabbit_retry_parked_message on rabbit_retry_parked (message_id varchar_pattern_ops, parked_at, id);
create index if not exists rabbit_retry_parked_correlation on rabbit_retry_parked (correlation_id varchar_pattern_ops, parked_at, id);
create index if not exists rabbit_retry_parked_aggregate on rabbit_retry_parked (aggregate_id varchar_pattern_ops, parked_at, id);
create index if not exists rabbit_retry_parked_audit on rabbit_retry_parked (audit_id, state) where audit_id is not null;

-- The sum of a kind's rows in a state is how many messages it has there. Rows are only ever added, one for each statement that
-- changes a count, so that nobody waits for anybody else; now and then they are summed up into fewer ones.
create table rabbit_retry_parked_count (
	kind_id bigint not null references rabbit_retry_failure_kind (id),
	state varchar(16) not null,
	change bigint not null
);
create index rabbit_retry_parked_count_kind on rabbit_retry_parked_count (kind_id, state) include (change);

create function rabbit_retry_count_added() returns trigger language plpgsql set search_path from current as '
begin
	insert into rabbit_retry_parked_count (kind_id, state, change) select kind_id, state, count(*) from added group by kind_id, state;
	return null;
end';

create function rabbit_retry_count_removed() returns trigger language plpgsql set search_path from current as '
begin
	insert into rabbit_retry_parked_count (kind_id, state, change) select kind_id, state, -count(*) from removed group by kind_id, state;
	return null;
end';

create function rabbit_retry_count_changed() returns trigger language plpgsql set search_path from current as '
begin
	insert into rabbit_retry_parked_count (kind_id, state, change)
	select kind_id, state, sum(change) from (
		select kind_id, state, 1 as change from added union all select kind_id, state, -1 from removed) c
	group by kind_id, state having sum(change) <> 0;
	return null;
end';

create function rabbit_retry_count_nothing() returns trigger language plpgsql set search_path from current as '
begin
	delete from rabbit_retry_parked_count;
	return null;
end';

create trigger rabbit_retry_count_added after insert on rabbit_retry_parked
	referencing new table as added for each statement execute function rabbit_retry_count_added();
create trigger rabbit_retry_count_removed after delete on rabbit_retry_parked
	referencing old table as removed for each statement execute function rabbit_retry_count_removed();
create trigger rabbit_retry_count_changed after update on rabbit_retry_parked
	referencing old table as removed new table as added for each statement execute function rabbit_retry_count_changed();
create trigger rabbit_retry_count_nothing after truncate on rabbit_retry_parked
	for each statement execute function rabbit_retry_count_nothing();
