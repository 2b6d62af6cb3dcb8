-- Messages that a replay has selected are reserved for it, and groups are by cause, version 5 of the ledger, for H2.

-- Whoever selects messages to do something with them updates the one row first: of two, the second sees what the first selected.
create table if not exists rabbit_retry_selection (
	id int primary key,
	selections bigint not null
);
insert into rabbit_retry_selection (id, selections) select 1, 0 where not exists (select 1 from rabbit_retry_selection);

-- Why messages failed last, budgets aside. What is stored already has its fingerprint for a cause.
alter table rabbit_retry_failure_kind add column if not exists cause varchar(64) default 'none' not null;
alter table rabbit_retry_failure_kind add column if not exists root_exception varchar(512);
alter table rabbit_retry_failure_kind add column if not exists root_message varchar(255);
update rabbit_retry_failure_kind set cause = fingerprint;
create index if not exists rabbit_retry_failure_kind_cause on rabbit_retry_failure_kind (cause);

create or replace view rabbit_retry_ledger as
select p.id, p.message_id, p.aggregate_id, k.message_type, p.first_seen_at, p.last_failed_at, p.attempt_count, k.last_reason,
	p.state, k.owner_team, c.payload_hash, k.queue, p.correlation_id, p.causation_id, k.failure_class, k.failure_reason,
	k.fingerprint, k.handler_version, k.consumer, p.schema_version, p.producer, k.exception, c.exception_message, p.parked_at,
	p.stored_at, p.replay_id, k.payload_state, k.cause, k.root_exception, k.root_message
from rabbit_retry_parked p
join rabbit_retry_failure_kind k on k.id = p.kind_id
join rabbit_retry_parked_content c on c.parked_id = p.id;

insert into rabbit_retry_schema (version) values (5);
