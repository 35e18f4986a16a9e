"""An upgrade migrates first: the processes of the version before go on for a while without knowing
the new columns, and must still be able to write."""

import importlib
import pkgutil

from django.db import migrations as operations
from django.db import models

import games.migrations

ENTERED_LATER = {("best", "time_key"), ("best", "moves_key")}
"""A win that the version before can't enter stays marked, and is entered by the one after it."""
BEFORE_THIS_HELD = {"0001_initial", "0002_ghosts", "0003_boards"}


def added() -> "list[tuple[str, str, models.Field[object, object]]]":
    """Find the columns that migrations add to tables that were there before them."""
    found = []
    for module in pkgutil.iter_modules(games.migrations.__path__):
        if module.name in BEFORE_THIS_HELD:
            continue
        migration = importlib.import_module(f"games.migrations.{module.name}").Migration
        new = {o.name_lower for o in migration.operations if isinstance(o, operations.CreateModel)}
        found += [
            (operation.model_name_lower, operation.name, operation.field)
            for operation in migration.operations
            if isinstance(operation, operations.AddField) and operation.model_name_lower not in new
        ]
    return found


def test_a_row_may_be_written_without_the_new_columns() -> None:
    columns = added()
    assert ("player", "preferences") in {(model, name) for model, name, _ in columns}
    demanding = {
        (model, name)
        for model, name, field in columns
        if not (field.null or field.many_to_many or field.has_db_default())
    }
    assert demanding <= ENTERED_LATER
