"""Leaderboards, days and their deals, marks. By hand where makemigrations would add the parts of
a composite key after the table."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0002_ghosts'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='game',
            name='game_won_by_time',
        ),
        migrations.RemoveIndex(
            model_name='game',
            name='game_won_by_moves',
        ),
        migrations.AddField(
            model_name='game',
            name='entered',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='game',
            name='followed',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='game',
            name='studied',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='player',
            name='is_private',
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('entered', False), ('outcome', 'won')), fields=['race'], name='game_not_entered'),
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('pk', models.CompositePrimaryKey('scope', 'period', 'column', 'bucket', blank=True, editable=False, primary_key=True, serialize=False)),
                ('scope', models.BigIntegerField()),
                ('period', models.IntegerField()),
                ('column', models.PositiveSmallIntegerField()),
                ('bucket', models.PositiveIntegerField()),
                ('count', models.IntegerField()),
            ],
            options={
                'verbose_name_plural': 'tallies',
            },
        ),
        migrations.CreateModel(
            name='Day',
            fields=[
                ('date', models.DateField(primary_key=True, serialize=False)),
                ('deal', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='day', to='games.deal')),
            ],
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to=settings.AUTH_USER_MODEL)),
                ('race', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='attempt', to='games.race')),
                ('day', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='games.day')),
            ],
        ),
        migrations.CreateModel(
            name='Best',
            fields=[
                ('pk', models.CompositePrimaryKey('game_id', 'scope', 'period', blank=True, editable=False, primary_key=True, serialize=False)),
                ('scope', models.BigIntegerField()),
                ('period', models.IntegerField()),
                ('finished_ms', models.BigIntegerField()),
                ('moves', models.PositiveIntegerField()),
                ('undos', models.PositiveIntegerField()),
                ('ended_at', models.BigIntegerField()),
                ('time_all', models.BooleanField()),
                ('time_first', models.BooleanField()),
                ('time_no_undo', models.BooleanField()),
                ('moves_all', models.BooleanField()),
                ('moves_first', models.BooleanField()),
                ('moves_no_undo', models.BooleanField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bests', to='games.game')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bests', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.BigIntegerField()),
                ('deal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='studies', to='games.deal')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='studies', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'studies',
            },
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(fields=['player', 'scope', 'period'], name='best_of_player'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('time_all', True)), fields=['scope', 'period', 'finished_ms', 'moves', 'ended_at', 'game'], name='best_time_all'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('time_first', True)), fields=['scope', 'period', 'finished_ms', 'moves', 'ended_at', 'game'], name='best_time_first'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('time_no_undo', True)), fields=['scope', 'period', 'finished_ms', 'moves', 'ended_at', 'game'], name='best_time_no_undo'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('moves_all', True)), fields=['scope', 'period', 'moves', 'undos', 'finished_ms', 'ended_at', 'game'], name='best_moves_all'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('moves_first', True)), fields=['scope', 'period', 'moves', 'undos', 'finished_ms', 'ended_at', 'game'], name='best_moves_first'),
        ),
        migrations.AddIndex(
            model_name='best',
            index=models.Index(condition=models.Q(('moves_no_undo', True)), fields=['scope', 'period', 'moves', 'undos', 'finished_ms', 'ended_at', 'game'], name='best_moves_no_undo'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('day', 'player'), name='attempt_one_a_day'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.UniqueConstraint(fields=('player', 'deal'), name='study_once_a_deal'),
        ),
    ]
