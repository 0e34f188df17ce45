-- For the download of an account: without these it reads every mail that was ever sent and every event of a payment.
create index outgoing_mail_to_address_idx on private.outgoing_mail (lower(to_address));
create index stripe_events_object_id_idx on public.stripe_events (object_id);
