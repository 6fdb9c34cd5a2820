from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0009_wiki_schedule'),
    ]

    operations = [
        TrigramExtension(),
        migrations.AddIndex(
            model_name='file',
            index=GinIndex(fields=['path'], name='files_by_words', opclasses=['gin_trgm_ops']),
        ),
    ]
