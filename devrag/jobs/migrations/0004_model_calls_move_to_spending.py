"""ModelCall belongs to the application `spending`; its table stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_model_calls")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="ModelCall")]
        )
    ]
