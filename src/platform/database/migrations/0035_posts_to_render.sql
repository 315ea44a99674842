-- Of two indexes, SQLite chose the one that does not help to sort. Nothing has to be sorted: the other one is enough.
DROP INDEX post_html_waiting;
