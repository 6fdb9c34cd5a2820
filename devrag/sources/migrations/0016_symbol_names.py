import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0015_chunk_symbols'),
    ]

    operations = [
        migrations.AddField(
            model_name='symbol',
            name='source',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='symbols', to='sources.source'),
        ),
        migrations.AddField(
            model_name='symbol',
            name='search_name',
            field=models.TextField(default=''),
        ),
        migrations.AddField(
            model_name='symbol',
            name='search_order',
            field=models.SmallIntegerField(default=0),
        ),
    ]
