FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    CELERY_SKIP_CHECKS=1 \
    XINJI_DATA=/data

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
# The key of this one step signs nothing and is not kept.
RUN SECRET_KEY=build XINJI_DATA=/tmp python manage.py compile_translations \
    && useradd --system --home-dir /data xinji \
    && install --directory --owner xinji /data

USER xinji
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "uvicorn", "memoryapp.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--timeout-graceful-shutdown", "3", "--no-access-log", "--log-level", "warning", "--proxy-headers"]
