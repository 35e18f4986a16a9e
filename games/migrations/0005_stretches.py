"""Results as one number each, and long boards counted by stretches. What is stored of boards is
kept; a long board is counted from the next game on that is entered on it.

It removes columns and a table in the step that adds others, which no later one may
(tests/deploy/test_migrations.py): no release has ever had the tables of 0003, so there is no
running version that could miss them. On the way back the boards are emptied, and what was won is
entered anew."""

from django.db import migrations, models
from django.db.migrations.state import StateApps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

_BOARDS = [f'{by}_{games}' for by in ('time', 'moves') for games in ('all', 'first', 'no_undo')]


def write_keys(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Time and moves in 27 and 18 bits; moves, undos and time in 18, 18 and 27."""
    apps.get_model('games', 'Best').objects.update(
        time_key=F('finished_ms') * 2**18 + F('moves'),
        moves_key=F('moves') * 2**45 + F('undos') * 2**27 + F('finished_ms'),
    )


def enter_anew(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Leave no row without the columns that come back, and each won game to be entered again."""
    apps.get_model('games', 'Best').objects.all().delete()
    apps.get_model('games', 'Game').objects.filter(entered=True).update(entered=False)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_accounts'),
    ]

    operations = [
        *(migrations.RemoveIndex(model_name='best', name=f'best_{board}') for board in _BOARDS),
        migrations.AddField(
            model_name='best',
            name='time_key',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='best',
            name='moves_key',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunPython(write_keys, migrations.RunPython.noop, elidable=True),
        *(
            migrations.RemoveField(model_name='best', name=name)
            for name in ('finished_ms', 'moves', 'undos')
        ),
        migrations.RunPython(migrations.RunPython.noop, enter_anew, elidable=True),
        *(
            migrations.AddIndex(
                model_name='best',
                index=models.Index(
                    condition=models.Q((board, True)),
                    fields=['scope', 'period', f"{board.split('_')[0]}_key", 'ended_at', 'game'],
                    name=f'best_{board}',
                ),
            )
            for board in _BOARDS
        ),
        migrations.DeleteModel(name='Tally'),
        migrations.CreateModel(
            name='Stretch',
            fields=[
                ('pk', models.CompositePrimaryKey('scope', 'period', 'column', 'low', blank=True, editable=False, primary_key=True, serialize=False)),
                ('scope', models.BigIntegerField()),
                ('period', models.IntegerField()),
                ('column', models.PositiveSmallIntegerField()),
                ('low', models.BigIntegerField()),
                ('count', models.IntegerField()),
            ],
            options={
                'verbose_name_plural': 'stretches',
            },
        ),
    ]
