-- Why a replay publishes nothing for now, and why a message of a replay can't be published, version 4 of the ledger, for H2.

alter table rabbit_retry_replay_job add column if not exists stalled varchar(1024);
alter table rabbit_retry_replay_job add column if not exists stalled_since timestamp with time zone;
alter table rabbit_retry_replay_item add column if not exists detail varchar(1024);

insert into rabbit_retry_schema (version) values (4);
