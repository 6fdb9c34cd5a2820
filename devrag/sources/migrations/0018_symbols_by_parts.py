import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0017_fill_symbol_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='symbol',
            name='source',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='symbols', to='sources.source'),
        ),
        migrations.AddIndex(
            model_name='symbol',
            index=models.Index(fields=['source', 'search_name'], include=['search_order', 'id'], name='symbols_by_prefix', opclasses=['int8_ops', 'text_pattern_ops']),
        ),
        migrations.AddIndex(
            model_name='symbol',
            index=django.contrib.postgres.indexes.GinIndex(fields=['search_name'], name='symbols_by_part', opclasses=['gin_trgm_ops']),
        ),
        migrations.AddIndex(
            model_name='symbol',
            index=models.Index(condition=models.Q(('search_name__regex', '[^\\u0001-\\u007f]')), fields=['source', 'search_name'], include=['search_order', 'id'], name='symbols_not_ascii', opclasses=['int8_ops', 'text_pattern_ops']),
        ),
    ]
