-- What the sweep of used tokens looks for. Without it each statement of the sweep read the whole table.
create index refresh_tokens_used_at_idx on auth.refresh_tokens (used_at) where used_at is not null;
