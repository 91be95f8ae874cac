"""Start both servers and print their URLs until Ctrl-C, for whoever develops: `scripts/servers`, or one of them:
`scripts/servers mysql`; `--durable` and `--abroad` as in `tests.servers`."""

import argparse
import signal
import sys
from contextlib import ExitStack

from tests.servers import Unavailable, mysql, postgres

STARTS = {"postgres": (postgres.postgres_server, postgres.ABROAD), "mysql": (mysql.mysql_server, mysql.ABROAD)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/servers", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*STARTS, []], metavar="|".join(STARTS))
    parser.add_argument("--durable", action="store_true", help="survives a loss of power")
    parser.add_argument("--abroad", action="store_true", help="another time zone, other ways to write text")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        for name in asked.names or STARTS:
            start, abroad = STARTS[name]
            options = abroad if asked.abroad else None
            server = stack.enter_context(start(durable=asked.durable, options=options, private=True))
            print(f"{name} {'.'.join(map(str, server.version))}: {server.new_database()}", flush=True)
        print("Ctrl-C ends them, and their data with them.", flush=True)
        signal.pause()


if __name__ == "__main__":
    try:
        main()
    except Unavailable as why:
        sys.exit(str(why))
    except KeyboardInterrupt:
        pass
