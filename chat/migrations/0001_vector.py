from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    """pgvector, before any table has a vector."""

    initial = True
    dependencies: list = []
    operations = [VectorExtension()]
