-- An article without a date never leads the news: the server places it behind its neighbour in the feed.
comment on column public.news_articles.published_at is 'As the feed says, never in the future; behind the next article of its feed where it does not say';
