-- How many messages there are, version 3 of the ledger, for H2, which counts them where they are: nothing to do.

insert into rabbit_retry_schema (version) values (3);
