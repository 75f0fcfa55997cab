from django.db import migrations


class Migration(migrations.Migration):
    """The permission to see whose memories a conflict is about."""

    dependencies = [("chat", "0003_recall_keys")]
    operations = [
        migrations.AlterModelOptions(
            name="conflict",
            options={
                "permissions": [("view_identity", "Can see whose memories these are")],
                "verbose_name": "conflict",
                "verbose_name_plural": "conflicts",
            },
        ),
    ]
