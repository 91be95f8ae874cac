"""`db init`: the tables of a memory, on one server or spread over a cluster."""

import click

from recollect.faces.cli.command import Command
from recollect.faces.cli.session import Session


@click.command(cls=Command)
@click.option("--shard", is_flag=True)
@click.pass_obj
def init(session: Session, *, shard: bool) -> None:
    from recollect.wiring import make_database

    made, lies = make_database(session.settings(), sharded=shard)
    said = {"engine": made.engine, "version": made.version, "place": made.place, "schema": made.schema}
    if session.json:
        tables = {"distributed": lies.distributed, "reference": lies.reference}
        session.answer({**said, "sharded": lies.is_sharded, **tables})
        return
    session.remark("tables_made", **said)
    if lies.is_sharded:
        spread, whole = ", ".join(lies.distributed), ", ".join(lies.reference)
        session.remark("tables_sharded", distributed=spread, reference=whole)
