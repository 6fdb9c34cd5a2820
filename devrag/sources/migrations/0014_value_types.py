from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0013_hook_deliveries'),
    ]

    operations = [
        migrations.AddField(
            model_name='symbol',
            name='value_types',
            field=models.JSONField(default=dict),
        ),
    ]
