from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0024_file_changes'),
    ]

    operations = [
        migrations.AlterField(
            model_name='source',
            name='source_type',
            field=models.CharField(choices=[('git', 'Git'), ('local', 'Local'), ('pdf', 'Pdf'), ('upload', 'Upload'), ('confluence', 'Confluence'), ('redmine', 'Redmine'), ('notion', 'Notion'), ('github', 'Github'), ('gitlab', 'Gitlab')], max_length=16),
        ),
    ]
