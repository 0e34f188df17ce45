-- When a job's last run ended: a time in the future tells that the clock was set back, and that the job need not wait until it
-- has caught up.
alter table private.jobs add column ended_at timestamptz;
comment on column private.jobs.ended_at is 'End of the last run, well or not; by the database''s own clock. Null until one has ended';
