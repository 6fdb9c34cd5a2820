import django.contrib.postgres.indexes
from django.db import migrations, models
from django.db.models.functions import text


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0018_symbols_by_parts'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='file',
            index=models.Index(django.contrib.postgres.indexes.OpClass(text.Lower(models.Func('path', models.Value('/'), models.Value(-1), function='split_part')), name='text_pattern_ops'), name='files_by_name'),
        ),
    ]
