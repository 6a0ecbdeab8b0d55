-- A picture of a film for the card and the player of its share page.
alter table video_generation add column still_key text;
