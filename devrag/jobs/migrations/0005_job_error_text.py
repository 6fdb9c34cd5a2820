from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("jobs", "0004_model_calls_move_to_spending"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="error_text",
            field=models.JSONField(default=dict),
        ),
    ]
