import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0003_earlier_feedback")]

    operations = [
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("status", "dead")), fields=["due_at"], name="job_given_up"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=django.contrib.postgres.indexes.BrinIndex(fields=["created_at"], name="turn_by_creation"),
        ),
    ]
