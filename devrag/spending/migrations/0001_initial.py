"""The ledger of calls, which was the application `jobs`'s."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("jobs", "0004_model_calls_move_to_spending"),
        ('products', '0003_server_access'),
    ]

    # The table is that of migration jobs.0001; only its owner changes.
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='ModelCall',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('purpose', models.CharField(max_length=40)),
                        ('provider', models.CharField(max_length=40)),
                        ('model', models.CharField(max_length=120)),
                        ('run', models.UUIDField(db_index=True)),
                        ('reserved_cost', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                        ('cost', models.DecimalField(decimal_places=6, max_digits=12, null=True)),
                        ('input_tokens', models.IntegerField(default=0)),
                        ('cached_input_tokens', models.IntegerField(default=0)),
                        ('output_tokens', models.IntegerField(default=0)),
                        ('worker', models.CharField(blank=True, max_length=120)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('finished_at', models.DateTimeField(null=True)),
                        ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='products.product')),
                    ],
                    options={
                        'db_table': 'jobs_modelcall',
                        'indexes': [models.Index(fields=['product', 'created_at'], name='model_spend'), models.Index(condition=models.Q(('finished_at', None)), fields=['created_at'], name='open_model_calls')],
                    },
                ),
            ],
        ),
    ]
