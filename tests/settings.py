"""The settings of the site, on throw-away servers and without the parts that only cost time in tests."""

import os

from tests import servers

servers.start()
for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "CHAT_MODEL", "EMBEDDING_BASE_URL", "EMBEDDING_MODEL"):
    os.environ.pop(name, None)  # no test talks to a model but the scripted one

from memoryapp.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# WhiteNoise lists all static files anew for each test client; the live site has it.
MIDDLEWARE = [name for name in MIDDLEWARE if "whitenoise" not in name]  # noqa: F405
