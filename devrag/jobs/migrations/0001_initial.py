# The first shape of the tables of this room.

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('products', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=16)),
                ('lane', models.CharField(max_length=200)),
                ('source_name', models.CharField(blank=True, max_length=200)),
                ('params', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('completed', 'Completed'), ('failed', 'Failed'), ('skipped', 'Skipped'), ('cancelled', 'Cancelled')], default='pending', max_length=16)),
                ('phase', models.SmallIntegerField(default=-1)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('requested_by', models.CharField(blank=True, max_length=150)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('error', models.TextField(blank=True)),
                ('error_code', models.CharField(blank=True, max_length=40)),
                ('report', models.JSONField(default=dict)),
                ('product', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to='products.product')),
                ('superseded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='jobs.job')),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase', models.SmallIntegerField()),
                ('queue', models.CharField(max_length=80)),
                ('ordinal', models.IntegerField()),
                ('state', models.CharField(choices=[('open', 'Open'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='open', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('payload', models.JSONField(default=dict)),
                ('units', models.IntegerField(default=1)),
                ('done_units', models.IntegerField(default=0)),
                ('result', models.JSONField(default=dict)),
                ('error', models.TextField(blank=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='jobs.job')),
            ],
            options={
                'ordering': ['phase', 'ordinal'],
            },
        ),
        migrations.CreateModel(
            name='JobEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('level', models.CharField(choices=[('info', 'Info'), ('warning', 'Warning'), ('error', 'Error')], default='info', max_length=8)),
                ('message', models.TextField()),
                ('data', models.JSONField(default=dict)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='jobs.job')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
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
                ('output_tokens', models.IntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='products.product')),
            ],
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state__in', ('pending', 'running'))), fields=['state', 'created_at'], name='open_jobs'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['product', '-created_at'], name='jobs_of_product'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('lane',), name='one_running_job_per_lane'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('state__in', ['open', 'running'])), fields=['job', 'phase', 'ordinal'], name='claimable_batches'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.UniqueConstraint(fields=('job', 'phase', 'ordinal'), name='one_batch_per_ordinal'),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['product', 'created_at'], name='model_spend'),
        ),
    ]
