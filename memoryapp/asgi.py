import os
import threading

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
application = get_asgi_application()

from chat.warming import warm  # noqa: E402 (after the settings)

# Beside the first requests: pages and /api/health answer at once, the first recall waits only for the rest of it.
threading.Thread(target=warm, name="warm", daemon=True).start()
