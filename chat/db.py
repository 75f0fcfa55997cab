"""Small rules about the database that several places keep: give a connection back, take a user's lock."""

from django.db import connection


def release_connection() -> None:
    """Give the connection back to the pool before waiting for something slow (a model, a stream).

    Inside a transaction it stays, since the transaction lives on it: so never wait for a model inside one.
    """
    if not connection.in_atomic_block:
        connection.close()


def lock_user(user_id: int) -> None:
    """Until the end of the transaction, nobody else writes this user's state. Take it after any model call."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_STATE_LOCKS, user_id % 2**31])


_STATE_LOCKS = 7201  # the first key of PostgreSQL's two-key advisory locks: ours, as against other programs' locks
