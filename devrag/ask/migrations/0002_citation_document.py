from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ask", "0001_initial")]

    operations = [
        migrations.AddField("citation", "document", models.JSONField(null=True)),
    ]
