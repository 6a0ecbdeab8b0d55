-- Turns whose fragments are still stored: what the hourly housekeeping looks for.
create index turn_streamed on turn (created_at) where stream_key is not null;
