"""Pages keep the sections of documentation that their topic has."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("wiki", "0007_mask_secrets")]

    operations = [
        migrations.AddField(
            model_name="page",
            name="sections",
            field=models.JSONField(default=list),
        ),
    ]
