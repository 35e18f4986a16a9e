"""An upgrade migrates first: the processes of the version before go on for a while without knowing
the new columns, and must still be able to write."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator

import pytest
from django.db import migrations as operations
from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

import games.migrations

ENTERED_LATER = {("best", "time_key"), ("best", "moves_key")}
"""A win that the version before can't enter stays marked, and is entered by the one after it."""
BEFORE_THIS_HELD = {"0001_initial", "0002_ghosts", "0003_boards"}
LAST_THAT_MIGHT_REMOVE = "0005_stretches"
REMOVING = (
    operations.RemoveField,
    operations.DeleteModel,
    operations.RenameField,
    operations.RenameModel,
)


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


def removed(steps: Iterable[Operation], state: ProjectState) -> list[str]:
    """Tell what operations take from the version before: columns, tables, names, and that a column
    may be left empty. `state` is that before them, and is carried on."""
    found = []
    for step in _flat(steps):
        if isinstance(step, REMOVING) or _demands_more(step, state):
            found.append(step.describe())
        step.state_forwards("games", state)
    return found


def _flat(steps: Iterable[Operation]) -> Iterator[Operation]:
    for step in steps:
        if isinstance(step, operations.SeparateDatabaseAndState):
            yield from _flat(step.database_operations)
        else:
            yield step


def _demands_more(step: Operation, state: ProjectState) -> bool:
    if not isinstance(step, operations.AlterField):
        return False
    before = state.models["games", step.model_name_lower].get_field(step.name)
    return before.null and not step.field.null


def test_nothing_is_removed_in_the_release_that_stops_using_it() -> None:
    loader = MigrationLoader(None)
    later = sorted(
        name
        for app, name in loader.disk_migrations
        if app == "games" and name > LAST_THAT_MIGHT_REMOVE
    )
    assert "0006_staff" in later
    for name in later:
        before = loader.project_state(("games", name), at_end=False)
        assert removed(loader.disk_migrations["games", name].operations, before) == [], name


@pytest.mark.parametrize(
    "step",
    [
        operations.RemoveField("player", "language"),
        operations.DeleteModel("Study"),
        operations.RenameField("player", "language", "tongue"),
        operations.RenameModel("Study", "Sight"),
        operations.AlterField("player", "look", models.CharField(max_length=192)),
        operations.SeparateDatabaseAndState([operations.DeleteModel("Study")]),
    ],
    ids=lambda step: type(step).__name__,
)
def test_what_removes_something_is_found(step: Operation) -> None:
    state = MigrationLoader(None).project_state()
    assert len(removed([step], state)) == 1


def test_what_adds_or_allows_something_is_not_taken_for_removing() -> None:
    steps = [
        operations.AddField("player", "motto", models.TextField(null=True)),
        operations.AlterField("player", "language", models.CharField(max_length=8, null=True)),
        operations.AlterField("player", "name", models.CharField(max_length=99)),
    ]
    assert removed(steps, MigrationLoader(None).project_state()) == []
