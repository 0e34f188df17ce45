-- Events for programs: outcomes of the public record in the order in which they became known. The index on the whole table
-- exists on each of its partitions, later ones included.
create index track_scores_scored_idx on private.track_scores (scored_at, seq);
