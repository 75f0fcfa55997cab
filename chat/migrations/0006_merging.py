from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0005_not_relevant")]

    operations = [
        migrations.AddField("memory", "compared", models.BooleanField(default=False)),
        migrations.AddIndex(
            "memory",
            models.Index(
                condition=models.Q(("compared", False), ("kind", "fragment"), ("state", "live")), fields=["user"], name="memory_uncompared"
            ),
        ),
        migrations.AlterField(
            "memory",
            "merged_into",
            models.ForeignKey(
                blank=True, null=True, on_delete=models.deletion.CASCADE, related_name="merged_from", to="chat.memory"
            ),
        ),
    ]
